package org.restorej.internal.storage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.memory.HugePages;

/**
 * Off-heap memory for blocks, checksums or messages, which one generation or operation after another may use.
 *
 * @param arena owns the memory, and nothing else
 * @param memory begins on a cache line
 */
record Slab(Arena arena, MemorySegment memory) implements AutoCloseable {
    /** Fresh memory, on huge pages where possible. */
    static Slab allocate(long bytes) {
        // Shared, since a program may close its store from another thread than the one that filled it.
        Arena arena = NativeMemory.openShared();
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
