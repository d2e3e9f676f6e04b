package org.restorej.storage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.BiFunction;
import org.restorej.memory.HugePages;

/**
 * Off-heap memory for blocks, checksums or messages, which one generation or operation after another may use.
 *
 * @param arena owns the memory, and nothing else
 * @param memory at least as long as the blocks
 */
record Slab(Arena arena, MemorySegment memory) implements AutoCloseable {
    /** Regions begin on cache lines. */
    static final int ALIGNMENT_BYTES = 64;

    /** Fresh memory, to be used again and again: on huge pages where possible. */
    static Slab allocate(long bytes) {
        return allocate(bytes, HugePages::allocate);
    }

    /** Fresh memory that is not worth a price for better pages. */
    static Slab forOneUse(long bytes) {
        return allocate(bytes, (arena, length) -> arena.allocate(length, ALIGNMENT_BYTES));
    }

    private static Slab allocate(long bytes, BiFunction<Arena, Long, MemorySegment> allocation) {
        // Shared, since a program may close its store from another thread than the one that filled it.
        Arena arena = Arena.ofShared();
        try {
            return new Slab(arena, allocation.apply(arena, bytes));
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
