package org.restorej.internal.access;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Takes bytes of blocks that a PE submits, in ascending order of ids. */
@FunctionalInterface
public interface BlockSink {
    /**
     * Takes some.
     *
     * @param blocks how many; one, where blocks have different sizes
     * @param bytes of these blocks; valid only during the call
     */
    void accept(long blocks, MemorySegment bytes) throws IOException;
}
