package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.bench.bytes.KnownBytes;
import org.restorej.bench.mpi.rival.DataRange;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;

/** Submits a tenth of a share as what has changed, from off-heap memory. */
final class StoreChanges implements Exchange {
    private static final int PART = 10;

    private final Arena arena = Arena.ofShared();
    private final StoreShape shape;
    private final ReStore store;
    private final BlockRange mine;
    private final MemorySegment source;

    /**
     * A submit of changes; nothing happens yet.
     *
     * @param store has the data set; closed with this
     * @param share what this PE submits a tenth of
     */
    StoreChanges(StoreShape shape, ReStore store, BlockRange share) {
        this.shape = shape;
        this.store = store;
        mine = BlockRange.of(share.first(), Math.max(1, share.count() / PART));
        source = shape.source(arena, mine);
    }

    @Override
    public long bytes() {
        return shape.bytesOf(mine).bytes();
    }

    @Override
    public void clear() {
        source.fill((byte) 0xEE);
        run();
        KnownBytes.fill(source, 0, shape.bytesOf(mine).offset());
    }

    @Override
    public void run() {
        store.submitChanges(new Submission().add(mine, source));
    }

    /** Each PE reads what it has changed, and the rest of its share, which must be as before. */
    @Override
    public void check() {
        BlockRange share = shape.share(store.rank().value() + 1);
        DataRange range = shape.bytesOf(share);
        try (Arena copy = Arena.ofShared()) {
            MemorySegment found = copy.allocate(range.bytes(), 64);
            store.pull(BlockRanges.of(share), found);
            KnownBytes.require(found, 0, range.offset(), "blocks " + share + " after a submit of changes");
        }
    }

    @Override
    public void close() {
        store.close();
        arena.close();
    }
}
