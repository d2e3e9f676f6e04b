package org.restorej;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.restorej.block.BlockRanges;
import org.restorej.internal.operation.DeliveredBlocks;

/**
 * Blocks that a pull or push has brought, one after another in ascending order of their ids. Their memory belongs to
 * the arena that was given to the pull. Immutable as far as the bytes are not changed.
 */
public final class PulledBlocks {
    private final DeliveredBlocks blocks;

    PulledBlocks(DeliveredBlocks blocks) {
        this.blocks = blocks;
    }

    /** Ids of these blocks. */
    public BlockRanges ids() {
        return blocks.ids();
    }

    /** The bytes of all blocks, one after another; perhaps longer, where the application has given the memory. */
    public MemorySegment bytes() {
        return blocks.bytes();
    }

    /** Number of blocks. */
    public long count() {
        return blocks.ids().blockCount();
    }

    /**
     * The bytes of one block: a view of {@link #bytes}, no copy.
     *
     * @param index its place among these blocks, {@code 0 <= index < count()}
     * @throws IndexOutOfBoundsException when there is no such place
     */
    public MemorySegment block(long index) {
        Objects.checkIndex(index, count());
        return block(blocks.bytes(), index);
    }

    private MemorySegment block(MemorySegment all, long index) {
        return all.asSlice(blocks.layout().offset(index), sizeBytes(index));
    }

    /** Size in bytes of one block, {@code 0 <= index < count()}. */
    public long sizeBytes(long index) {
        Objects.checkIndex(index, count());
        return blocks.layout().bytes(index, 1);
    }

    /** Hands out the blocks one by one, read-only, in ascending order of their ids. */
    public void forEach(BlockConsumer consumer) {
        MemorySegment readOnly = blocks.bytes().asReadOnly();
        BlockRanges ids = blocks.ids();
        for (int run = 0; run < ids.runCount(); run++) {
            for (long id = ids.runFirst(run); id < ids.runEnd(run); id++) {
                consumer.accept(id, block(readOnly, ids.blocksBefore(run) + (id - ids.runFirst(run))));
            }
        }
    }
}
