package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Receives the bytes that are computed for a member. */
@FunctionalInterface
public interface MemberWriter {
    /**
     * Writes bytes of an extent. Those of one extent come in sequence.
     *
     * @param offset from the start of the extent
     */
    void write(MemberExtent extent, long offset, MemorySegment bytes) throws IOException;
}
