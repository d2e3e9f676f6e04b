package org.restorej.storage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.restorej.placement.Residency;

/**
 * The replicas that one PE holds of one generation: a region for each run of positions that placement or ring gives it,
 * an off-heap allocation of exactly the size of its blocks.
 *
 * <p>
 * Owned by one generation of the store, which closes it; after {@link #close} every access throws. Finding a region
 * takes logarithmic time in their number, which is K without replenishment. One thread.
 */
public final class ReplicaMemory implements AutoCloseable {
    /** Regions begin on cache lines. */
    private static final int ALIGNMENT_BYTES = 64;

    private final long blockSizeBytes;
    private final long[] firstPositions;
    private final long[] ends;
    private final MemorySegment[] regions;
    private final Arena arena;
    /** Owns the regions that were there before this memory was extended. */
    private final @Nullable ReplicaMemory extended;

    /**
     * Memory with the regions of another one and new ones.
     *
     * @param extended the other one, which belongs to this one from now on
     * @param added the new ones
     */
    private ReplicaMemory(long blockSizeBytes, @Nullable ReplicaMemory extended, Regions added) {
        this.blockSizeBytes = blockSizeBytes;
        this.extended = extended;
        long[] addedFirsts = added.firsts();
        long[] addedEnds = added.ends();
        // Shared, since a program may close its store from another thread than the one that filled it.
        arena = Arena.ofShared();
        MemorySegment[] allocated = new MemorySegment[addedFirsts.length];
        try {
            for (int region = 0; region < allocated.length; region++) {
                long bytes = Math.multiplyExact(addedEnds[region] - addedFirsts[region], blockSizeBytes);
                allocated[region] = arena.allocate(bytes, ALIGNMENT_BYTES);
            }
        } catch (OutOfMemoryError error) {
            arena.close();
            throw error;
        }
        if (extended == null) {
            firstPositions = addedFirsts;
            ends = addedEnds;
            regions = allocated;
        } else {
            int total = extended.regions.length + allocated.length;
            firstPositions = new long[total];
            ends = new long[total];
            regions = new MemorySegment[total];
            merge(extended, addedFirsts, addedEnds, allocated);
        }
    }

    private void merge(ReplicaMemory old, long[] addedFirsts, long[] addedEnds, MemorySegment[] added) {
        int fromOld = 0;
        int fromAdded = 0;
        for (int region = 0; region < regions.length; region++) {
            boolean takesOld = fromAdded == added.length || (fromOld < old.regions.length
                    && old.firstPositions[fromOld] < addedFirsts[fromAdded]);
            firstPositions[region] = takesOld ? old.firstPositions[fromOld] : addedFirsts[fromAdded];
            ends[region] = takesOld ? old.ends[fromOld] : addedEnds[fromAdded];
            regions[region] = takesOld ? old.regions[fromOld++] : added[fromAdded++];
        }
    }

    /**
     * Memory for everything that an original rank is to hold.
     *
     * @param residency where the replicas are
     * @param originalRank the PE; -1 holds nothing
     * @param blockSizeBytes size of a block
     * @throws OutOfMemoryError when the memory is not to be had; nothing is kept then
     */
    public static ReplicaMemory allocate(Residency residency, int originalRank, long blockSizeBytes) {
        Regions regions = new Regions();
        residency.forEachPartHeldBy(originalRank, regions::add);
        return new ReplicaMemory(blockSizeBytes, null, regions);
    }

    /**
     * Memory with what is here and what an original rank is to hold besides. Nothing is copied: the regions that are
     * here already belong to the new memory as well, until {@link #closeExtension} or, with it, {@link #close}.
     *
     * @throws OutOfMemoryError when the memory is not to be had; this memory is as it was then
     */
    public ReplicaMemory extendedFor(Residency residency, int originalRank) {
        Regions added = new Regions();
        residency.forEachPartHeldBy(originalRank, (first, end) -> {
            if (!contains(first, end - first)) {
                added.add(first, end);
            }
        });
        return new ReplicaMemory(blockSizeBytes, this, added);
    }

    /** Bytes of all replicas. */
    public long bytes() {
        long bytes = 0;
        for (MemorySegment region : regions) {
            bytes += region.byteSize();
        }
        return bytes;
    }

    /** Whether these positions are here, all in one region. */
    public boolean contains(long position, long count) {
        int region = regionOf(position);
        return region >= 0 && position <= ends[region] && count <= ends[region] - position;
    }

    /**
     * The memory of consecutive positions.
     *
     * @return {@code count} times the block size in bytes
     * @throws IllegalArgumentException when they are not all in one region of this PE
     */
    public MemorySegment at(long position, long count) {
        int region = regionOf(position);
        if (region < 0 || position > ends[region] || count > ends[region] - position) {
            throw new IllegalArgumentException("this PE holds no replica of all positions " + position + ".."
                    + (position + count - 1));
        }
        return regions[region].asSlice((position - firstPositions[region]) * blockSizeBytes, count * blockSizeBytes);
    }

    private int regionOf(long position) {
        int found = Arrays.binarySearch(firstPositions, position);
        return found >= 0 ? found : -found - 2;
    }

    /** Frees only the regions that an extension has added; the memory that was extended is on its own again. */
    public void closeExtension() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    /** Frees the memory. Nothing may be using it any more; a second call does nothing. */
    @Override
    public void close() {
        closeExtension();
        if (extended != null) {
            extended.close();
        }
    }
}
