package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;

class FailureSimulationIT {
    @Test
    void survivorsGoOnAfterEachOfTwoSimulatedDeathsAndTheJobEndsWell() {
        simulateDeaths(4);
    }

    @Deep
    @ParameterizedTest
    @ValueSource(ints = {3, 8})
    void survivorsOfOtherNumbersOfRanksGoOnAfterEachOfTwoSimulatedDeaths(int ranks) {
        simulateDeaths(ranks);
    }

    private static void simulateDeaths(int ranks) {
        MpiFlavour.OPEN_MPI.require();
        MpiResult result = MpiJob.of(SimulatedFailureProgram.class, ranks).run().requireSuccess();
        assertAll(IntStream.range(0, ranks).mapToObj(rank -> endedAsPlanned(result, ranks, rank)));
    }

    @Test
    void whatMpiStillWritesToIsKeptAfterAGatherWasGivenUpAndItsCommunicatorClosed() {
        MpiFlavour.OPEN_MPI.require();
        MpiResult result = MpiJob.of(AbandonedGatherProgram.class, 3).run().requireSuccess();
        for (int rank = 0; rank < 3; rank++) {
            assertTrue(result.output(rank).contains("alive"), result::describe);
        }
        assertTrue(result.output(0).contains("given up"), result::describe);
    }

    /** The others are not in a call of MPI that blocks, which makes their next communicator. */
    @Test
    void aSurvivorMayGiveMessagesToOthersUpWhileTheyFailSomebody() {
        MpiResult result = failInAStep(FailureInAStepProgram.SURVIVES);
        assertTrue(result.output(1).contains("gave up"), result::describe);
        assertTrue(result.output(1).contains("survived as 1"), result::describe);
    }

    @Test
    void whoFailsTogetherDoesNotWaitForEachOther() {
        MpiResult result = failInAStep(FailureInAStepProgram.FAILS_TOO);
        for (int rank = 1; rank < 3; rank++) {
            assertTrue(result.output(rank).contains("gave up"), result::describe);
            assertTrue(result.output(rank).contains("died"), result::describe);
        }
    }

    private static MpiResult failInAStep(String rankOne) {
        MpiFlavour.OPEN_MPI.require();
        MpiResult result = MpiJob.of(FailureInAStepProgram.class, 3).arguments(rankOne).run().requireSuccess();
        assertTrue(result.output(0).contains("survived as 0"), result::describe);
        assertTrue(result.output(2).contains("died"), result::describe);
        return result;
    }

    private static Executable endedAsPlanned(MpiResult result, int ranks, int rank) {
        boolean dies = rank == 0 || rank == ranks - 1;
        String expected = dies
                ? "died: the PE of original rank " + rank + " was made to fail"
                : "survived as " + (rank - 1) + " of " + (ranks - 2) + ", absent [0, " + (ranks - 1) + "]";
        return () -> {
            assertTrue(result.output(rank).contains(expected), result::describe);
            assertTrue(result.output(rank).contains("finished"), result::describe);
        };
    }
}
