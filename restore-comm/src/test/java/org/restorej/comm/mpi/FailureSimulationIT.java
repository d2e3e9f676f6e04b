package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.restorej.comm.mpi.MistakenProgram.Mistake;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;

class FailureSimulationIT {
    @Test
    void survivorsGoOnAfterEachOfTwoSimulatedFailuresAndTheJobEndsWell() {
        int ranks = 4;
        MpiFlavour.OPEN_MPI.require();
        MpiResult result = MpiJob.of(SimulatedFailureProgram.class, ranks).run().requireSuccess();
        assertAll(IntStream.range(0, ranks).mapToObj(rank -> endedAsPlanned(result, ranks, rank)));
    }

    @Test
    void whatEndsACollectiveCallOnOneRankEndsTheJobAndIsPrintedOnceWithTheRank() {
        MpiFlavour.OPEN_MPI.require();
        MpiResult result = MpiJob.of(MistakenProgram.class, 3).arguments(Mistake.LONE_ARGUMENT.name()).run();
        assertEquals(1, result.exitCode(), result::describe);
        assertTrue(
                result.output(1).startsWith("rank 1: exception in thread \"main\" java.lang.IllegalArgumentException: "
                        + "values must be an array of byte, int, long, float or double: values is a java.lang.String"),
                result::describe);
        for (int rank = 0; rank < 3; rank++) {
            assertFalse(result.output(rank).contains("goes on"), result::describe);
            assertEquals(rank == 1 ? 2 : 1, result.output(rank).split("exception in thread", -1).length,
                    result::describe);
        }
    }

    @Test
    void failWithOtherRanksOnOneRankEndsTheJob() {
        MpiFlavour.OPEN_MPI.require();
        MpiResult result = MpiJob.of(MistakenProgram.class, 3).arguments(Mistake.DIFFERENT_FAILURES.name()).run();
        assertEquals(1, result.exitCode(), result::describe);
        assertTrue(IntStream.range(0, 3).anyMatch(rank -> result.output(rank).contains(
                "fail must be called with the same ranks by all ranks alive")), result::describe);
    }

    private static Executable endedAsPlanned(MpiResult result, int ranks, int rank) {
        boolean fails = rank == 0 || rank == ranks - 1;
        String expected = fails
                ? "failed: the PE of original rank " + rank + " was made to fail"
                : "survived as " + (rank - 1) + " of " + (ranks - 2) + ", absent [0, " + (ranks - 1) + "]";
        return () -> {
            assertTrue(result.output(rank).contains(expected), result::describe);
            assertTrue(result.output(rank).contains("finished"), result::describe);
        };
    }
}
