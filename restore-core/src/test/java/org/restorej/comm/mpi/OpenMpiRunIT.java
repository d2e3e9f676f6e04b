package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Depth;

/** Programs that {@link Mpi#run} starts and ends. */
class OpenMpiRunIT {
    private static final String KILLS_SEED = "restorej.kills.seed";
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

    /** Where a program dies on what. */
    record Place(MpiFlavour flavour, String name) {}

    static List<Place> deathsBeforeTheFirstGeneration() {
        return Depth.some(MpiFlavour.BASIC.stream().flatMap(flavour -> Stream.of("begin", "counted", "built")
                .map(name -> new Place(flavour, name))).toList(), 1, KILLS_SEED);
    }

    @ParameterizedTest
    @MethodSource("deathsBeforeTheFirstGeneration")
    void aDeathBeforeTheFirstGenerationBeginsTheProgramAgain(Place place) {
        assertSurvived(run(place.flavour(), "die", place.name()).requireSuccess(), 2, RANKS - 1);
    }

    /** Either of the two, by turns. */
    static List<MpiFlavour> oneFlavour() {
        return Depth.some(MpiFlavour.BASIC, 1, KILLS_SEED);
    }

    /** The one that {@link #oneFlavour} leaves out. */
    static List<MpiFlavour> theOtherFlavour() {
        return Depth.some(MpiFlavour.BASIC.reversed(), 1, KILLS_SEED);
    }

    @ParameterizedTest
    @MethodSource("theOtherFlavour")
    void aDeathInALoopIsTheLoops(MpiFlavour flavour) {
        assertSurvived(run(flavour, "die", "step").requireSuccess(), 1, RANKS);
    }

    /** Under ULFM Open MPI 5.0.7 has crashed in one of some 20 such jobs, in MPIX_Comm_shrink. */
    static List<MpiFlavour> whereSomeLeaveWhileOthersShrink() {
        if (Depth.isDeep()) {
            return MpiFlavour.BASIC;
        }
        Depth.leaveOut("programs that some ranks leave while others shrink, under ULFM");
        return List.of(MpiFlavour.OPEN_MPI);
    }

    @ParameterizedTest
    @MethodSource("whereSomeLeaveWhileOthersShrink")
    void whoIsAboutToGoOnBeginsAgainWithOneFromWhomTheFailureHasEscaped(MpiFlavour flavour) {
        MpiResult result = run(flavour, "leave", "between").requireSuccess();
        assertSurvived(result, 2, RANKS - 1);
        for (int rank = 2; rank < RANKS; rank++) {
            assertTrue(result.output(rank).contains("met a failure has escaped from the program of another PE"),
                    result::describe);
        }
    }

    /** How and where a rank ends, and after how many beginnings how many PEs have the result. */
    record End(String what, String place, int begun, int size) {}

    static List<End> ends() {
        return Depth.some(
                List.of(new End("throw", "counted", 2, 3), new End("exit", "built", 2, 3),
                        new End("throw", "step", 1, 4)),
                1, KILLS_SEED);
    }

    @ParameterizedTest
    @MethodSource("ends")
    void othersGoOnWithoutARankThatEndsByItself(End end) {
        MpiResult result = run(MpiFlavour.ULFM, end.what(), end.place()).requireSuccess();
        assertSurvived(result, end.begun(), end.size());
        assertEquals(end.what().equals("throw"), result.output(1).contains(
                "rank 1: exception in thread \"main\" java.lang.IllegalStateException: " + RunProgram.MISTAKE),
                result::describe);
    }

    @Test
    void withoutFaultToleranceAnExceptionEndsTheJobWithExitCode1() {
        MpiResult result = run(MpiFlavour.OPEN_MPI, "throw", "counted");
        assertEquals(1, result.exitCode(), result::describe);
        assertTrue(result.output(1).contains(
                "rank 1: exception in thread \"main\" java.lang.IllegalStateException: " + RunProgram.MISTAKE),
                result::describe);
    }

    @ParameterizedTest
    @MethodSource("oneFlavour")
    void aLossThatAllKnowOfEndsTheJobWithItsMessageAndExitCode(MpiFlavour flavour) {
        MpiResult result = run(flavour, "loss", "nowhere");
        assertEquals(Mpi.EXIT_CODE_LOSS, result.exitCode(), result::describe);
        assertTrue(result.output(0).contains("IrrecoverableDataLossException: no PE holds blocks"), result::describe);
        assertFalse(result.output(1).contains("IrrecoverableDataLossException: "), result::describe);
    }

    @ParameterizedTest
    @MethodSource("oneFlavour")
    void theProgramSaysTheExitCode(MpiFlavour flavour) {
        MpiResult result = run(flavour, "code");
        assertEquals(RunProgram.EXIT_CODE, result.exitCode(), result::describe);
    }
}
