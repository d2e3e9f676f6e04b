package org.restorej.storage;

import java.util.ArrayDeque;

/**
 * Off-heap memory for the messages and plans of one operation after the other, at most 4 MiB of it, so that a steady
 * state takes none from the system. Closing a shared arena would be a handshake with all threads of the JVM: 20 µs where
 * they have cores, eight times as long where ranks outnumber the cores. One thread at a time.
 */
public final class ScratchMemory implements AutoCloseable {
    static final long SLAB_BYTES = 256 << 10;

    private static final int KEPT_SLABS = 16;

    private final ArrayDeque<Slab> idle = new ArrayDeque<>();
    private boolean closed;

    /** Nothing yet. */
    public ScratchMemory() {}

    /** Memory for one operation, which closes it. */
    public Scratch open() {
        return new Scratch(this);
    }

    /** Bytes that are kept now. */
    public long bytes() {
        return idle.size() * SLAB_BYTES;
    }

    Slab take() {
        return idle.isEmpty() ? Slab.allocate(SLAB_BYTES) : idle.removeLast();
    }

    void giveBack(Slab slab) {
        if (!closed && slab.bytes() == SLAB_BYTES && idle.size() < KEPT_SLABS) {
            idle.add(slab);
        } else {
            slab.close();
        }
    }

    /** Frees what is kept; what is still in use is freed when it is given back. */
    @Override
    public void close() {
        closed = true;
        idle.forEach(Slab::close);
        idle.clear();
    }
}
