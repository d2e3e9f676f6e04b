package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.restorej.comm.mpi.Mpi;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;

/** What the application throws again where it was repeated because of that, in processes that really fail. */
class RepeatedExceptionIT {
    private static final int RANKS = 4;

    private static long ranksWith(MpiResult result, String text) {
        return IntStream.range(0, RANKS).filter(rank -> result.output(rank).contains(text)).count();
    }

    @Test
    void aMistakeEndsOneRankAndThenStopsTheJobWithAnExitCodeOfItsOwn() {
        makeMistake("steps");
    }

    @Deep
    @Test
    void aMistakeOutsideOfALoopEndsOneRankAndThenStopsTheJob() {
        makeMistake("program");
    }

    private static void makeMistake(String where) {
        MpiFlavour.ULFM.require();
        MpiResult result = MpiJob.of(PoisonedProgram.class, RANKS).on(MpiFlavour.ULFM).arguments(where).run();
        assertEquals(Mpi.EXIT_CODE_EXCEPTION, result.exitCode(), result::describe);
        assertEquals(2, ranksWith(result, "NoSuchElementException: " + PoisonedPrograms.MISTAKE + System.lineSeparator()
                + "\tat "), result::describe);
        assertEquals(1,
                ranksWith(result, "the program ends on all ranks: org.restorej.comm.ApplicationFailedException"),
                result::describe);
        assertEquals(0, ranksWith(result, " left, "), result::describe);
    }
}
