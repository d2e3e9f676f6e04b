package org.restorej;

import java.lang.foreign.MemorySegment;

/** Takes the blocks that a pull has brought. */
@FunctionalInterface
public interface BlockConsumer {
    /**
     * Takes one block.
     *
     * @param blockId id of the block
     * @param block its bytes, read-only; valid only during the call
     */
    void accept(long blockId, MemorySegment block);
}
