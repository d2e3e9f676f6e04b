package org.restorej.internal.storage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The memory of replicas that nobody needs any more, kept for those of the next generation: fresh memory costs the
 * kernel 0.4 s a GiB when it is first touched, more than receiving the blocks does.
 *
 * <p>
 * Only memory comes here that no message is under way in. It never holds more than what was replaced last: when
 * something has to be allocated freshly, what is left of the spare is freed before. One thread at a time;
 * {@link #bytes} and {@link #allocatedBytes} any thread.
 */
public final class SpareMemory {
    /** Memory serves again when at most one in so many of its bytes stays unused. */
    private static final long WASTE_DIVISOR = 8;

    private final TreeMap<Long, ArrayDeque<Slab>> slabsByLength = new TreeMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong allocatedBytes = new AtomicLong();

    /** Nothing. */
    public SpareMemory() {}

    /** Bytes that are kept now. */
    public long bytes() {
        return bytes.get();
    }

    /** Bytes that had to be allocated freshly so far. */
    public long allocatedBytes() {
        return allocatedBytes.get();
    }

    /** Memory of at least this length; where it is fresh, what is kept stays for longer ones that are taken next. */
    Slab take(long length) {
        Slab kept = poll(length);
        return kept == null ? fresh(length) : kept;
    }

    /**
     * Memory of at least these lengths: what is kept, where it fits, and fresh memory.
     *
     * @throws OutOfMemoryError when it is not to be had; nothing is kept then
     */
    List<Slab> take(long[] lengths) {
        @Nullable
        Slab[] taken = new @Nullable Slab[lengths.length];
        // The longest first: a short one could take what only fits a longer one otherwise.
        IntStream.range(0, lengths.length).boxed()
                .sorted(Comparator.comparingLong((Integer index) -> lengths[index]).reversed())
                .forEach(index -> taken[index] = poll(lengths[index]));
        List<Slab> slabs = new ArrayList<>();
        try {
            for (int index = 0; index < lengths.length; index++) {
                Slab kept = taken[index];
                slabs.add(kept == null ? allocate(lengths[index]) : kept);
                taken[index] = null;
            }
            return slabs;
        } catch (OutOfMemoryError | RuntimeException error) {
            slabs.forEach(Slab::close);
            for (Slab kept : taken) {
                if (kept != null) {
                    kept.close();
                }
            }
            throw error;
        }
    }

    private @Nullable Slab poll(long length) {
        Map.Entry<Long, ArrayDeque<Slab>> found = slabsByLength.ceilingEntry(length);
        if (found == null || found.getKey() - length > found.getKey() / WASTE_DIVISOR) {
            return null;
        }
        Slab slab = found.getValue().removeLast();
        if (found.getValue().isEmpty()) {
            slabsByLength.remove(found.getKey());
        }
        bytes.addAndGet(-slab.bytes());
        return slab;
    }

    private Slab allocate(long length) {
        release();
        return fresh(length);
    }

    private Slab fresh(long length) {
        Slab slab = Slab.allocate(length);
        allocatedBytes.addAndGet(length);
        return slab;
    }

    /** Keeps memory that nobody uses any more. */
    void keep(Slab slab) {
        if (slab.bytes() == 0) {
            slab.close();
            return;
        }
        slabsByLength.computeIfAbsent(slab.bytes(), length -> new ArrayDeque<>()).add(slab);
        bytes.addAndGet(slab.bytes());
    }

    /** Frees what is kept. */
    public void release() {
        slabsByLength.values().forEach(slabs -> slabs.forEach(Slab::close));
        slabsByLength.clear();
        bytes.set(0);
    }
}
