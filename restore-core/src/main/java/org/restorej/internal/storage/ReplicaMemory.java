package org.restorej.internal.storage;

import it.unimi.dsi.fastutil.longs.Long2LongRBTreeMap;
import it.unimi.dsi.fastutil.longs.Long2LongSortedMap;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.ReplicaMap;

/**
 * The replicas that one PE holds of one generation: a region for each run of positions that placement or ring gives it,
 * an off-heap allocation of exactly the size of its blocks, with a checksum for each of its chunks.
 *
 * <p>
 * Owned by one generation of the store, which closes it; after {@link #close} every access throws. A memory may share
 * regions with the one that it was made from. Finding a region takes logarithmic time in their number, which is K
 * without replenishment. One thread.
 */
public final class ReplicaMemory implements BlockMemory, AutoCloseable {
    private final SegmentPool pool;
    private final @Nullable ChunkGrid grid;
    private final Region[] regions;
    private final long[] firstPositions;

    private ReplicaMemory(SegmentPool pool, @Nullable ChunkGrid grid, List<Region> unordered) {
        this.pool = pool;
        this.grid = grid;
        regions = unordered.toArray(Region[]::new);
        Arrays.sort(regions, Comparator.comparingLong(Region::first));
        firstPositions = Arrays.stream(regions).mapToLong(Region::first).toArray();
    }

    /** Takes the positions {@code first .. first + count - 1}. */
    @FunctionalInterface
    public interface RunConsumer {
        /** Takes one run. */
        void accept(long first, long count);
    }

    /**
     * Memory for everything that a store rank is to hold, of blocks of one size.
     *
     * @param residency where the replicas are
     * @param originalRank the PE; -1 holds nothing
     * @param blockSizeBytes size of a block
     * @param grid cuts it into chunks that have checksums, or null for none
     * @param pool gives the memory, which is not cleared
     * @throws OutOfMemoryError when the memory is not to be had; nothing is kept then
     */
    public static ReplicaMemory allocate(ReplicaMap residency, int originalRank, long blockSizeBytes,
            @Nullable ChunkGrid grid, SegmentPool pool) {
        Long2LongSortedMap runs = new Long2LongRBTreeMap();
        residency.forEachPartHeldBy(originalRank, (first, end) -> addRun(runs, first, end));
        return new ReplicaMemory(pool, grid, uniform(grid, blockSizeBytes).each(runs, pool));
    }

    /** The same, all of it fresh. */
    public static ReplicaMemory allocate(ReplicaMap residency, int originalRank, long blockSizeBytes,
            @Nullable ChunkGrid grid) {
        return allocate(residency, originalRank, blockSizeBytes, grid, new SegmentPool());
    }

    /**
     * Memory for blocks of any sizes.
     *
     * @param sizes the sizes of the blocks that are to be held, {@value VariableLayout#SIZE_BYTES} bytes each; must not
     *        change any more, and be closed after this memory
     * @param pool gives the memory
     */
    public static ReplicaMemory allocate(ReplicaMemory sizes, @Nullable ChunkGrid grid, SegmentPool pool) {
        Long2LongSortedMap runs = new Long2LongRBTreeMap();
        for (Region region : sizes.regions) {
            runs.put(region.first(), region.end());
        }
        return new ReplicaMemory(pool, grid, sizes.variable(grid).each(runs, pool));
    }

    /** Ranges may be empty. */
    private static void addRun(Long2LongSortedMap runs, long first, long end) {
        if (first < end) {
            runs.put(first, end);
        }
    }

    private static RegionAllocator uniform(@Nullable ChunkGrid grid, long blockSizeBytes) {
        return new RegionAllocator(grid, (first, end, allocator) -> new UniformLayout(end - first, blockSizeBytes));
    }

    /** For the blocks whose sizes are in this memory. */
    private RegionAllocator variable(@Nullable ChunkGrid blockGrid) {
        return new RegionAllocator(blockGrid,
                (first, end, allocator) -> new VariableLayout(at(first, end - first), allocator));
    }

    /**
     * Memory with what is here and what a store rank is to hold besides. Nothing is copied: the regions that are
     * here already belong to the new memory as well, until {@link #closeAllBut} decides whose they are.
     *
     * @throws OutOfMemoryError when the memory is not to be had; this memory is as it was then
     */
    public ReplicaMemory extendedFor(ReplicaMap residency, int originalRank, long blockSizeBytes) {
        Long2LongSortedMap added = new Long2LongRBTreeMap();
        residency.forEachPartHeldBy(originalRank, (first, end) -> {
            if (!contains(first, end - first)) {
                addRun(added, first, end);
            }
        });
        return extended(added, uniform(grid, blockSizeBytes));
    }

    /** Memory with what is here and the blocks whose sizes are in another, extended memory. */
    public ReplicaMemory extendedFor(ReplicaMemory extendedSizes) {
        Long2LongSortedMap added = new Long2LongRBTreeMap();
        for (Region region : extendedSizes.regions) {
            if (!contains(region.first(), region.end() - region.first())) {
                added.put(region.first(), region.end());
            }
        }
        return extended(added, extendedSizes.variable(grid));
    }

    private ReplicaMemory extended(Long2LongSortedMap added, RegionAllocator allocator) {
        List<Region> all = new ArrayList<>(Arrays.asList(regions));
        all.addAll(allocator.together(added, pool));
        return new ReplicaMemory(pool, grid, all);
    }

    /** Memory of the same positions in which some regions, those of the other memory, are replaced by its. */
    public ReplicaMemory with(ReplicaMemory replacements) {
        List<Region> all = new ArrayList<>(Arrays.asList(replacements.regions));
        for (Region region : regions) {
            if (!replacements.contains(region.first(), region.end() - region.first())) {
                all.add(region);
            }
        }
        return new ReplicaMemory(pool, grid, all);
    }

    /** Other memory for blocks of any sizes, of the regions whose sizes are in a memory; for {@link #with}. */
    public ReplicaMemory replacementFor(ReplicaMemory sizes) {
        return allocate(sizes, grid, pool);
    }

    /** Other memory like this one's regions that contain any of the given positions; for {@link #with}. */
    public ReplicaMemory replacementAt(long[] positions, long blockSizeBytes) {
        Long2LongSortedMap touched = new Long2LongRBTreeMap();
        for (Region region : regions) {
            if (Arrays.stream(positions).anyMatch(position -> region.contains(position, 1))) {
                touched.put(region.first(), region.end());
            }
        }
        return new ReplicaMemory(pool, grid, uniform(grid, blockSizeBytes).each(touched, pool));
    }

    /** Bytes of all blocks. */
    public long bytes() {
        long bytes = 0;
        for (Region region : regions) {
            bytes += region.bytes().byteSize();
        }
        return bytes;
    }

    /** Bytes of checksums, and of layouts besides their sizes. */
    public long overheadBytes() {
        long bytes = 0;
        for (Region region : regions) {
            bytes += region.overheadBytes();
        }
        return bytes;
    }

    /** Number of blocks here. */
    public long blockCount() {
        long blocks = 0;
        for (Region region : regions) {
            blocks += region.end() - region.first();
        }
        return blocks;
    }

    /** All that is here, region by region. */
    public void forEachRegion(RunConsumer consumer) {
        for (Region region : regions) {
            consumer.accept(region.first(), region.end() - region.first());
        }
    }

    /** First position of the region that a position lies in. */
    public long regionFirst(long position) {
        return regionOf(position, 1).first();
    }

    /** First position after the region that a position lies in. */
    public long regionEnd(long position) {
        return regionOf(position, 1).end();
    }

    /** Whether these positions are here, all in one region. */
    public boolean contains(long position, long count) {
        int region = regionIndex(position);
        return region >= 0 && regions[region].contains(position, count);
    }

    /**
     * The memory of consecutive positions.
     *
     * @throws IllegalArgumentException when they are not all in one region of this PE
     */
    @Override
    public MemorySegment at(long position, long count) {
        return regionOf(position, count).at(position, count);
    }

    @Override
    public long bytes(long position, long count) {
        return regionOf(position, count).bytes(position, count);
    }

    @Override
    public MemorySegment checksums(long position, long count) {
        RegionChecksums checksums = regionOf(position, count).checksums();
        return checksums == null ? MemorySegment.NULL : checksums.ofWholeChunks(position, count);
    }

    /** Whether the bytes of a chunk fit its checksum; always, where there are none. */
    public boolean isSound(long chunkFirst) {
        Region region = regionOf(chunkFirst, 1);
        return region.checksums() == null || (region.isLaidOut(chunkFirst, chunkEnd(region, chunkFirst))
                && region.checksums().at(chunkFirst) == checksumOf(region, chunkFirst));
    }

    /** Takes the checksum of a chunk from its bytes. */
    public void seal(long chunkFirst) {
        Region region = regionOf(chunkFirst, 1);
        if (region.checksums() != null) {
            region.checksums().set(chunkFirst, checksumOf(region, chunkFirst));
        }
    }

    private int checksumOf(Region region, long chunkFirst) {
        return Checksum.of(region.at(chunkFirst, chunkEnd(region, chunkFirst) - chunkFirst));
    }

    private long chunkEnd(Region region, long chunkFirst) {
        return grid == null ? region.end() : grid.chunkEnd(chunkFirst);
    }

    private Region regionOf(long position, long count) {
        int index = regionIndex(position);
        if (index < 0 || !regions[index].contains(position, count)) {
            throw new IllegalArgumentException("this PE holds no replica of all positions " + position + ".."
                    + (position + count - 1));
        }
        return regions[index];
    }

    private int regionIndex(long position) {
        int found = Arrays.binarySearch(firstPositions, position);
        return found >= 0 ? found : -found - 2;
    }

    /** Frees the memory, except for what another one uses too. A second call does nothing. */
    public void closeAllBut(ReplicaMemory other) {
        Set<PooledMemory> kept = other.memories();
        memories().stream().filter(memory -> !kept.contains(memory)).forEach(PooledMemory::close);
    }

    /**
     * Gives the memory to the replicas of later generations, except for what another one uses too. No message may be
     * under way in it.
     */
    public void retireAllBut(ReplicaMemory other) {
        Set<PooledMemory> kept = other.memories();
        memories().stream().filter(memory -> !kept.contains(memory)).forEach(PooledMemory::retire);
    }

    /** Gives the memory to the replicas of later generations; as {@link #close} otherwise. */
    public void retire() {
        memories().forEach(PooledMemory::retire);
    }

    /** Frees the memory. Nothing may be using it any more; a second call does nothing. */
    @Override
    public void close() {
        memories().forEach(PooledMemory::close);
    }

    private Set<PooledMemory> memories() {
        Set<PooledMemory> memories = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Region region : regions) {
            memories.add(region.memory());
        }
        return memories;
    }
}
