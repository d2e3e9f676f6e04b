package org.restorej.bench.mpi;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.restorej.ReStore;
import org.restorej.block.BlockRange;
import org.restorej.comm.mpi.Mpi;
import org.restorej.placement.FailedRanks;

/**
 * What each rank runs to measure a job's first recovery as a whole: after its first submit the survivors make their
 * communicator, recover the store, and fetch what the last rank had, in equal parts. The last rank does nothing
 * meanwhile. Beside it the MPI calls alone, afterwards: a communicator of the survivors, and the same bytes by plain
 * messages.
 */
public final class RecoveryLife {
    private RecoveryLife() {}

    /** Measures. Arguments: the file for the times, and bytes of a rank. */
    public static void main(String[] args) {
        RankWorld.live(Path.of(args[0]), ranks -> times(ranks, Long.parseLong(args[1])));
    }

    private static Map<String, List<Double>> times(RankWorld ranks, long bytes) {
        StoreShape shape = new StoreShape(ranks.size(), bytes);
        ReStore store = shape.filledStore(ranks.communicator());
        BlockRange wanted = shape.partOfShare(ranks.failedRank(), ranks.size() - 1, ranks.rank());
        try (StorePull pull = new StorePull(shape, store, wanted)) {
            double recovery = millis(ranks, () -> {
                store.recover(ranks.survivors());
                pull.run();
            });
            if (!ranks.hasFailed()) {
                pull.check();
            }
            try (WireLimit wire = WireLimit.ofPull(ranks, shape, store, wanted,
                    FailedRanks.of(ranks.failedRank()))) {
                return Map.of("recovery", List.of(recovery), "recovery/wire", List.of(millis(ranks, () -> {
                    Mpi.without(ranks.communicator(), Set.of(ranks.failedRank())).close();
                    wire.run();
                })));
            }
        }
    }

    private static double millis(RankWorld ranks, Runnable ofSurvivors) {
        return ranks.millis(ranks.hasFailed() ? () -> {} : ofSurvivors);
    }
}
