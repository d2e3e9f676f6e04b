package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.restorej.PendingOperation;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.bench.bytes.KnownBytes;
import org.restorej.bench.mpi.rival.DataRange;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;

/** Submits a share of the data set from off-heap memory. */
final class StoreSubmit implements Exchange {
    private final Arena arena = Arena.ofShared();
    private final StoreShape shape;
    private final ReStore store;
    private final BlockRange mine;
    private final MemorySegment source;

    /**
     * A submit; nothing happens yet.
     *
     * @param store closed with this
     * @param mine what this PE submits
     */
    StoreSubmit(StoreShape shape, ReStore store, BlockRange mine) {
        this.shape = shape;
        this.store = store;
        this.mine = mine;
        source = arena.allocate(bytes(), 64);
        fill();
    }

    private void fill() {
        KnownBytes.fill(source, 0, shape.bytesOf(mine).offset());
    }

    @Override
    public long bytes() {
        return shape.bytesOf(mine).bytes();
    }

    @Override
    public void clear() {
        source.fill((byte) 0xEE);
        store.submit(mine, source);
        fill();
    }

    @Override
    public void run() {
        store.submit(mine, source);
    }

    /** Begins a submit in the background. */
    PendingOperation<Long> begin() {
        return store.submitAsync(new Submission().add(mine, source));
    }

    /** Reads all that was submitted, each PE the share of another than the one it has submitted. */
    @Override
    public void check() {
        BlockRange other = shape.share(store.rank().value() + 2);
        DataRange range = shape.bytesOf(other);
        try (Arena copy = Arena.ofShared()) {
            MemorySegment found = copy.allocate(range.bytes(), 64);
            store.pull(BlockRanges.of(other), found);
            KnownBytes.require(found, 0, range.offset(), "blocks " + other + " after submit");
        }
    }

    @Override
    public void close() {
        store.close();
        arena.close();
    }
}
