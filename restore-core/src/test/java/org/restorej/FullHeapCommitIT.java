package org.restorej;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;

class FullHeapCommitIT {
    private static final int RANKS = 3;

    @Test
    void aRankWhoseHeapIsFullWhenAllHaveAgreedCommitsAsTheOthersDo() {
        run(MpiFlavour.OPEN_MPI);
    }

    @Deep
    @Test
    void soItDoesUnderUlfm() {
        run(MpiFlavour.ULFM);
    }

    private static void run(MpiFlavour flavour) {
        flavour.require();
        MpiResult result = MpiJob.of(FullHeapCommitProgram.class, RANKS).on(flavour).vmOption("-Xmx32m")
                .timeout(Duration.ofMinutes(3)).run().requireSuccess();
        for (int rank = 0; rank < RANKS; rank++) {
            assertTrue(result.output(rank).contains(FullHeapCommitProgram.END), result::describe);
        }
    }
}
