package org.restorej.internal.storage;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the memory of a region, or of several, comes from: slabs that can serve other regions afterwards, or an arena
 * that can't. Ends once. One thread.
 */
final class RegionMemory {
    private final List<Slab> slabs;
    private final @Nullable Arena arena;
    private boolean ended;

    private RegionMemory(List<Slab> slabs, @Nullable Arena arena) {
        this.slabs = slabs;
        this.arena = arena;
    }

    static RegionMemory of(List<Slab> slabs) {
        return new RegionMemory(List.copyOf(slabs), null);
    }

    static RegionMemory of(Arena arena) {
        return new RegionMemory(List.of(), arena);
    }

    /** Gives the slabs to whom they are for now, and frees everything else. A second call does nothing. */
    void end(Consumer<Slab> endOfSlab) {
        if (!ended) {
            ended = true;
            slabs.forEach(endOfSlab);
            if (arena != null) {
                arena.close();
            }
        }
    }
}
