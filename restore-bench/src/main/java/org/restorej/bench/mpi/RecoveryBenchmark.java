package org.restorej.bench.mpi;

import java.util.function.Function;
import org.openjdk.jmh.annotations.Param;
import org.restorej.ReStore;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.bench.mpi.rival.PeerBytes;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.StoreRank;

/**
 * What the survivors do after the last rank has left: they pull its share, or make the lost replicas anew. That rank is
 * alive, since MPI ends with a failed one, and takes no part but in the barriers. Needs two PEs at least.
 */
public class RecoveryBenchmark extends StoreBenchmark {
    /** What they do. */
    @Param({"pull", "replenish"})
    String operation = "pull";

    /** The store, or for a pull the raw MPI baseline. */
    @Param({"restore", "wire"})
    String method = "restore";

    @Override
    Exchange open(RankWorld ranks) {
        StoreShape shape = shape(ranks);
        if (method.equals("restore")) {
            return operation.equals("replenish") ? new SurvivorReplenish(shape, ranks) : pull(ranks, shape);
        }
        FailedRanks failed = FailedRanks.of(ranks.failedRank());
        return wire(ranks, shape, traffic -> PeerBytes.outOfReplicas(ranks.plain().communicator(),
                operation.equals("replenish")
                        ? evenly(shape, ranks)
                        : traffic.receivedByPull(request(shape, ranks, ranks.rank()), ranks.rank(), failed)),
                shape.bytesPerPe());
    }

    static BlockRange request(StoreShape shape, RankWorld ranks, int rank) {
        BlockRange lost = shape.share(ranks.failedRank());
        return part(lost.first(), lost.end(), ranks, rank);
    }

    /** One of as many parts as there are survivors; none for the rank that counts as failed. */
    static BlockRange part(long first, long end, RankWorld ranks, int rank) {
        return rank == ranks.failedRank()
                ? BlockRange.of(first, 0)
                : PullPattern.part(first, end, ranks.size() - 1, rank);
    }

    /** What was lost, in equal messages between all pairs of survivors: about what the ring makes of it. */
    private static long[] evenly(StoreShape shape, RankWorld ranks) {
        long[] received = new long[ranks.size()];
        int survivors = ranks.size() - 1;
        if (ranks.hasFailed() || survivors < 2) {
            return received;
        }
        long each = shape.replicaBytes() / survivors / (survivors - 1)
                / Long.BYTES * Long.BYTES;
        for (int peer = 0; peer < survivors; peer++) {
            received[peer] = peer == ranks.rank() ? 0 : each;
        }
        return received;
    }

    private static Exchange pull(RankWorld ranks, StoreShape shape) {
        ReStore store = shape.filledStore(ranks.communicator());
        Function<StoreRank, BlockRanges> requests = rank -> BlockRanges.of(request(shape, ranks, rank.value()));
        StorePull pull = new StorePull(shape, store, requests);
        if (ranks.hasFailed()) {
            return new Bystander(pull);
        }
        store.recover(ranks.survivors());
        return pull;
    }

    /** The rank that counts as failed: the survivors do without it. */
    private static final class Bystander extends NoTraffic {
        private final StorePull pull;

        Bystander(StorePull pull) {
            this.pull = pull;
        }

        @Override
        public void close() {
            pull.close();
        }
    }
}
