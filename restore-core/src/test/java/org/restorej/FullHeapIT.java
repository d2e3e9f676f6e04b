package org.restorej;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;

@Deep
class FullHeapIT {
    private static final int RANKS = 4;

    @TestFactory
    Stream<DynamicTest> aRankWithoutMemoryInACollectiveCallLeavesNobodyWaiting() {
        return List.of(MpiFlavour.OPEN_MPI, MpiFlavour.ULFM).stream()
                .map(flavour -> DynamicTest.dynamicTest(flavour.displayName(), () -> run(flavour)));
    }

    private static void run(MpiFlavour flavour) {
        flavour.require();
        MpiResult result = MpiJob.of(FullHeapProgram.class, RANKS).on(flavour).vmOption("-Xmx48m")
                .timeout(Duration.ofMinutes(7)).run()
                .requireSuccess();
        for (String call : List.of("pull into a consumer", "pull into an arena", "pull", "push", "submit",
                "submitChanges", "scrub", "replenish", "stage", "broadcast", "allGather", "gather", "allToAll",
                "allReduce", "split", "duplicate")) {
            assertTrue(result.output(1).contains(FullHeapProgram.WITHOUT_MEMORY + call + '\n'),
                    () -> call + " with a full heap: " + result.describe());
        }
        for (int rank = 0; rank < RANKS; rank++) {
            assertTrue(result.output(rank).contains(FullHeapProgram.END), result::describe);
        }
    }
}
