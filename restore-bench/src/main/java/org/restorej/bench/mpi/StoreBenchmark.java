package org.restorej.bench.mpi;

import java.nio.file.Path;
import java.util.function.Function;
import org.openjdk.jmh.annotations.Param;
import org.restorej.ReStore;
import org.restorej.bench.mpi.rival.AllToAllV;
import org.restorej.bench.mpi.rival.DataFiles;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.bench.mpi.rival.FilePerRank;
import org.restorej.bench.mpi.rival.PeerBytes;
import org.restorej.bench.mpi.rival.SharedFile;
import org.restorej.bench.mpi.rival.WireLimit;

/** An operation of a store and its rivals, for a data set given by parameters. */
public abstract class StoreBenchmark extends CollectiveBenchmark {
    /** The method by which a store without checksums is measured: what they cost. */
    static final String NO_CHECKSUMS = "no-checksums";

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
    static Exchange plain(RankWorld ranks, StoreShape shape, String method, Function<BlockTraffic, PeerBytes> traffic,
            long operationBytes) {
        PeerBytes peerBytes;
        try (ReStore store = shape.store(ranks.communicator())) {
            peerBytes = traffic.apply(new BlockTraffic(store));
        }
        return switch (method) {
            case "wire" ->
                new WireLimit(ranks.plain().communicator(), peerBytes, shape.bytesPerPe(), operationBytes);
            case "alltoallv" ->
                new AllToAllV(ranks.plain(), peerBytes, shape.bytesPerPe(), operationBytes);
            default -> throw unknown(method);
        };
    }

    /** Files for the data set. */
    static DataFiles files(RankWorld ranks, StoreShape shape, String method) {
        Path directory = ranks.directory();
        return switch (method) {
            case "files" -> new FilePerRank(directory, shape.shares());
            case "mpi-io" -> new SharedFile(ranks.plain(), directory.resolve("checkpoint.all"), ranks.rank() == 0);
            default -> throw unknown(method);
        };
    }

    static IllegalArgumentException unknown(String method) {
        return new IllegalArgumentException("no such method here: method=" + method);
    }
}
