package org.restorej.bench.mpi;

import org.jspecify.annotations.Nullable;
import org.restorej.ReStore;
import org.restorej.bench.bytes.WrongBytesException;
import org.restorej.comm.Reduction;

/**
 * Survivors of a failure re-replicate what the last rank held. Since that can be done once, each run has a store of its
 * own. The last rank is alive, since MPI ends with a failed one, and takes no part but in the barriers.
 */
final class StoreReplenish implements Exchange {
    private final StoreShape shape;
    private final RankWorld ranks;
    private @Nullable ReStore store;
    private long received;

    StoreReplenish(StoreShape shape, RankWorld ranks) {
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
        close();
    }

    @Override
    public void prepare() {
        close();
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
        long receivedByAll = ranks.communicator().allReduce(received, Reduction.SUM);
        if (ranks.hasFailed() || store == null) {
            return;
        }
        if (receivedByAll == 0) {
            throw new WrongBytesException("the survivors have re-replicated nothing");
        }
        shape.requirePulled(store, shape.partOfShare(ranks.failedRank(), ranks.size() - 1, ranks.rank()),
                "after replenish");
    }

    @Override
    public void close() {
        if (store != null) {
            store.close();
            store = null;
        }
    }
}
