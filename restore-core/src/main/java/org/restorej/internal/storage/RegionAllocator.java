package org.restorej.internal.storage;

import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.internal.placement.ChunkGrid;

/**
 * Takes the memory of regions, all of them or, with an error, none.
 *
 * @param grid cuts them into chunks that have checksums, or null for none
 * @param layouts finds the layout of a region
 */
record RegionAllocator(@Nullable ChunkGrid grid, LayoutOfRegion layouts) {
    /** Slabs of layouts and checksums are multiples of this, so that they fit regions of about the same length. */
    private static final long OUTLINE_MULTIPLE_BYTES = 4096;

    /** Finds the layout of a region; what it needs comes from an allocator. */
    @FunctionalInterface
    interface LayoutOfRegion {
        BlockLayout of(long first, long end, SegmentAllocator allocator);
    }

    /** Regions with memory of their own each, so that each can be replaced, and its memory serve others. */
    List<Region> each(Regions runs, SpareMemory spare) {
        List<Region.Outline> outlines = new ArrayList<>();
        List<List<Slab>> slabs = new ArrayList<>();
        try {
            runs.forEach((first, end) -> {
                List<Slab> own = new ArrayList<>();
                slabs.add(own);
                outlines.add(outline(first, end, (bytes, alignment) -> {
                    own.add(spare.take(
                            (bytes + OUTLINE_MULTIPLE_BYTES - 1) / OUTLINE_MULTIPLE_BYTES * OUTLINE_MULTIPLE_BYTES));
                    return own.getLast().memory().asSlice(0, bytes);
                }));
            });
            List<Slab> taken = spare.take(outlines.stream().mapToLong(each -> each.layout().bytes()).toArray());
            for (int region = 0; region < outlines.size(); region++) {
                slabs.get(region).add(taken.get(region));
            }
            List<Region> allocated = new ArrayList<>();
            for (int region = 0; region < outlines.size(); region++) {
                allocated.add(outlines.get(region).in(taken.get(region).memory(), RegionMemory.of(slabs.get(region))));
            }
            return allocated;
        } catch (OutOfMemoryError | RuntimeException error) {
            slabs.forEach(own -> own.forEach(Slab::close));
            throw error;
        }
    }

    /**
     * Regions with one arena, since there may be thousands of slices, and opening and closing one takes microseconds.
     */
    List<Region> together(Regions runs) {
        List<Region> allocated = new ArrayList<>();
        Arena arena = NativeMemory.openShared();
        RegionMemory memory = RegionMemory.of(arena);
        try {
            runs.forEach((first, end) -> {
                Region.Outline outline = outline(first, end, arena);
                allocated.add(outline.in(arena.allocate(outline.layout().bytes(), Slab.ALIGNMENT_BYTES), memory));
            });
        } catch (OutOfMemoryError | RuntimeException error) {
            arena.close();
            throw error;
        }
        if (allocated.isEmpty()) {
            arena.close();
        }
        return allocated;
    }

    /** Finds layout and checksums of one region. */
    private Region.Outline outline(long first, long end, SegmentAllocator allocator) {
        RegionChecksums checksums = grid == null ? null : new RegionChecksums(grid, first, end, allocator);
        return new Region.Outline(first, layouts.of(first, end, allocator), checksums);
    }
}
