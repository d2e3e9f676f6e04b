package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.restorej.ReStore;
import org.restorej.bench.bytes.KnownBytes;
import org.restorej.bench.bytes.WrongBytesException;
import org.restorej.bench.mpi.rival.DataRange;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Reduction;

/** Survivors of a failure make the lost replicas anew. Since that can be done once, each run has a store of its own. */
final class SurvivorReplenish implements Exchange {
    private final StoreShape shape;
    private final RankWorld ranks;
    private @Nullable ReStore store;
    private long received;

    SurvivorReplenish(StoreShape shape, RankWorld ranks) {
        this.shape = shape;
        this.ranks = ranks;
    }

    /** All replicas of the failed PE, shared by the survivors; all but a few bytes of rounding. */
    @Override
    public long bytes() {
        return ranks.hasFailed() ? shape.replicaBytes() : 0;
    }

    @Override
    public void clear() {
        closeStore();
    }

    @Override
    public void prepare() {
        closeStore();
        ReStore fresh = shape.filledStore(ranks.communicator());
        if (!ranks.hasFailed()) {
            fresh.recover(ranks.survivors());
        }
        store = fresh;
    }

    @Override
    public void run() {
        if (!ranks.hasFailed() && store != null) {
            received = store.replenish();
        }
    }

    @Override
    public void check() {
        // One survivor may have been given nothing: of few permutation ranges there is not one for everybody.
        long[] receivedByAll = {received};
        ranks.communicator().allReduce(receivedByAll, Reduction.SUM);
        if (ranks.hasFailed() || store == null) {
            return;
        }
        if (shape.replication() < ranks.size() && receivedByAll[0] == 0) {
            throw new WrongBytesException("rank " + ranks.rank() + " and the others have replenished nothing");
        }
        int survivors = ranks.size() - 1;
        BlockRange lost = shape.share(ranks.failedRank());
        BlockRange mine = PullPattern.part(lost.first(), lost.end(), survivors, ranks.rank());
        DataRange range = shape.bytesOf(mine);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment found = arena.allocate(range.bytes(), 64);
            store.pull(BlockRanges.of(mine), found);
            KnownBytes.require(found, 0, range.offset(), "blocks " + mine + " after replenish");
        }
    }

    private void closeStore() {
        if (store != null) {
            store.close();
            store = null;
        }
    }

    @Override
    public void close() {
        closeStore();
    }
}
