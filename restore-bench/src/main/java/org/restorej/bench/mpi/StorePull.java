package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.restorej.ReStore;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;

/** Reads blocks. */
final class StorePull implements Exchange {
    private final Arena arena = Arena.ofShared();
    private final StoreShape shape;
    private final ReStore store;
    private final BlockRange wanted;
    private final MemorySegment destination;

    /**
     * A read; nothing happens yet.
     *
     * @param store has the data set; closed with this
     * @param wanted what this PE wants, may be nothing
     */
    StorePull(StoreShape shape, ReStore store, BlockRange wanted) {
        this.shape = shape;
        this.store = store;
        this.wanted = wanted;
        destination = arena.allocate(Math.max(1, bytes()), 64).asSlice(0, bytes());
    }

    @Override
    public long bytes() {
        return shape.bytesOf(wanted);
    }

    @Override
    public void clear() {
        destination.fill((byte) 0xEE);
    }

    @Override
    public void run() {
        store.pull(BlockRanges.of(wanted), destination);
    }

    @Override
    public void check() {
        shape.require(destination, wanted, "after pull");
    }

    @Override
    public void close() {
        store.close();
        arena.close();
    }
}
