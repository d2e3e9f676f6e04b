package org.restorej.internal.storage;

import java.lang.foreign.MemorySegment;
import org.restorej.block.BlockRange;

/**
 * Consecutive blocks in memory: what is submitted in a round, and what a copy of a submission is made of.
 *
 * @param blocks their ids
 * @param layout where each begins
 * @param bytes off-heap, as many as the blocks are long
 */
public record BlockRun(BlockRange blocks, BlockLayout layout, MemorySegment bytes) {
    /** The bytes of some of the blocks. */
    public MemorySegment bytesOf(BlockRange part) {
        return layout.slice(bytes, part.first() - blocks.first(), part.count());
    }

    /** The bytes of a block. */
    public MemorySegment block(long id) {
        return layout.slice(bytes, id - blocks.first(), 1);
    }

    /** Size of a block in bytes. */
    public long sizeOf(long id) {
        return layout.bytes(id - blocks.first(), 1);
    }
}
