package org.restorej.internal.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** An arena whose bytes are counted while it is open. */
public final class CountedArena implements Arena {
    private static final LongAdder OPEN_BYTES = new LongAdder();

    private final Arena arena;
    private final @Nullable NativeMemory owner;
    private long bytes;
    private boolean closed;

    /**
     * Creates an arena without memory.
     *
     * @param arena without memory
     * @param owner told when this is closed
     */
    CountedArena(Arena arena, @Nullable NativeMemory owner) {
        this.arena = arena;
        this.owner = owner;
    }

    /** Bytes of all open arenas. */
    static long openBytes() {
        return OPEN_BYTES.sum();
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        checkNotClosed();
        MemorySegment memory = arena.allocate(byteSize, byteAlignment);
        count(byteSize);
        return memory;
    }

    /** Counts memory from elsewhere that this arena frees. */
    public synchronized void count(long further) {
        // It may have been closed concurrently.
        if (arena.scope().isAlive()) {
            bytes += further;
            OPEN_BYTES.add(further);
        }
    }

    @Override
    public MemorySegment.Scope scope() {
        return arena.scope();
    }

    private synchronized void checkNotClosed() {
        if (closed) {
            throw new IllegalStateException("Already closed");
        }
    }

    /** Whether its owner will free it later. */
    private synchronized boolean isDeferred() {
        closed = owner != null && owner.defers(this, bytes);
        return closed;
    }

    /**
     * {@inheritDoc} Does nothing if the end of its run has already freed it. In a run of many PEs the memory may be
     * freed only at the end of the run.
     */
    @Override
    public void close() {
        checkNotClosed();
        if (owner == null) {
            free();
        } else if (!isDeferred() && owner.forget(this)) {
            try {
                free();
            } catch (IllegalStateException inUse) {
                owner.keep(this);
                throw inUse;
            }
        }
    }

    /** Frees it unless a thread is accessing it; returns whether it was freed. */
    boolean isFreedNow() {
        try {
            free();
            return true;
        } catch (IllegalStateException inUse) {
            return false;
        }
    }

    private synchronized void free() {
        arena.close();
        OPEN_BYTES.add(-bytes);
        bytes = 0;
    }
}
