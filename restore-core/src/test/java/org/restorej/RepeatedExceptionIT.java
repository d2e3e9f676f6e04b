package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.mpi.Mpi;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;

/** What the application throws again where it was repeated because of that, in processes that really fail. */
class RepeatedExceptionIT {
    private static final int RANKS = 4;

    private static MpiResult run(MpiFlavour flavour, String where, String what) {
        flavour.require();
        return MpiJob.of(PoisonedProgram.class, RANKS).on(flavour).arguments(where, what).run();
    }

    private static long ranksWith(MpiResult result, String text) {
        return IntStream.range(0, RANKS).filter(rank -> result.output(rank).contains(text)).count();
    }

    @Test
    void aMistakeEndsOneRankAndThenStopsTheJobWithAnExitCodeOfItsOwn() {
        makeMistake("steps");
    }

    @Deep
    @ParameterizedTest
    @ValueSource(strings = {"checkpoints", "program"})
    void aMistakeElsewhereEndsOneRankAndThenStopsTheJob(String where) {
        makeMistake(where);
    }

    private static void makeMistake(String where) {
        MpiResult result = run(MpiFlavour.ULFM, where, "exception");
        assertEquals(Mpi.EXIT_CODE_EXCEPTION, result.exitCode(), result::describe);
        assertEquals(2, ranksWith(result, "NoSuchElementException: " + PoisonedPrograms.MISTAKE + System.lineSeparator()
                + "\tat "), result::describe);
        assertEquals(1,
                ranksWith(result, "the program ends on all ranks: org.restorej.comm.ApplicationFailedException"),
                result::describe);
        assertEquals(0, ranksWith(result, " left, "), result::describe);
    }

    /** The last rank is killed in the same place again and again, until two are left. */
    @Deep
    @ParameterizedTest
    @ValueSource(strings = {"checkpoints", "steps", "program"})
    void ranksThatAreKilledInTheSamePlaceDontStopTheJob(String where) {
        MpiResult result = run(MpiFlavour.ULFM, where, "kill").requireSuccess();
        assertEquals(2, ranksWith(result, "2 left, begun " + (where.equals("program") ? 3 : 1)), result::describe);
        for (int rank = 2; rank < RANKS; rank++) {
            assertEquals("", result.output(rank).lines().filter(line -> line.contains("left")).findAny().orElse(""),
                    result::describe);
        }
    }

    /** Every day ranks end in all ways in a loop (UlfmKillStormIT), and outside of one (RankEndIT). */
    @Deep
    @Test
    void othersGoOnInTheirLoopWithoutARankThatThrowsOutsideOfIt() {
        MpiResult result = run(MpiFlavour.ULFM, "between", "exception").requireSuccess();
        assertEquals(RANKS - 1, ranksWith(result, (RANKS - 1) + " left, begun 1"), result::describe);
        assertTrue(result.output(1).contains("rank 1: exception in thread \"main\" java.util.NoSuchElementException: "
                + PoisonedPrograms.MISTAKE), result::describe);
    }
}
