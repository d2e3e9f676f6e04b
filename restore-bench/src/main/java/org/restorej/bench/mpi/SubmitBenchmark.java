package org.restorej.bench.mpi;

import org.openjdk.jmh.annotations.Param;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.bench.mpi.rival.PeerBytes;
import org.restorej.block.BlockRange;

/**
 * Every PE submits the ids of another: {@code K} times its bytes go over the wire. With {@code changes} it submits a
 * tenth of them, as what has changed.
 */
public class SubmitBenchmark extends StoreBenchmark {
    /** The store or the raw MPI baseline. */
    @Param({"restore", "changes", "wire"})
    String method = "restore";

    @Override
    Exchange open(RankWorld ranks) {
        StoreShape shape = shape(ranks);
        BlockRange mine = shape.share(ranks.rank() + 1);
        return switch (method) {
            case "restore" -> new StoreSubmit(shape, shape.store(ranks.communicator()), mine);
            case "changes" -> new StoreChanges(shape, shape.filledStore(ranks.communicator()), mine);
            case "wire" -> wire(ranks, shape,
                    traffic -> PeerBytes.intoReplicas(ranks.plain().communicator(), traffic.sentBySubmit(mine)),
                    shape.bytesOf(mine).bytes());
            default -> throw unknown(method);
        };
    }
}
