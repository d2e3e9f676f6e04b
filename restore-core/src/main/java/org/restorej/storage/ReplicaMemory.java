package org.restorej.storage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.restorej.placement.Residency;

/**
 * The replicas that one PE holds of one generation: disjoint regions of consecutive positions, each a piece of one
 * off-heap allocation of exactly the size of its blocks.
 *
 * <p>
 * Owned by one generation of the store, which closes it; after {@link #close} every access throws. Looking up a region
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
    private final long bytes;

    private ReplicaMemory(long blockSizeBytes, long[] firstPositions, long[] ends) {
        this.blockSizeBytes = blockSizeBytes;
        this.firstPositions = firstPositions;
        this.ends = ends;
        regions = new MemorySegment[firstPositions.length];
        // Shared, since a program may close its store from another thread than the one that filled it.
        arena = Arena.ofShared();
        long total = 0;
        try {
            for (int region = 0; region < regions.length; region++) {
                long regionBytes = Math.multiplyExact(ends[region] - firstPositions[region], blockSizeBytes);
                regions[region] = arena.allocate(regionBytes, ALIGNMENT_BYTES);
                total += regionBytes;
            }
        } catch (OutOfMemoryError error) {
            arena.close();
            throw error;
        }
        bytes = total;
    }

    /**
     * Memory for everything that an original rank holds.
     *
     * @param residency where the replicas are
     * @param originalRank the PE
     * @param blockSizeBytes size of a block
     * @throws OutOfMemoryError when the memory is not to be had; nothing is kept then
     */
    public static ReplicaMemory allocate(Residency residency, int originalRank, long blockSizeBytes) {
        Regions regions = new Regions();
        residency.forEachPartHeldBy(originalRank, regions::add);
        return new ReplicaMemory(blockSizeBytes, regions.firsts(), regions.ends());
    }

    /** Number of regions. */
    public int regionCount() {
        return regions.length;
    }

    /** First position of a region, {@code 0 <= region < regionCount()}, ascending. */
    public long firstPosition(int region) {
        return firstPositions[region];
    }

    /** First position after a region. */
    public long end(int region) {
        return ends[region];
    }

    /** Bytes of all replicas. */
    public long bytes() {
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

    /** The region that a position lies in; some other, or -1, when it lies in none. */
    public int regionOf(long position) {
        int found = Arrays.binarySearch(firstPositions, position);
        return found >= 0 ? found : -found - 2;
    }

    /** Frees the memory. Nothing may be using it any more; a second call does nothing. */
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
