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
import org.jspecify.annotations.Nullable;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.placement.ReplicaMap;

/**
 * The replicas that one PE holds of one generation: a run for each block range, or piece of one, that placement or ring
 * gives it, with exactly as much memory as its blocks have bytes, and a checksum for each of its chunks.
 *
 * <p>
 * Owned by one generation of the store, which closes it; after {@link #close} every access throws. A memory may share
 * runs with the one that it was made from. Finding a run takes logarithmic time in their number, which is K without
 * replenishment. One thread.
 */
public final class ReplicaMemory implements BlockMemory, AutoCloseable {
    private final SegmentPool pool;
    private final @Nullable ChunkGrid grid;
    /** Of blocks, or of their sizes, that are coded and have different sizes; otherwise null. */
    private final @Nullable CodedLayout rows;
    private final ReplicaRun[] runs;
    private final long[] firstPositions;

    private ReplicaMemory(SegmentPool pool, @Nullable ChunkGrid grid, @Nullable CodedLayout rows,
            List<ReplicaRun> unordered) {
        this.pool = pool;
        this.grid = grid;
        this.rows = rows;
        runs = unordered.toArray(ReplicaRun[]::new);
        Arrays.sort(runs, Comparator.comparingLong(ReplicaRun::first));
        firstPositions = Arrays.stream(runs).mapToLong(ReplicaRun::first).toArray();
    }

    /**
     * Memory for everything that a store rank is to hold, of blocks of one size.
     *
     * @param replicaMap where the replicas are
     * @param storeRank the PE; -1 holds nothing
     * @param blockSizeBytes size of a block
     * @param grid cuts it into chunks that have checksums, or null for none
     * @param pool gives the memory, which is not cleared
     * @throws OutOfMemoryError when the memory is not to be had; nothing is kept then
     */
    public static ReplicaMemory allocate(ReplicaMap replicaMap, int storeRank, long blockSizeBytes,
            @Nullable ChunkGrid grid, SegmentPool pool) {
        CodedLayout layout = replicaMap.ring().layout();
        CodedLayout rows = layout != null && layout.isVariable() ? layout : null;
        return new ReplicaMemory(pool, grid, rows,
                ReplicaRun.each(replicaMap.runsHeldBy(storeRank), uniform(blockSizeBytes, rows), grid, pool));
    }

    /**
     * Memory for blocks of any sizes.
     *
     * @param sizes the sizes of the blocks that are to be held, {@value VariableLayout#SIZE_BYTES} bytes each; must not
     *        change any more, and be closed after this memory
     * @param pool gives the memory
     */
    public static ReplicaMemory allocate(ReplicaMemory sizes, @Nullable ChunkGrid grid, SegmentPool pool) {
        return new ReplicaMemory(pool, grid, sizes.rows,
                ReplicaRun.each(sizes.bounds(_ -> true), sizes.layouts(), grid, pool));
    }

    /** Of blocks of one size; of coded sizes, a position of parity has those of a block of each data cell. */
    private static ReplicaRun.Layouts uniform(long blockSizeBytes, @Nullable CodedLayout rows) {
        return (first, end, _) -> new UniformLayout(end - first,
                rows != null && rows.isParity(first) ? rows.dataParts() * blockSizeBytes : blockSizeBytes);
    }

    /** Of the blocks whose sizes are in this memory. */
    private ReplicaRun.Layouts layouts() {
        CodedLayout layout = rows;
        if (layout == null) {
            // So that damaged sizes of one chunk don't move the blocks of others.
            ChunkGrid chunks = grid;
            return (first, end, allocator) -> chunks == null
                    ? new VariableLayout(at(first, end - first), allocator)
                    : new VariableLayout(at(first, end - first), new RunChunks(chunks, first, end), allocator);
        }
        return (first, end, allocator) -> layout.isParity(first)
                ? new RowLayout(at(first, end - first), layout.dataParts(), layout.cellBlocks(), allocator)
                : new VariableLayout(at(first, end - first), layout.cellBlocks(), allocator);
    }

    /** Where some of the runs begin, and by that where they end. */
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
     * Memory with what is here and what a store rank is to hold besides. Nothing is copied: the runs that are
     * here already belong to the new memory as well, until {@link #closeAllBut} decides whose they are.
     *
     * @throws OutOfMemoryError when the memory is not to be had; this memory is as it was then
     */
    public ReplicaMemory extendedFor(ReplicaMap replicaMap, int storeRank, long blockSizeBytes) {
        Long2LongSortedMap added = replicaMap.runsHeldBy(storeRank);
        added.long2LongEntrySet().removeIf(run -> contains(run.getLongKey(), run.getLongValue() - run.getLongKey()));
        return extended(added, uniform(blockSizeBytes, rows));
    }

    /** Memory with the runs that are here and whose first positions pass a test; nothing is freed. */
    public ReplicaMemory only(LongPredicate test) {
        return new ReplicaMemory(pool, grid, rows, Arrays.stream(runs).filter(run -> test.test(run.first())).toList());
    }

    /** Memory with what is here and the blocks whose sizes are in another, extended memory. */
    public ReplicaMemory extendedFor(ReplicaMemory extendedSizes) {
        return extended(extendedSizes.bounds(run -> !contains(run.first(), run.end() - run.first())),
                extendedSizes.layouts());
    }

    private ReplicaMemory extended(Long2LongSortedMap added, ReplicaRun.Layouts layouts) {
        List<ReplicaRun> all = new ArrayList<>(Arrays.asList(runs));
        all.addAll(ReplicaRun.together(added, layouts, grid, pool));
        return new ReplicaMemory(pool, grid, rows, all);
    }

    public long bytes() {
        return Arrays.stream(runs).mapToLong(ReplicaRun::bytes).sum();
    }

    /** Bytes of checksums, and of layouts besides their sizes. */
    public long overheadBytes() {
        return Arrays.stream(runs).mapToLong(ReplicaRun::overheadBytes).sum();
    }

    /** All that is here, by ascending positions. */
    List<ReplicaRun> runs() {
        return List.of(runs);
    }

    /** Takes consecutive positions. */
    @FunctionalInterface
    public interface RunConsumer {
        /** Takes {@code count} positions from the first one on. */
        void accept(long first, long count);
    }

    /** The runs of positions that are here, ascending. */
    public void forEachRun(RunConsumer consumer) {
        for (ReplicaRun run : runs) {
            consumer.accept(run.first(), run.end() - run.first());
        }
    }

    /** Whether these positions are here, all in one run. */
    public boolean contains(long position, long count) {
        int run = runIndex(position);
        return run >= 0 && runs[run].contains(position, count);
    }

    /**
     * The memory of consecutive positions.
     *
     * @throws IllegalArgumentException when they are not all in one run of this PE
     */
    @Override
    public MemorySegment at(long position, long count) {
        return runOf(position, count).at(position, count);
    }

    @Override
    public MemorySegment checksums(long position, long count) {
        return runOf(position, count).checksums(position, count);
    }

    /** Bytes before a block of a data cell, of which the parity cell at a position is a sum. */
    public long bytesBefore(long parityCell, int dataPart, long block) {
        return runOf(parityCell, 1).bytesBefore(parityCell, dataPart, block);
    }

    /** Whether the bytes of a chunk fit its checksum; always, where there are none. */
    public boolean isSound(long chunkFirst) {
        return runOf(chunkFirst, 1).isSound(chunkFirst);
    }

    /** Takes the checksum of a chunk from its bytes. */
    public void seal(long chunkFirst) {
        runOf(chunkFirst, 1).seal(chunkFirst);
    }

    /** The run that positions lie in. */
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

    /** Frees the memory, except for what another one uses too. A second call does nothing. */
    public void closeAllBut(ReplicaMemory other) {
        memoriesBut(other).forEach(PooledMemory::close);
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

    /** The memory of its runs, except for what another one uses too. */
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
