package org.restorej.bench.mpi;

import org.openjdk.jmh.annotations.Param;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.bench.mpi.rival.FileExchange;
import org.restorej.bench.mpi.rival.PeerBytes;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.placement.FailedRanks;

/** Reads of a store in which everybody is alive, by {@code pull} (method {@code restore}) or by {@code push}. */
public class PullBenchmark extends StoreBenchmark {
    /** Who wants what: a {@link PullPattern}. */
    @Param({"SHARE", "PERCENT", "ALL", "ONE_TO_ONE"})
    String pattern = "SHARE";

    /** The store or a rival. */
    @Param({"restore", "push", NO_CHECKSUMS, "wire", "alltoallv", "files", "mpi-io"})
    String method = "restore";

    @Override
    Exchange open(RankWorld ranks) {
        StoreShape shape = shape(ranks);
        PullPattern who = PullPattern.valueOf(pattern);
        BlockRange wanted = who.request(shape, ranks.rank());
        return switch (method) {
            case "restore", "push", NO_CHECKSUMS -> {
                StoreShape stored = method.equals(NO_CHECKSUMS) ? shape.withoutChecksums() : shape;
                yield new StorePull(stored, stored.filledStore(ranks.communicator()),
                        rank -> BlockRanges.of(who.request(shape, rank.value())), method.equals("push"));
            }
            case "files", "mpi-io" -> FileExchange.reading(files(ranks, shape, method),
                    shape.bytesOf(shape.share(ranks.rank())), shape.bytesOf(wanted));
            default -> plain(ranks, shape, method,
                    traffic -> PeerBytes.outOfReplicas(ranks.plain().communicator(),
                            traffic.receivedByPull(wanted, ranks.rank(), FailedRanks.NONE)),
                    shape.bytesOf(wanted).bytes());
        };
    }
}
