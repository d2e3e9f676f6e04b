package org.restorej.bench.mpi;

import org.openjdk.jmh.annotations.Param;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.bench.mpi.rival.PeerBytes;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.placement.FailedRanks;

/** Reads of a store in which everybody is alive. */
public class PullBenchmark extends StoreBenchmark {
    /** Who wants what: a {@link PullPattern}. */
    @Param({"SHARE", "PERCENT", "ALL", "ONE_TO_ONE"})
    String pattern = "SHARE";

    /** The store or the raw MPI baseline. */
    @Param({"restore", "wire"})
    String method = "restore";

    @Override
    Exchange open(RankWorld ranks) {
        StoreShape shape = shape(ranks);
        PullPattern who = PullPattern.valueOf(pattern);
        BlockRange wanted = who.request(shape, ranks.rank());
        return switch (method) {
            case "restore" -> new StorePull(shape, shape.filledStore(ranks.communicator()),
                    rank -> BlockRanges.of(who.request(shape, rank.value())));
            case "wire" -> wire(ranks, shape,
                    traffic -> PeerBytes.outOfReplicas(ranks.plain().communicator(),
                            traffic.receivedByPull(wanted, ranks.rank(), FailedRanks.NONE)),
                    shape.bytesOf(wanted).bytes());
            default -> throw unknown(method);
        };
    }
}
