package org.restorej.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.comm.mpi.Mpi;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;

/** Programs that {@link Mpi#run} starts and ends. */
class OpenMpiRunIT {
    private static final int RANKS = 4;

    private static MpiResult run(MpiFlavour flavour, String... arguments) {
        flavour.require();
        return MpiJob.of(RunProgram.class, RANKS).on(flavour).arguments(arguments).run();
    }

    private static void assertSurvived(MpiResult result, int begun, int size) {
        for (int rank = 0; rank < RANKS; rank++) {
            String expected = "sum true begun " + begun + " of " + size;
            assertEquals(rank != 1, result.output(rank).contains(expected),
                    () -> expected + ": " + result.describe());
        }
    }

    @Test
    void aFailureBeforeTheFirstGenerationBeginsTheProgramAgain() {
        assertSurvived(run(MpiFlavour.ULFM, "die", "counted").requireSuccess(), 2, RANKS - 1);
    }

    @Deep
    @ParameterizedTest
    @CsvSource({"OPEN_MPI, begin", "OPEN_MPI, counted", "ULFM, begin"})
    void aFailureAnywhereBeforeTheLoopBeginsTheProgramAgain(MpiFlavour flavour, String place) {
        assertSurvived(run(flavour, "die", place).requireSuccess(), 2, RANKS - 1);
    }

    @Deep
    @Test
    void whoIsAboutToGoOnBeginsAgainWithOneFromWhomTheFailureHasEscaped() {
        leaveWhileOthersShrink(MpiFlavour.OPEN_MPI);
    }

    /** Open MPI 5.0.7 has crashed in one of some 20 such jobs, in MPIX_Comm_shrink. */
    @Deep
    @Test
    void whoIsAboutToGoOnBeginsAgainWithOneFromWhomTheFailureOfAProcessHasEscaped() {
        leaveWhileOthersShrink(MpiFlavour.ULFM);
    }

    private static void leaveWhileOthersShrink(MpiFlavour flavour) {
        MpiResult result = run(flavour, "leave", "between").requireSuccess();
        assertSurvived(result, 2, RANKS - 1);
        for (int rank = 2; rank < RANKS; rank++) {
            assertTrue(result.output(rank).contains("met a failure has escaped from the program of another PE"),
                    result::describe);
        }
    }

    @Deep
    @Test
    void aLossThatAllKnowOfEndsTheJobWithItsMessageAndExitCode() {
        loseBlocks(MpiFlavour.OPEN_MPI);
    }

    @Deep
    @Test
    void aLossThatAllProcessesKnowOfEndsTheJobWithItsMessageAndExitCode() {
        loseBlocks(MpiFlavour.ULFM);
    }

    private static void loseBlocks(MpiFlavour flavour) {
        MpiResult result = run(flavour, "loss", "nowhere");
        assertEquals(Mpi.EXIT_CODE_LOSS, result.exitCode(), result::describe);
        assertTrue(result.output(0).contains("IrrecoverableDataLossException: no PE holds blocks"), result::describe);
        assertFalse(result.output(1).contains("IrrecoverableDataLossException: "), result::describe);
    }

    @Test
    void theProgramSaysTheExitCode() {
        MpiResult result = run(MpiFlavour.ULFM, "code");
        assertEquals(RunProgram.EXIT_CODE, result.exitCode(), result::describe);
    }
}
