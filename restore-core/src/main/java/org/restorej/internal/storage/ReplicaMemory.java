package org.restorej.internal.storage;

import it.unimi.dsi.fastutil.longs.Long2LongRBTreeMap;
import it.unimi.dsi.fastutil.longs.Long2LongSortedMap;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.ReplicaMap;

/**
 * The replicas of one generation that one PE holds: a run for each block range, or piece of one, that placement or ring
 * assign to it. A run has exactly as much memory as its blocks have bytes, and a checksum for each of its chunks.
 *
 * <p>
 * Owned by one generation of the store, which closes it. After {@link #close} every access throws. A memory may share
 * runs with the one from which it was created. Finding a run takes logarithmic time in the number of runs, which is K
 * before the first replenishment. Not thread-safe.
 */
public final class ReplicaMemory implements BlockMemory, AutoCloseable {
    private final SegmentPool pool;
    private final ChunkGrid grid;
    private final ReplicaRun[] runs;
    private final long[] firstPositions;

    private ReplicaMemory(SegmentPool pool, ChunkGrid grid, List<ReplicaRun> unordered) {
        this.pool = pool;
        this.grid = grid;
        runs = unordered.toArray(ReplicaRun[]::new);
        Arrays.sort(runs, Comparator.comparingLong(ReplicaRun::first));
        firstPositions = Arrays.stream(runs).mapToLong(ReplicaRun::first).toArray();
    }

    /**
     * Allocates memory for all replicas of a store rank, for blocks of one size.
     *
     * @param replicaMap the places of the replicas
     * @param storeRank the PE; -1 holds nothing
     * @param blockSizeBytes size of a block
     * @param grid division into chunks with checksums
     * @param pool source of the memory, which is not cleared
     * @throws OutOfMemoryError if the memory can't be allocated; nothing stays allocated
     */
    public static ReplicaMemory allocate(ReplicaMap replicaMap, int storeRank, long blockSizeBytes,
            ChunkGrid grid, SegmentPool pool) {
        return new ReplicaMemory(pool, grid,
                ReplicaRun.each(replicaMap.runsHeldBy(storeRank), uniform(blockSizeBytes), grid, pool));
    }

    /**
     * Allocates memory for blocks of any sizes.
     *
     * @param sizes the sizes of the blocks, {@value VariableLayout#SIZE_BYTES} bytes each; must not change any more,
     *        and must be closed after this memory
     * @param pool source of the memory
     */
    public static ReplicaMemory allocate(ReplicaMemory sizes, SegmentPool pool) {
        return new ReplicaMemory(pool, sizes.grid,
                ReplicaRun.each(sizes.bounds(_ -> true), sizes.layouts(), sizes.grid, pool));
    }

    /** Layouts of blocks of one size. */
    private static ReplicaRun.Layouts uniform(long blockSizeBytes) {
        return (first, end, _) -> new UniformLayout(end - first, blockSizeBytes);
    }

    /** Layouts of the blocks whose sizes are in this memory. */
    private ReplicaRun.Layouts layouts() {
        // So that damaged sizes of one chunk don't move the blocks of others.
        return (first, end, allocator) -> new VariableLayout(at(first, end - first), new RunChunks(grid, first, end),
                allocator);
    }

    /** First positions of some of the runs, with the ends of these runs. */
    private Long2LongSortedMap bounds(Predicate<ReplicaRun> chosen) {
        Long2LongSortedMap bounds = new Long2LongRBTreeMap();
        for (ReplicaRun run : runs) {
            if (chosen.test(run)) {
                bounds.put(run.first(), run.end());
            }
        }
        return bounds;
    }

    /**
     * This memory, extended by memory for further replicas of a store rank. Copies nothing: the present runs belong to
     * the new memory as well, until {@link #closeAllBut} closes one of the two.
     *
     * @throws OutOfMemoryError if the memory can't be allocated; this memory is unchanged
     */
    public ReplicaMemory extendedFor(ReplicaMap replicaMap, int storeRank, long blockSizeBytes) {
        Long2LongSortedMap added = replicaMap.runsHeldBy(storeRank);
        added.long2LongEntrySet().removeIf(run -> contains(run.getLongKey(), run.getLongValue() - run.getLongKey()));
        return extended(added, uniform(blockSizeBytes));
    }

    /** A memory with the runs whose first positions pass a test, shared with this one. */
    public ReplicaMemory only(LongPredicate test) {
        return new ReplicaMemory(pool, grid, Arrays.stream(runs).filter(run -> test.test(run.first())).toList());
    }

    /** This memory, extended by memory for blocks whose sizes are in another, extended memory. */
    public ReplicaMemory extendedFor(ReplicaMemory extendedSizes) {
        return extended(extendedSizes.bounds(run -> !contains(run.first(), run.end() - run.first())),
                extendedSizes.layouts());
    }

    private ReplicaMemory extended(Long2LongSortedMap added, ReplicaRun.Layouts layouts) {
        List<ReplicaRun> all = new ArrayList<>(Arrays.asList(runs));
        all.addAll(ReplicaRun.together(added, layouts, grid, pool));
        return new ReplicaMemory(pool, grid, all);
    }

    public long bytes() {
        return Arrays.stream(runs).mapToLong(ReplicaRun::bytes).sum();
    }

    /** Bytes of checksums, and of layouts besides their sizes. */
    public long overheadBytes() {
        return Arrays.stream(runs).mapToLong(ReplicaRun::overheadBytes).sum();
    }

    /** All runs by ascending positions. */
    List<ReplicaRun> runs() {
        return List.of(runs);
    }

    /** Consumer of consecutive positions. */
    @FunctionalInterface
    public interface RunConsumer {
        /** Takes {@code count} positions, beginning with the first. */
        void accept(long first, long count);
    }

    /** Passes the runs of positions, ascending. */
    public void forEachRun(RunConsumer consumer) {
        for (ReplicaRun run : runs) {
            consumer.accept(run.first(), run.end() - run.first());
        }
    }

    /** Whether one run contains all these positions. */
    public boolean contains(long position, long count) {
        int run = runIndex(position);
        return run >= 0 && runs[run].contains(position, count);
    }

    /**
     * The memory of consecutive positions.
     *
     * @throws IllegalArgumentException if no run of this PE contains them all
     */
    @Override
    public MemorySegment at(long position, long count) {
        return runOf(position, count).at(position, count);
    }

    @Override
    public MemorySegment checksums(long position, long count) {
        return runOf(position, count).checksums(position, count);
    }

    /** Whether the bytes of a chunk match its checksum. */
    public boolean isSound(long chunkFirst) {
        return runOf(chunkFirst, 1).isSound(chunkFirst);
    }

    /** Computes the checksum of a chunk from its bytes. */
    public void seal(long chunkFirst) {
        runOf(chunkFirst, 1).seal(chunkFirst);
    }

    /** The run that contains positions. */
    ReplicaRun runOf(long position, long count) {
        int index = runIndex(position);
        if (index < 0 || !runs[index].contains(position, count)) {
            throw new IllegalArgumentException("this PE holds no replica of all positions " + position + ".."
                    + (position + count - 1));
        }
        return runs[index];
    }

    private int runIndex(long position) {
        int found = Arrays.binarySearch(firstPositions, position);
        return found >= 0 ? found : -found - 2;
    }

    /** Frees the memory of the runs that another memory doesn't share. A second call does nothing. */
    public void closeAllBut(ReplicaMemory other) {
        memoriesBut(other).forEach(PooledMemory::close);
    }

    /** Makes the memory available for the replicas of later generations; otherwise as {@link #close}. */
    public void retire() {
        memories().forEach(PooledMemory::retire);
    }

    /** Frees the memory, which must not be in use. A second call does nothing. */
    @Override
    public void close() {
        memories().forEach(PooledMemory::close);
    }

    /** The memory of the runs that another memory doesn't share. */
    public Set<PooledMemory> memoriesBut(ReplicaMemory other) {
        Set<PooledMemory> memories = memories();
        memories.removeAll(other.memories());
        return memories;
    }

    private Set<PooledMemory> memories() {
        Set<PooledMemory> memories = new HashSet<>();
        for (ReplicaRun run : runs) {
            memories.add(run.memory());
        }
        return memories;
    }
}
