package org.restorej.bench.mpi;

import java.util.function.Function;
import org.openjdk.jmh.annotations.Param;
import org.restorej.ReStore;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.bench.mpi.rival.PeerBytes;
import org.restorej.bench.mpi.rival.WireLimit;

/** An operation of a store and its rivals, for a data set given by parameters. */
public abstract class StoreBenchmark extends CollectiveBenchmark {
    /** Bytes that each PE submits. */
    @Param("16777216")
    long bytes;

    /** Size of a block. */
    @Param("64")
    long blockBytes;

    /** Replication level K; with fewer PEs, as many. */
    @Param("4")
    int replication;

    /** Size of a permutation range; 0: ids are not permuted. */
    @Param("262144")
    long permutationRangeBytes;

    /** What the parameters say. */
    StoreShape shape(RankWorld ranks) {
        return new StoreShape(ranks.size(), bytes, blockBytes, replication, permutationRangeBytes);
    }

    /**
     * The bytes of an operation between the ranks of it, by plain MPI; what they are tells a store that is not used.
     */
    static Exchange wire(RankWorld ranks, StoreShape shape, Function<BlockTraffic, PeerBytes> traffic,
            long operationBytes) {
        PeerBytes peerBytes;
        try (ReStore store = shape.store(ranks.communicator())) {
            peerBytes = traffic.apply(new BlockTraffic(store));
        }
        return new WireLimit(ranks.plain().communicator(), peerBytes, shape.bytesPerPe(), operationBytes);
    }

    static IllegalArgumentException unknown(String method) {
        return new IllegalArgumentException("no such method here: method=" + method);
    }
}
