package org.restorej.bench.mpi;

import org.openjdk.jmh.annotations.Param;
import org.restorej.ReStore;
import org.restorej.block.BlockRange;
import org.restorej.placement.FailedRanks;

/** Reads of a store in which everybody is alive. */
public class PullBenchmark extends StoreBenchmark {
    /**
     * The blocks that PEs pull: {@code SHARE}: all together the share of one, as after a failure; {@code ALL}: each that of
     * another.
     */
    @Param({"SHARE", "ALL"})
    String pattern = "SHARE";

    /** The store or the raw MPI baseline. */
    @Param({"restore", "wire"})
    String method = "restore";

    @Override
    Exchange open(RankWorld ranks) {
        StoreShape shape = shape(ranks);
        BlockRange wanted = switch (pattern) {
            case "SHARE" -> shape.partOfShare(0, ranks.size(), ranks.rank());
            case "ALL" -> shape.share(ranks.rank() + 1);
            default -> throw new IllegalArgumentException("no such pattern: pattern=" + pattern);
        };
        if (isOurs(method)) {
            return new StorePull(shape, shape.filledStore(ranks.communicator()), wanted);
        }
        try (ReStore store = shape.store(ranks.communicator())) {
            return WireLimit.ofPull(ranks, shape, store, wanted, FailedRanks.NONE);
        }
    }
}
