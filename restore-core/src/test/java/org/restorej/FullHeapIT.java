package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;

@Deep
class FullHeapIT {
    private static final int RANKS = 4;

    private static MpiResult run(MpiFlavour flavour) {
        flavour.require();
        return MpiJob.of(FullHeapProgram.class, RANKS).on(flavour).vmOption("-Xmx48m").timeout(Duration.ofMinutes(7))
                .run();
    }

    @Test
    void aRankWithoutMemoryEndsTheJobWhereNothingCanWakeTheOthers() {
        MpiResult result = run(MpiFlavour.OPEN_MPI);
        assertEquals(1, result.exitCode(), result::describe);
        assertEquals(2, result.output(1).split("rank 1: exception in thread", -1).length, result::describe);
    }

    @Test
    void aRankWithoutMemoryInACollectiveCallLeavesNobodyWaiting() {
        MpiResult result = run(MpiFlavour.ULFM).requireSuccess();
        for (String call : List.of("pull into a consumer", "pull into an arena", "pull", "submit",
                "submitChanges", "scrub", "replenish", "stage", "commitTogether", "broadcast", "allGather", "gather",
                "allToAll", "allReduce", "split", "duplicate")) {
            assertTrue(result.output(1).contains(FullHeapProgram.WITHOUT_MEMORY + call + '\n'),
                    () -> call + " with a full heap: " + result.describe());
        }
        for (int rank = 0; rank < RANKS; rank++) {
            assertTrue(result.output(rank).contains(FullHeapProgram.END), result::describe);
        }
    }
}
