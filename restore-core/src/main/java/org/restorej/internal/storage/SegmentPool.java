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
 * Off-heap memory of one store, for one generation or operation after the other. All memory of replicas, plans,
 * messages and buffers is taken here, as a {@link PooledMemory}, and given back here.
 *
 * <p>
 * Two kinds of memory are kept. Spare memory is that of replicas that were replaced: fresh memory costs the kernel 0.4
 * s a GiB when it is first touched, more than receiving the blocks does. It never holds more than what was replaced
 * last: when a run of replicas has to be allocated freshly, what is left of the spare memory is freed before. Scratch
 * memory is that of plans and messages up to 128 KiB each, in slabs of 256 KiB; at most 4 MiB are kept. It saves
 * opening and closing a shared arena, by a handshake with all threads of the JVM: 20 µs where they have cores, eight
 * times as long where ranks outnumber the cores. What is longer, buffers above all, is freed when it is given back.
 *
 * <p>
 * None of it is cleared, and no message may be under way in what is given back. One thread at a time; the numbers of
 * bytes any thread.
 */
public final class SegmentPool implements AutoCloseable {
    static final long SLAB_BYTES = 256 << 10;

    private static final int KEPT_SLABS = 16;

    /** Spare memory serves again when at most one in so many of its bytes stays unused. */
    private static final long WASTE_DIVISOR = 8;

    /** The shortest spare memory, the next longer one behind it, and so on: keeping some allocates nothing. */
    private @Nullable Slab spare;
    private final List<Slab> scratch = new ArrayList<>(KEPT_SLABS);
    private volatile long spareBytes;
    private volatile long scratchBytes;
    private volatile long freshReplicaBytes;
    private boolean closed;

    /** Off-heap memory for blocks, checksums or messages, which one generation or operation after another may use. */
    static final class Slab implements AutoCloseable {
        /** Owns the memory, and nothing else. */
        private final Arena arena;
        private final MemorySegment memory;
        /** Of spare memory, what is no shorter. */
        private @Nullable Slab longer;

        private Slab(Arena arena, MemorySegment memory) {
            this.arena = arena;
            this.memory = memory;
        }

        /** Fresh memory. On small pages: the first submit would wait while the system makes room for huge ones. */
        static Slab allocate(long bytes) {
            // Shared, since a program may close its store from another thread than the one that filled it.
            Arena arena = NativeMemory.openShared();
            try {
                return new Slab(arena, MappedMemory.allocate(arena, bytes));
            } catch (OutOfMemoryError | RuntimeException error) {
                arena.close();
                throw error;
            }
        }

        /** Begins on a cache line. */
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

    /** A pool that keeps no memory yet. */
    public SegmentPool() {}

    /** Opens memory for one purpose; whoever opens it gives it back. */
    public PooledMemory open() {
        return new PooledMemory(this);
    }

    public long spareBytes() {
        return spareBytes;
    }

    public long scratchBytes() {
        return scratchBytes;
    }

    /** Bytes of replicas that had to be allocated freshly so far. */
    public long freshReplicaBytes() {
        return freshReplicaBytes;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    public void releaseSpare() {
        for (Slab slab = spare; slab != null; slab = spare) {
            spare = slab.longer;
            spareBytes -= slab.bytes();
            slab.close();
        }
    }

    /** Frees what is kept; what is still in use is freed when it is given back. */
    @Override
    public void close() {
        closed = true;
        releaseSpare();
        scratch.forEach(Slab::close);
        scratch.clear();
        scratchBytes = 0;
    }

    Slab takeScratch() {
        if (scratch.isEmpty()) {
            return Slab.allocate(SLAB_BYTES);
        }
        Slab slab = scratch.removeLast();
        scratchBytes = scratch.size() * SLAB_BYTES;
        return slab;
    }

    void giveBackScratch(Slab slab) {
        if (closed || scratch.size() == KEPT_SLABS) {
            slab.close();
            return;
        }
        scratch.add(slab);
        scratchBytes = scratch.size() * SLAB_BYTES;
    }

    /** Memory of at least this length; where it is fresh, spare memory stays for longer runs that are taken next. */
    Slab takeReplica(long length) {
        Slab fitting = pollSpare(length);
        return fitting == null ? freshReplica(length) : fitting;
    }

    /**
     * Memory of at least these lengths: spare memory, where it fits, and fresh memory.
     *
     * @throws OutOfMemoryError when it is not to be had; no spare memory is kept then
     */
    List<Slab> takeReplicas(long[] lengths) {
        @Nullable
        Slab[] fitting = new @Nullable Slab[lengths.length];
        // The longest first: a short one could take what only fits a longer one otherwise.
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

    /** Keeps memory of replicas that nobody uses any more; time linear in the number of pieces that are kept. */
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

    /** The last spare memory that is shorter than a length; null where none is. */
    private @Nullable Slab lastShorter(long length) {
        Slab found = null;
        for (Slab slab = spare; slab != null && slab.bytes() < length; slab = slab.longer) {
            found = slab;
        }
        return found;
    }
}
