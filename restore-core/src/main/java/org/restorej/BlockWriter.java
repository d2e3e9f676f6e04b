package org.restorej;

import java.lang.foreign.MemorySegment;

/** Writes the bytes of blocks that an application submits one by one. */
@FunctionalInterface
public interface BlockWriter {
    /**
     * Writes one block. Called once for each submitted block, in ascending order within a range.
     *
     * @param blockId id of the block
     * @param block its bytes, all zero; valid only during the call
     */
    void write(long blockId, MemorySegment block);
}
