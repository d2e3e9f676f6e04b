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
 * Memory from a {@link SegmentPool} for one purpose, in any amount: an operation's messages, or a run of replicas. It
 * is not cleared. It is returned as a whole, once, by {@link #close} or {@link #retire}, when no message uses it. Not
 * thread-safe, except {@link #bytes}.
 */
public final class PooledMemory implements SegmentAllocator, AutoCloseable {
    /** Maximum size of a segment that shares a slab. */
    private static final long LONGEST_SHARING_BYTES = SegmentPool.SLAB_BYTES / 2;

    private final SegmentPool pool;
    private final List<Slab> shared = new ArrayList<>();
    private final List<Slab> own = new ArrayList<>();
    private final List<Slab> copyBuffers = new ArrayList<>();
    /** Arena of all large segments, since closing an arena is a handshake of all threads of the JVM. */
    private @Nullable Arena arena;
    /** The unused end of the last shared slab. */
    private MemorySegment room = MemorySegment.NULL;
    private volatile long ownBytes;

    PooledMemory(SegmentPool pool) {
        this.pool = pool;
    }

    /**
     * {@inheritDoc} Small segments share slabs.
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
     * Allocates memory for a buffer that is used as long as this is open, aligned to 64 bytes. It shares no slab,
     * whatever its size; all such memory is freed together.
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

    /**
     * Allocates a buffer of at least this length, to which blocks are copied before they are sent. The pool keeps it for
     * the next submit.
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    public MemorySegment allocateCopyBuffer(long byteSize) {
        Slab slab = pool.takeBuffer(byteSize);
        copyBuffers.add(slab);
        ownBytes += slab.bytes();
        return slab.memory();
    }

    /** Allocates new memory, aligned to 64 bytes, that can be kept separately for other replicas. */
    public MemorySegment allocateOwn(long byteSize) {
        return add(Slab.allocate(byteSize)).memory();
    }

    /** Memory for replicas: spare memory if it fits, otherwise newly allocated. */
    MemorySegment allocateReplica(long byteSize) {
        return add(pool.takeReplica(byteSize)).memory().asSlice(0, byteSize);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    Slab add(Slab slab) {
        own.add(slab);
        ownBytes += slab.bytes();
        return slab;
    }

    /** Bytes of the segments that don't share slabs. */
    public long bytes() {
        return ownBytes;
    }

    /** Returns everything, and keeps none of it for replicas. A second call does nothing. */
    @Override
    public void close() {
        while (!own.isEmpty()) {
            own.removeLast().close();
        }
        giveBack();
    }

    /** Returns everything, and keeps it for the replicas of later generations. A second call does nothing. */
    public void retire() {
        while (!own.isEmpty()) {
            pool.keepSpare(own.removeLast());
        }
        giveBack();
    }

    /** Allocates nothing. */
    private void giveBack() {
        ownBytes = 0;
        room = MemorySegment.NULL;
        while (!shared.isEmpty()) {
            pool.giveBackScratch(shared.removeLast());
        }
        while (!copyBuffers.isEmpty()) {
            pool.giveBackBuffer(copyBuffers.removeLast());
        }
        Arena closing = arena;
        if (closing != null) {
            arena = null;
            closing.close();
        }
    }
}
