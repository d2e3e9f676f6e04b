package org.restorej.internal.storage;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Replica memory of consecutive positions.
 *
 * @param first first position
 * @param end first position after it
 * @param layout where each block begins
 * @param bytes the blocks
 * @param checksums of their chunks, where there are any
 * @param memory what all of that is in, perhaps with that of other runs as well
 */
record ReplicaRun(long first, long end, BlockLayout layout, MemorySegment bytes,
        @Nullable ReplicaRunChecksums checksums,
        PooledMemory memory) {
    /** A run that has no memory for its bytes yet. */
    record Outline(long first, BlockLayout layout, @Nullable ReplicaRunChecksums checksums) {
        /**
         * The run with its bytes.
         *
         * @param bytes at least as many as its layout has
         */
        ReplicaRun in(MemorySegment bytes, PooledMemory memory) {
            return new ReplicaRun(first, first + layout.count(), layout, bytes.asSlice(0, layout.bytes()), checksums,
                    memory);
        }
    }

    boolean contains(long position, long count) {
        return position >= first && position <= end && count <= end - position;
    }

    long bytes(long position, long count) {
        return layout.bytes(position - first, count);
    }

    MemorySegment at(long position, long count) {
        long offset = layout.offset(position - first);
        return bytes.asSlice(offset, layout.offset(position - first + count) - offset);
    }

    /** Whether positions begin and end within the run: sizes that are damaged may say otherwise. */
    boolean isLaidOut(long position, long positionEnd) {
        long from = layout.offset(position - first);
        long to = layout.offset(positionEnd - first);
        return from >= 0 && from <= to && to <= bytes.byteSize();
    }

    /** Bytes of layout and checksums. */
    long overheadBytes() {
        return (checksums == null ? 0 : checksums.bytes())
                + (layout instanceof VariableLayout variable ? variable.overheadBytes() : 0);
    }
}
