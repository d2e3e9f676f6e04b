package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.block.BlockRange;

/** Submits a share of the data set, or a tenth of it as what has changed, from off-heap memory. */
final class StoreSubmit implements Exchange {
    private static final int CHANGED_PART = 10;

    private final Arena arena = Arena.ofShared();
    private final StoreShape shape;
    private final ReStore store;
    private final BlockRange mine;
    private final boolean ofChanges;
    private final MemorySegment source;

    private StoreSubmit(StoreShape shape, ReStore store, BlockRange mine, boolean ofChanges) {
        this.shape = shape;
        this.store = store;
        this.mine = mine;
        this.ofChanges = ofChanges;
        source = arena.allocate(bytes(), 64);
        shape.fill(source, mine);
    }

    /**
     * A submit of everything; nothing happens yet.
     *
     * @param store closed with this
     * @param mine what this PE submits
     */
    static StoreSubmit of(StoreShape shape, ReStore store, BlockRange mine) {
        return new StoreSubmit(shape, store, mine, false);
    }

    /** The same of a tenth of a share, to a store that has the data set. */
    static StoreSubmit ofChanges(StoreShape shape, ReStore store, BlockRange share) {
        return new StoreSubmit(shape, store,
                BlockRange.of(share.first(), Math.max(1, share.count() / CHANGED_PART)), true);
    }

    @Override
    public long bytes() {
        return shape.bytesOf(mine);
    }

    @Override
    public void clear() {
        source.fill((byte) 0xEE);
        run();
        shape.fill(source, mine);
    }

    @Override
    public void run() {
        if (ofChanges) {
            store.submitChanges(new Submission().add(mine, source));
        } else {
            store.submit(mine, source);
        }
    }

    /** Each PE reads the share of another than the one it has submitted: what has changed, and what has not. */
    @Override
    public void check() {
        shape.requirePulled(store, shape.share(store.rank().value() + 2), "after submit");
    }

    @Override
    public void close() {
        store.close();
        arena.close();
    }
}
