package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;

class UlfmKillIT {
    private static final int RANKS = 4;

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void survivorsNoticeAKillFromOutsideAndEndWell(int victim) {
        MpiFlavour.ULFM.require();
        try (MpiJob job = MpiJob.of(BarrierProgram.class, RANKS).on(MpiFlavour.ULFM).start()) {
            for (int rank = 0; rank < RANKS; rank++) {
                job.awaitOutput(rank, "working");
            }
            job.kill(victim);
            MpiResult result = job.await().requireSuccess();
            assertEquals(Set.of(victim), result.killedRanks());
            for (int rank = 0; rank < RANKS; rank++) {
                if (rank == victim) {
                    assertFalse(result.output(rank).contains("survived"), result::describe);
                } else {
                    assertTrue(result.output(rank).contains("survived without [" + victim + "]"), result::describe);
                }
            }
        }
    }
}
