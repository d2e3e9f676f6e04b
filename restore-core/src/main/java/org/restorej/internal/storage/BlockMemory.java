package org.restorej.internal.storage;

import java.lang.foreign.MemorySegment;

/** Memory in which blocks are found by their positions, with room for the checksums of their chunks. */
public interface BlockMemory {
    /** The memory of consecutive positions, off-heap. */
    MemorySegment at(long position, long count);

    /** The memory of the checksums of the chunks that lie in these positions as a whole, 4 bytes each; may be empty. */
    MemorySegment checksums(long position, long count);
}
