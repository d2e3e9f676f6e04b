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

    /** Regions with an arena each, so that each can be replaced. */
    List<Region> each(Regions runs) {
        List<Region> allocated = new ArrayList<>();
        try {
            runs.forEach((first, end) -> {
                // Shared, since a program may close its store from another thread than the one that filled it.
                Arena arena = Arena.ofShared();
                allocated.add(allocate(first, end, arena));
            });
        } catch (OutOfMemoryError | RuntimeException error) {
            allocated.forEach(region -> region.arena().close());
            throw error;
        }
        return allocated;
    }

    /** Regions with one arena, since there may be thousands of slices, and opening and closing one takes microseconds. */
    List<Region> together(Regions runs) {
        List<Region> allocated = new ArrayList<>();
        Arena arena = Arena.ofShared();
        runs.forEach((first, end) -> allocated.add(allocate(first, end, arena)));
        if (allocated.isEmpty()) {
            arena.close();
        }
        return allocated;
    }

    /** Takes the memory of one region; closes the arena when it is not to be had. */
    private Region allocate(long first, long end, Arena arena) {
        try {
            return Region.allocate(first, layouts.of(first, end, arena), grid, arena);
        } catch (OutOfMemoryError | RuntimeException error) {
            arena.close();
            throw error;
        }
    }
}
