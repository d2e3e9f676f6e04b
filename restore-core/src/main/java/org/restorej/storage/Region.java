package org.restorej.storage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.restorej.placement.ChunkGrid;

/**
 * Replica memory of consecutive positions.
 *
 * @param first first position
 * @param end first position after it
 * @param layout where each block begins
 * @param bytes the blocks
 * @param checksums of their chunks, where there are any
 * @param arena has the bytes, perhaps those of other regions as well
 */
record Region(long first, long end, BlockLayout layout, MemorySegment bytes, @Nullable RegionChecksums checksums,
        Arena arena) {
    /** Regions begin on cache lines. */
    private static final int ALIGNMENT_BYTES = 64;

    /** Takes the memory of a region from an arena. */
    static Region allocate(long first, BlockLayout layout, @Nullable ChunkGrid grid, Arena arena) {
        long end = first + layout.count();
        RegionChecksums checksums = grid == null ? null : new RegionChecksums(grid, first, end, arena);
        return new Region(first, end, layout, arena.allocate(layout.bytes(), ALIGNMENT_BYTES), checksums, arena);
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

    /** Whether positions begin and end within the region: sizes that are damaged may say otherwise. */
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
