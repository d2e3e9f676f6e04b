package org.restorej.internal.storage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.memory.MappedMemory;
import org.restorej.internal.memory.NativeMemory;

/**
 * The off-heap memory of one store, reused by generations and operations. All memory of replicas, plans, messages and
 * buffers is taken from here as a {@link PooledMemory}, and returned here.
 *
 * <p>
 * Three kinds of memory are kept. Spare memory is that of replaced replicas: touching new memory costs the kernel 0.4 s a
 * GiB, more than receiving the blocks. It is at most what was replaced last: before a run of replicas is newly
 * allocated, the remaining spare memory is freed. Scratch memory is for plans and messages up to 128 KiB each, in slabs
 * of 256 KiB; at most 4 MiB are kept. It avoids opening and closing a shared arena, which is a handshake with all
 * threads of the JVM: 20 µs if they have cores, eight times as long if ranks outnumber the cores. The
 * copy buffer of submits is kept up to 32 MiB: touching a new one would take longer than the copy. Other memory is freed
 * when it is returned.
 *
 * <p>
 * None of it is cleared, and no message may use returned memory. Not thread-safe, except the numbers of bytes.
 */
public final class SegmentPool implements AutoCloseable {
    static final long SLAB_BYTES = 256 << 10;

    private static final int KEPT_SLABS = 16;

    private static final long MAX_KEPT_BUFFER_BYTES = 32 << 20;

    /** Spare memory is reused if at most this fraction of it stays unused: one in {@code WASTE_DIVISOR}. */
    private static final long WASTE_DIVISOR = 8;

    /** A linked list of spare memory by ascending length, so that keeping some allocates nothing. */
    private @Nullable Slab spare;
    private final List<Slab> scratch = new ArrayList<>(KEPT_SLABS);
    /** The copy buffer; null while it is in use, and before the first. */
    private @Nullable Slab buffer;
    private volatile long spareBytes;
    private volatile long scratchBytes;
    private volatile long freshReplicaBytes;
    private boolean closed;

    /** Off-heap memory for blocks, checksums or messages, reused by generations or operations. */
    static final class Slab implements AutoCloseable {
        /** Owns this memory only. */
        private final Arena arena;
        private final MemorySegment memory;
        /** The next spare memory in the list, of at least this length. */
        private @Nullable Slab longer;

        private Slab(Arena arena, MemorySegment memory) {
            this.arena = arena;
            this.memory = memory;
        }

        /**
         * Allocates new memory, on small pages: with huge ones the first submit would wait while the system frees some.
         */
        static Slab allocate(long bytes) {
            // Shared, since a program may close its store in another thread than the one that filled it.
            Arena arena = NativeMemory.openShared();
            try {
                return new Slab(arena, MappedMemory.allocate(arena, bytes));
            } catch (OutOfMemoryError | RuntimeException error) {
                arena.close();
                throw error;
            }
        }

        /** Aligned to a cache line. */
        MemorySegment memory() {
            return memory;
        }

        long bytes() {
            return memory.byteSize();
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    /** Creates an empty pool. */
    public SegmentPool() {}

    /** Opens memory for one purpose; the caller returns it. */
    public PooledMemory open() {
        return new PooledMemory(this);
    }

    public long spareBytes() {
        return spareBytes;
    }

    public long scratchBytes() {
        return scratchBytes;
    }

    /** Total bytes of replicas that were newly allocated. */
    public long freshReplicaBytes() {
        return freshReplicaBytes;
    }

    /** Frees spare memory and the copy buffer. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    public void releaseSpare() {
        releaseBuffer();
        for (Slab slab = spare; slab != null; slab = spare) {
            spare = slab.longer;
            spareBytes -= slab.bytes();
            slab.close();
        }
    }

    /** Frees kept memory; memory in use is freed when it is returned. */
    @Override
    public void close() {
        closed = true;
        releaseSpare();
        scratch.forEach(Slab::close);
        scratch.clear();
        countScratch();
    }

    private void countScratch() {
        scratchBytes = scratch.size() * SLAB_BYTES + (buffer == null ? 0 : buffer.bytes());
    }

    /**
     * A copy buffer of at least this length, a multiple of that of a slab: the kept one, or a new one, on huge pages,
     * since messages are sent from it.
     */
    Slab takeBuffer(long bytes) {
        Slab kept = buffer;
        if (kept != null && kept.bytes() >= bytes) {
            buffer = null;
            countScratch();
            return kept;
        }
        releaseBuffer();
        Slab fresh = Slab.allocate(Math.ceilDiv(bytes, SLAB_BYTES) * SLAB_BYTES);
        MappedMemory.useHugePages(fresh.memory());
        return fresh;
    }

    void giveBackBuffer(Slab slab) {
        if (closed || slab.bytes() > MAX_KEPT_BUFFER_BYTES) {
            slab.close();
            return;
        }
        releaseBuffer();
        buffer = slab;
        countScratch();
    }

    private void releaseBuffer() {
        Slab kept = buffer;
        buffer = null;
        countScratch();
        if (kept != null) {
            kept.close();
        }
    }

    Slab takeScratch() {
        if (scratch.isEmpty()) {
            return Slab.allocate(SLAB_BYTES);
        }
        Slab slab = scratch.removeLast();
        countScratch();
        return slab;
    }

    void giveBackScratch(Slab slab) {
        if (closed || scratch.size() == KEPT_SLABS) {
            slab.close();
            return;
        }
        scratch.add(slab);
        countScratch();
    }

    /** Memory of at least this length. If it is newly allocated, spare memory is kept for longer runs that follow. */
    Slab takeReplica(long length) {
        Slab fitting = pollSpare(length);
        return fitting == null ? freshReplica(length) : fitting;
    }

    /**
     * Memory of at least these lengths: spare memory if it fits, otherwise newly allocated.
     *
     * @throws OutOfMemoryError when it can't be allocated; no spare memory is kept then
     */
    List<Slab> takeReplicas(long[] lengths) {
        @Nullable
        Slab[] fitting = new @Nullable Slab[lengths.length];
        // The longest first: a short one might take memory that only fits a longer one.
        IntStream.range(0, lengths.length).boxed()
                .sorted(Comparator.comparingLong((Integer index) -> lengths[index]).reversed())
                .forEach(index -> fitting[index] = pollSpare(lengths[index]));
        List<Slab> slabs = new ArrayList<>();
        try {
            for (int index = 0; index < lengths.length; index++) {
                Slab slab = fitting[index];
                if (slab == null) {
                    releaseSpare();
                    slab = freshReplica(lengths[index]);
                }
                slabs.add(slab);
                fitting[index] = null;
            }
            return slabs;
        } catch (OutOfMemoryError | RuntimeException error) {
            slabs.forEach(Slab::close);
            for (Slab slab : fitting) {
                if (slab != null) {
                    slab.close();
                }
            }
            throw error;
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private @Nullable Slab pollSpare(long length) {
        Slab before = lastShorter(length);
        Slab found = before == null ? spare : before.longer;
        if (found == null || found.bytes() - length > found.bytes() / WASTE_DIVISOR) {
            return null;
        }
        if (before == null) {
            spare = found.longer;
        } else {
            before.longer = found.longer;
        }
        found.longer = null;
        spareBytes -= found.bytes();
        return found;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private Slab freshReplica(long length) {
        Slab slab = Slab.allocate(length);
        freshReplicaBytes += length;
        return slab;
    }

    /** Keeps memory of replicas that are no longer used. Takes time linear in the number of kept pieces. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    void keepSpare(Slab slab) {
        if (closed || slab.bytes() == 0) {
            slab.close();
            return;
        }
        Slab before = lastShorter(slab.bytes());
        if (before == null) {
            slab.longer = spare;
            spare = slab;
        } else {
            slab.longer = before.longer;
            before.longer = slab;
        }
        spareBytes += slab.bytes();
    }

    /** The last spare memory that is shorter than a length; null if there is none. */
    private @Nullable Slab lastShorter(long length) {
        Slab found = null;
        for (Slab slab = spare; slab != null && slab.bytes() < length; slab = slab.longer) {
            found = slab;
        }
        return found;
    }
}
