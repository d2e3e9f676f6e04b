package org.restorej.bench.mpi;

import org.openjdk.jmh.annotations.Param;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.bench.mpi.rival.FileExchange;
import org.restorej.bench.mpi.rival.PeerBytes;
import org.restorej.block.BlockRange;

/**
 * Every PE submits the ids of another: {@code K} times its bytes go over the wire. With {@code restore-async} the
 * submit is waited for at once; it takes a thread of its own only where MPI allows that. With {@code restore-huge} the
 * application has its blocks on huge pages. Files are written once, not {@code K} times, as a file system that is
 * replicated itself would have it.
 */
public class SubmitBenchmark extends StoreBenchmark {
    /** The store or a rival. */
    @Param({"restore", "restore-async", "restore-huge", NO_CHECKSUMS, "wire", "alltoallv", "files", "mpi-io"})
    String method = "restore";

    @Override
    Exchange open(RankWorld ranks) {
        StoreShape shape = shape(ranks);
        BlockRange mine = shape.share(ranks.rank() + 1);
        return switch (method) {
            case "restore" -> submit(ranks, shape, mine, StoreSubmit.Way.PLAIN);
            case "restore-async" -> submit(ranks, shape, mine, StoreSubmit.Way.ASYNCHRONOUS);
            case "restore-huge" -> submit(ranks, shape, mine, StoreSubmit.Way.FROM_HUGE_PAGES);
            case NO_CHECKSUMS -> submit(ranks, shape.withoutChecksums(), mine, StoreSubmit.Way.PLAIN);
            case "files", "mpi-io" -> FileExchange.writing(files(ranks, shape, method), shape.bytesOf(mine));
            default -> plain(ranks, shape, method,
                    traffic -> PeerBytes.intoReplicas(ranks.plain().communicator(), traffic.sentBySubmit(mine)),
                    shape.bytesOf(mine).bytes());
        };
    }

    private static Exchange submit(RankWorld ranks, StoreShape shape, BlockRange mine, StoreSubmit.Way way) {
        return new StoreSubmit(shape, shape.store(ranks.communicator()), mine, way);
    }
}
