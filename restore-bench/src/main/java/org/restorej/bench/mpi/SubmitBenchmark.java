package org.restorej.bench.mpi;

import org.openjdk.jmh.annotations.Param;
import org.restorej.ReStore;
import org.restorej.block.BlockRange;

/** Every PE submits the ids of another: {@code K} times its bytes go over the wire. */
public class SubmitBenchmark extends StoreBenchmark {
    /** The store or the raw MPI baseline. */
    @Param({"restore", "wire"})
    String method = "restore";

    @Override
    Exchange open(RankWorld ranks) {
        StoreShape shape = shape(ranks);
        BlockRange mine = shape.share(ranks.rank() + 1);
        ReStore store = shape.store(ranks.communicator());
        if (isOurs(method)) {
            return StoreSubmit.of(shape, store, mine);
        }
        try (store) {
            return WireLimit.ofSubmit(ranks, shape, store, mine);
        }
    }
}
