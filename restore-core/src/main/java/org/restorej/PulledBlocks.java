package org.restorej;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.restorej.block.BlockRanges;
import org.restorej.internal.storage.BlockLayout;

/**
 * Blocks that a pull or push has brought, one after another in ascending order of their ids. Their memory belongs to
 * the arena that was given to the pull. Immutable as far as the bytes are not changed.
 */
public final class PulledBlocks {
    private final BlockRanges ids;
    private final BlockLayout layout;
    private final MemorySegment bytes;

    PulledBlocks(BlockRanges ids, BlockLayout layout, MemorySegment bytes) {
        this.ids = ids;
        this.layout = layout;
        this.bytes = bytes;
    }

    /** Their ids. */
    public BlockRanges ids() {
        return ids;
    }

    /** The bytes of all of them. */
    public MemorySegment bytes() {
        return bytes;
    }

    /** Number of blocks. */
    public long count() {
        return ids.blockCount();
    }

    /**
     * The bytes of one block.
     *
     * @param index its place among these blocks, {@code 0 <= index < count()}
     */
    public MemorySegment block(long index) {
        Objects.checkIndex(index, count());
        return bytes.asSlice(layout.offset(index), layout.bytes(index, 1));
    }

    /** Size in bytes of one block, {@code 0 <= index < count()}. */
    public long sizeBytes(long index) {
        Objects.checkIndex(index, count());
        return layout.bytes(index, 1);
    }

    /** Hands out the blocks one by one, read-only, in ascending order of their ids. */
    public void forEach(BlockConsumer consumer) {
        MemorySegment readOnly = bytes.asReadOnly();
        for (int run = 0; run < ids.runCount(); run++) {
            for (long id = ids.runFirst(run); id < ids.runEnd(run); id++) {
                long index = ids.blocksBefore(run) + (id - ids.runFirst(run));
                consumer.accept(id, readOnly.asSlice(layout.offset(index), layout.bytes(index, 1)));
            }
        }
    }
}
