package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;

class LeftOutIT {
    private static void assertSays(MpiResult result, int rank, String line) {
        assertTrue(result.output(rank).contains(line), () -> line + " of rank " + rank + ": " + result.describe());
    }

    @Test
    void thoseWhoStayGoOnWithoutOneWhoIsAliveAndMeetsThemAgain() {
        MpiFlavour.OPEN_MPI.require();
        MpiResult result = MpiJob.of(LeftOutProgram.class, 4).run().requireSuccess();
        assertSays(result, 0, "stays as 0 of 3, absent [1]");
        assertSays(result, 0, "failed there");
        for (int rank : List.of(2, 3)) {
            assertSays(result, rank, "stays as " + (rank - 1) + " of 3, absent [1]");
            assertSays(result, rank, "then 2 of 2");
        }
        for (int rank = 0; rank < 4; rank++) {
            assertSays(result, rank, "again 4 of all");
        }
    }

    @Test
    void isRefusedWhereProcessesCanReallyFail() {
        MpiFlavour.ULFM.require();
        MpiResult result = MpiJob.of(LeftOutProgram.class, 3).on(MpiFlavour.ULFM).run().requireSuccess();
        for (int rank : List.of(0, 2)) {
            assertSays(result, rank, "refused: only where failures are simulated can PEs be left out");
        }
        assertSays(result, 1, "again 3 of all");
    }
}
