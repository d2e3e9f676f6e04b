package org.restorej.internal.storage;

import java.lang.foreign.MemorySegment;

/** The offsets of consecutive blocks in memory. Thread-safe once built. */
public sealed interface BlockLayout permits UniformLayout, VariableLayout {
    long count();

    /** Bytes of all blocks before this one, {@code 0 <= index <= count()}. */
    long offset(long index);

    /** Bytes of the largest block. */
    long largestBytes();

    default long bytes(long index, long blocks) {
        return offset(index + blocks) - offset(index);
    }

    /** The memory of consecutive blocks, given that of all blocks. */
    default MemorySegment slice(MemorySegment all, long index, long blocks) {
        long from = offset(index);
        return all.asSlice(from, offset(index + blocks) - from);
    }

    /** Bytes of the layout itself. */
    default long overheadBytes() {
        return 0;
    }

    default long bytes() {
        return offset(count());
    }
}
