package org.restorej.internal.storage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.memory.MappedMemory;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.internal.storage.SegmentPool.Slab;

/**
 * Memory from a {@link SegmentPool} for one purpose, any amount of it: an operation's messages, or a run of replicas.
 * It is not cleared, and given back as a whole, once, by {@link #close} or {@link #retire}: no message may be under way
 * in it then. One thread at a time; {@link #bytes} any thread.
 */
public final class PooledMemory implements SegmentAllocator, AutoCloseable {
    /** What is longer shares no slab. */
    private static final long LONGEST_SHARING_BYTES = SegmentPool.SLAB_BYTES / 2;

    private final SegmentPool pool;
    private final List<Slab> shared = new ArrayList<>();
    private final List<Slab> own = new ArrayList<>();
    /** Of all long segments, since closing one is a handshake of all threads of the JVM. */
    private @Nullable Arena arena;
    /** The end of the last slab that is shared. */
    private MemorySegment room = MemorySegment.NULL;
    private volatile long ownBytes;

    PooledMemory(SegmentPool pool) {
        this.pool = pool;
    }

    /**
     * {@inheritDoc} Short segments share slabs.
     *
     * @param byteAlignment at most 64
     */
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        if (byteSize > LONGEST_SHARING_BYTES) {
            return allocateBuffer(byteSize);
        }
        long first = Math.ceilDiv(room.address(), byteAlignment) * byteAlignment - room.address();
        if (first + byteSize > room.byteSize()) {
            Slab slab = pool.takeScratch();
            shared.add(slab);
            room = slab.memory();
            first = 0;
        }
        MemorySegment taken = room.asSlice(first, byteSize);
        room = room.asSlice(first + byteSize);
        return taken;
    }

    /**
     * Memory of a buffer that serves as long as this does, aligned to 64 bytes: however short, it shares no slab, and
     * all such memory is closed at once.
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    public MemorySegment allocateBuffer(long byteSize) {
        if (arena == null) {
            arena = NativeMemory.openShared();
        }
        MemorySegment memory = MappedMemory.allocate(arena, byteSize);
        ownBytes += byteSize;
        return memory;
    }

    /** Fresh memory that can be kept for other replicas by itself, aligned to 64 bytes. */
    public MemorySegment allocateOwn(long byteSize) {
        return add(Slab.allocate(byteSize)).memory();
    }

    /** Memory for replicas: spare memory where it fits, otherwise fresh. */
    MemorySegment allocateReplica(long byteSize) {
        return add(pool.takeReplica(byteSize)).memory().asSlice(0, byteSize);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    Slab add(Slab slab) {
        own.add(slab);
        ownBytes += slab.bytes();
        return slab;
    }

    /** Bytes of the segments that share their slabs with nothing. */
    public long bytes() {
        return ownBytes;
    }

    /** Gives everything back and keeps none of it for replicas. A second call does nothing. */
    @Override
    public void close() {
        while (!own.isEmpty()) {
            own.removeLast().close();
        }
        giveBack();
    }

    /** Gives everything back and keeps it for the replicas of later generations. A second call does nothing. */
    public void retire() {
        while (!own.isEmpty()) {
            pool.keepSpare(own.removeLast());
        }
        giveBack();
    }

    /** By loops that allocate nothing. */
    private void giveBack() {
        ownBytes = 0;
        room = MemorySegment.NULL;
        while (!shared.isEmpty()) {
            pool.giveBackScratch(shared.removeLast());
        }
        Arena closing = arena;
        if (closing != null) {
            arena = null;
            closing.close();
        }
    }
}
