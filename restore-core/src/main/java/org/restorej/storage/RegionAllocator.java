package org.restorej.storage;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.placement.ChunkGrid;

/**
 * Takes the memory of regions, all of them or, with an error, none.
 *
 * @param grid cuts them into chunks that have checksums, or null for none
 * @param layouts finds the layout of a region
 */
record RegionAllocator(@Nullable ChunkGrid grid, LayoutOfRegion layouts) {
    /** Finds the layout of a region; what it needs comes from the region's arena. */
    @FunctionalInterface
    interface LayoutOfRegion {
        BlockLayout of(long first, long end, Arena arena);
    }

    /** Regions with memory of their own each, so that each can be replaced, and its memory serve others. */
    List<Region> each(Regions runs, SpareMemory spare) {
        List<Region.Outline> outlines = new ArrayList<>();
        try {
            // Shared, since a program may close its store from another thread than the one that filled it.
            runs.forEach((first, end) -> outlines.add(outline(first, end, Arena.ofShared())));
            List<Slab> slabs = spare.take(outlines.stream().mapToLong(each -> each.layout().bytes()).toArray());
            List<Region> allocated = new ArrayList<>();
            for (int region = 0; region < outlines.size(); region++) {
                allocated.add(outlines.get(region).in(slabs.get(region)));
            }
            return allocated;
        } catch (OutOfMemoryError | RuntimeException error) {
            outlines.forEach(outline -> outline.arena().close());
            throw error;
        }
    }

    /** Regions with one arena, since there may be thousands of slices, and opening and closing one takes microseconds. */
    List<Region> together(Regions runs) {
        List<Region> allocated = new ArrayList<>();
        Arena arena = Arena.ofShared();
        try {
            runs.forEach((first, end) -> allocated.add(outline(first, end, arena).inArena()));
        } catch (OutOfMemoryError | RuntimeException error) {
            if (arena.scope().isAlive()) {
                arena.close();
            }
            throw error;
        }
        if (allocated.isEmpty()) {
            arena.close();
        }
        return allocated;
    }

    /** Finds layout and checksums of one region; closes the arena when there is no memory for them. */
    private Region.Outline outline(long first, long end, Arena arena) {
        try {
            RegionChecksums checksums = grid == null ? null : new RegionChecksums(grid, first, end, arena);
            return new Region.Outline(first, layouts.of(first, end, arena), checksums, arena);
        } catch (OutOfMemoryError | RuntimeException error) {
            arena.close();
            throw error;
        }
    }
}
