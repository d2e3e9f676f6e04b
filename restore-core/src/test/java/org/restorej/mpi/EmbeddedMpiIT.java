package org.restorej.mpi;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;

/** The library inside a program that calls MPI itself. */
class EmbeddedMpiIT {
    private static void assertSays(MpiResult result, int rank, String line) {
        assertTrue(result.output(rank).contains(line), () -> line + " of rank " + rank + ": " + result.describe());
    }

    private static void assertSurvived(MpiResult result) {
        for (int rank = 0; rank < 3; rank++) {
            assertSays(result, rank, "others 3");
        }
        assertSays(result, 4, "survivors 2 of [100, 101, 102] with ranks [0, 2]");
        assertSays(result, 5, "survivors 2 of [100, 101, 102] with ranks [1, 2]");
    }

    @Deep
    @Test
    void aHalfOfTheRanksSurvivesASimulatedFailureAndGoesOnWithMpiCalls() {
        MpiFlavour.BINDINGS.require();
        MpiResult result = MpiJob.of(EmbeddedProgram.class, 6).on(MpiFlavour.BINDINGS).run().requireSuccess();
        assertSurvived(result);
        assertSays(result, 3, "failed");
        for (int rank = 0; rank < 6; rank++) {
            assertSays(result, rank, "before 15");
            assertSays(result, rank, "finalised true");
        }
    }

    @Deep
    @Test
    void aHalfOfTheRanksSurvivesARealFailureAndGoesOnWithMpiCalls() {
        MpiFlavour.ULFM_BINDINGS.require();
        MpiResult result = MpiJob.of(EmbeddedProgram.class, 6).on(MpiFlavour.ULFM_BINDINGS).arguments("kills").run()
                .requireSuccess();
        assertSurvived(result);
        for (int rank : List.of(0, 1, 2)) {
            assertSays(result, rank, "ended true");
        }
        for (int rank : List.of(4, 5)) {
            assertSays(result, rank, "ended false");
        }
    }

    @Test
    void callsOfMpiInsideIterationsSurviveRealFailures() {
        surviveInsideIterations("throws");
    }

    @Deep
    @Test
    void callsOfMpiInsideIterationsThatWrapExceptionsSurviveRealFailures() {
        surviveInsideIterations("wraps");
    }

    /** Ranks 1 and 0 kill themselves between calls of MPI in which the others then wait. */
    private static void surviveInsideIterations(String mode) {
        MpiFlavour.ULFM_BINDINGS.require();
        MpiResult result = MpiJob.of(OwnCallsProgram.class, 5).on(MpiFlavour.ULFM_BINDINGS).arguments(mode).run()
                .requireSuccess();
        for (int rank = 2; rank < 5; rank++) {
            assertSays(result, rank, "right true");
            assertSays(result, rank, "left 3");
        }
        for (int rank = 0; rank < 2; rank++) {
            assertFalse(result.output(rank).contains("right"), result::describe);
        }
    }

    @Deep
    @Test
    void callsOfMpiInsideIterationsWorkOnOneRank() {
        // Its mistake would end the job here.
        callOnOneRank(MpiFlavour.BINDINGS);
    }

    @Deep
    @Test
    void callsOfMpiInsideIterationsWorkOnOneRankUnderUlfm() {
        assertSays(callOnOneRank(MpiFlavour.ULFM_BINDINGS), 0, "own error mpi.MPIException");
    }

    private static MpiResult callOnOneRank(MpiFlavour flavour) {
        flavour.require();
        MpiResult result = MpiJob.of(OwnCallsProgram.class, 1).on(flavour).arguments("throws").run().requireSuccess();
        assertSays(result, 0, "right true");
        assertSays(result, 0, "left 1");
        return result;
    }

    @Deep
    @Test
    void aSimulatedFailureBetweenOwnCallsOfMpiIsSurvived() {
        MpiFlavour.BINDINGS.require();
        MpiResult result = MpiJob.of(OwnCallsProgram.class, 4).on(MpiFlavour.BINDINGS).arguments("simulates").run()
                .requireSuccess();
        assertSays(result, 1, "failed");
        for (int rank : List.of(0, 2, 3)) {
            assertSays(result, rank, "right true");
            assertSays(result, rank, "left 3");
        }
    }

    @Test
    void aProgramWithForeignFunctionsOfItsOwnGivesAndGetsHandles() {
        exchangeHandles(MpiFlavour.OPEN_MPI);
    }

    /** Whose handles are numbers, not addresses. */
    @Deep
    @Test
    void aProgramWithForeignFunctionsOfItsOwnGivesAndGetsHandlesOfMpich() {
        exchangeHandles(MpiFlavour.MPICH);
    }

    private static void exchangeHandles(MpiFlavour flavour) {
        flavour.require();
        MpiResult result = MpiJob.of(EmbeddedHandleProgram.class, 3).on(flavour).run().requireSuccess();
        assertSays(result, 0, "failed");
        assertSays(result, 1, "survivors 2");
        assertSays(result, 2, "survivors 2");
        for (int rank = 0; rank < 3; rank++) {
            assertSays(result, rank, "finalised true");
        }
    }
}
