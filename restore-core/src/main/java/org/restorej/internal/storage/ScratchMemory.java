package org.restorej.internal.storage;

import java.util.ArrayDeque;

/**
 * Off-heap memory for the messages and plans of one operation after the other: at most 4 MiB are kept, for what takes
 * up to 128 KiB each. A new shared arena for each would have to be closed, by a handshake with all threads of the JVM:
 * 20 µs where they have cores, eight times as long where ranks outnumber the cores. One thread at a time;
 * {@link #bytes} any thread.
 */
public final class ScratchMemory implements AutoCloseable {
    static final long SLAB_BYTES = 256 << 10;

    private static final int KEPT_SLABS = 16;

    private final ArrayDeque<Slab> idle = new ArrayDeque<>();
    private volatile long bytes;
    private boolean closed;

    /** Nothing yet. */
    public ScratchMemory() {}

    /** Memory for one operation, which closes it. */
    public Scratch open() {
        return new Scratch(this);
    }

    /** Bytes that are kept now. */
    public long bytes() {
        return bytes;
    }

    Slab take() {
        if (idle.isEmpty()) {
            return Slab.allocate(SLAB_BYTES);
        }
        Slab slab = idle.removeLast();
        bytes = idle.size() * SLAB_BYTES;
        return slab;
    }

    void giveBack(Slab slab) {
        if (!closed && slab.bytes() == SLAB_BYTES && idle.size() < KEPT_SLABS) {
            idle.add(slab);
            bytes = idle.size() * SLAB_BYTES;
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
        bytes = 0;
    }
}
