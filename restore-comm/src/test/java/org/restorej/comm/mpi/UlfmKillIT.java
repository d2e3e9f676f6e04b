package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;

class UlfmKillIT {
    private static final int RANKS = 4;

    @Test
    void survivorsNoticeAKillOfRankZeroFromOutsideAndSayOnceWhyTheyEnd() {
        kill(0);
    }

    @Deep
    @Test
    void survivorsNoticeAKillOfAnotherRankFromOutsideAndSayOnceWhyTheyEnd() {
        kill(2);
    }

    private static void kill(int victim) {
        MpiFlavour.ULFM.require();
        try (MpiJob job = MpiJob.of(BarrierProgram.class, RANKS).on(MpiFlavour.ULFM).start()) {
            for (int rank = 0; rank < RANKS; rank++) {
                job.awaitOutput(rank, "working");
            }
            job.kill(victim);
            MpiResult result = job.await();
            assertEquals(Mpi.EXIT_CODE_EXCEPTION, result.exitCode(), result::describe);
            assertEquals(Set.of(victim), result.killedRanks());
            for (int rank = 0; rank < RANKS; rank++) {
                if (rank == victim) {
                    assertFalse(result.output(rank).contains("survived"), result::describe);
                } else {
                    assertTrue(result.output(rank).contains("survived without [" + victim + "]"), result::describe);
                }
            }
            assertEquals(1, IntStream.range(0, RANKS).filter(rank -> result.output(rank)
                    .contains("the program ends on all ranks: ")).count(), result::describe);
        }
    }
}
