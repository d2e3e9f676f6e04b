package org.restorej.internal.storage;

import java.lang.foreign.MemorySegment;
import org.restorej.block.BlockRange;

/**
 * Consecutive blocks in memory: part of a round of a submit, or of a copy of a submission.
 *
 * @param blocks their ids
 * @param layout their places
 * @param bytes off-heap memory of exactly the blocks' size
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
