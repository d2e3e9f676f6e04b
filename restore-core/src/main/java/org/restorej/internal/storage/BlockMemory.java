package org.restorej.internal.storage;

import java.lang.foreign.MemorySegment;

/** Memory of blocks, found by their positions, with the checksums of their chunks. */
public interface BlockMemory {
    /** The memory of consecutive positions, off-heap. */
    MemorySegment at(long position, long count);

    /** The memory of the checksums of the chunks that are completely in these positions, 4 bytes each; may be empty. */
    MemorySegment checksums(long position, long count);
}
