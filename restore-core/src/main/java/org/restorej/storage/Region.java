package org.restorej.storage;

import java.lang.foreign.Arena;
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
 * @param arena has layout and checksums, perhaps those of other regions as well; the bytes too where there is no slab
 * @param slab has the bytes and nothing else, so that it can serve another region afterwards
 */
record Region(long first, long end, BlockLayout layout, MemorySegment bytes, @Nullable RegionChecksums checksums,
        Arena arena, @Nullable Slab slab) {
    /**
     * A region that has no memory for its bytes yet.
     *
     * @param arena has layout and checksums
     */
    record Outline(long first, BlockLayout layout, @Nullable RegionChecksums checksums, Arena arena) {
        /** The region with its bytes in a slab. */
        Region in(Slab slab) {
            return new Region(first, first + layout.count(), layout, slab.memory().asSlice(0, layout.bytes()),
                    checksums, arena, slab);
        }

        /** The region with its bytes in its arena. */
        Region inArena() {
            return new Region(first, first + layout.count(), layout,
                    arena.allocate(layout.bytes(), Slab.ALIGNMENT_BYTES), checksums, arena, null);
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
