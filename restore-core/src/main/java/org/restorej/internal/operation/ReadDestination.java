package org.restorej.internal.operation;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.storage.BlockLayout;

/** The destination of the blocks of a read. */
public sealed interface ReadDestination permits ReadDestination.Given, ReadDestination.Allocated {
    /** The error that can be found before the blocks are known, or null. */
    default @Nullable IllegalArgumentException error() {
        return null;
    }

    /** The error for these blocks, or null. */
    default @Nullable IllegalArgumentException error(BlockLayout layout) {
        return null;
    }

    /**
     * Memory of the application.
     *
     * @param memory on or off the heap
     */
    record Given(MemorySegment memory) implements ReadDestination {
        @Override
        public @Nullable IllegalArgumentException error() {
            if (memory == null) {
                return new IllegalArgumentException("destination must not be null");
            }
            if (!memory.scope().isAlive() || !memory.isAccessibleBy(Thread.currentThread())) {
                return new IllegalArgumentException(
                        "destination must be memory of an open arena that this thread may access: " + memory);
            }
            return memory.isReadOnly()
                    ? new IllegalArgumentException("destination must be writable: it is read-only")
                    : null;
        }

        @Override
        public @Nullable IllegalArgumentException error(BlockLayout layout) {
            if (memory.byteSize() >= layout.bytes()) {
                return null;
            }
            return new IllegalArgumentException("destination must have at least " + layout.bytes() + " bytes, "
                    + layout.count() + " blocks" + (layout.count() == 0 || layout.bytes() % layout.count() != 0
                            ? ""
                            : " of " + layout.bytes() / layout.count())
                    + ": destination.byteSize()=" + memory.byteSize());
        }
    }

    /**
     * Memory to be allocated from an arena.
     *
     * @param arena of the application or of the operation
     */
    record Allocated(Arena arena) implements ReadDestination {
        @Override
        public @Nullable IllegalArgumentException error() {
            if (arena == null) {
                return new IllegalArgumentException("arena must not be null");
            }
            try {
                arena.allocate(0);
                return null;
            } catch (RuntimeException | Error unusable) {
                // An arena may be implemented by the application: none of its exceptions may leave the other PEs
                // waiting.
                return new IllegalArgumentException(
                        "arena must be open and this thread's to use: " + unusable.getMessage(),
                        unusable);
            }
        }
    }
}
