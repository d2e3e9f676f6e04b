package org.restorej.storage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Off-heap memory for the blocks of one region at a time, which one generation after another may use.
 *
 * @param arena owns the memory, and nothing else
 * @param memory at least as long as the blocks
 */
record Slab(Arena arena, MemorySegment memory) implements AutoCloseable {
    /** Regions begin on cache lines. */
    static final int ALIGNMENT_BYTES = 64;

    /** Fresh memory. */
    static Slab allocate(long bytes) {
        // Shared, since a program may close its store from another thread than the one that filled it.
        Arena arena = Arena.ofShared();
        try {
            return new Slab(arena, HugePages.allocate(arena, bytes));
        } catch (OutOfMemoryError | RuntimeException error) {
            arena.close();
            throw error;
        }
    }

    long bytes() {
        return memory.byteSize();
    }

    @Override
    public void close() {
        arena.close();
    }
}
