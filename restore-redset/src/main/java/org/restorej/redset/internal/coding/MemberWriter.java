package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Takes what is computed for a member. */
@FunctionalInterface
public interface MemberWriter {
    /**
     * Writes bytes of a place. Those of one place come in sequence.
     *
     * @param offset where in the place
     */
    void write(Place place, long offset, MemorySegment bytes) throws IOException;
}
