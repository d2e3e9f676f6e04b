package org.restorej.internal.storage;

import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectRBTreeMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectSortedMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.placement.ChunkGrid;

/**
 * New contents of some blocks that a PE holds, kept apart until they are to replace the old ones. Takes as much memory
 * as they have bytes. One thread.
 */
public final class ChangedBlocks implements BlockMemory, AutoCloseable {
    private record ChangedRun(long count, MemorySegment bytes) {}

    private final long blockSizeBytes;
    private final @Nullable ChangedBlocks sizes;
    private final Long2ObjectRBTreeMap<ChangedRun> runs = new Long2ObjectRBTreeMap<>();
    private final PooledMemory memory;

    private ChangedBlocks(long blockSizeBytes, @Nullable ChangedBlocks sizes, PooledMemory memory) {
        this.memory = memory;
        this.blockSizeBytes = blockSizeBytes;
        this.sizes = sizes;
    }

    /** Room for blocks of one size. */
    public static ChangedBlocks ofSize(long blockSizeBytes, SegmentPool pool) {
        return new ChangedBlocks(blockSizeBytes, null, pool.open());
    }

    /** Room for blocks whose sizes have come already. */
    public static ChangedBlocks ofSizes(ChangedBlocks sizes, SegmentPool pool) {
        return new ChangedBlocks(0, sizes, pool.open());
    }

    public long[] firstPositions() {
        return runs.keySet().toLongArray();
    }

    /** First positions of all chunks that have a changed block; behind all positions are none. */
    public LongSet touchedChunks(ChunkGrid grid) {
        LongSet chunks = new LongOpenHashSet();
        long endPosition = grid.ring().placement().blockCount();
        for (Long2ObjectMap.Entry<ChangedRun> run : announced().runs.headMap(endPosition).long2ObjectEntrySet()) {
            long end = run.getLongKey() + run.getValue().count();
            for (long chunk = grid.chunkFirst(run.getLongKey()); chunk < end; chunk = grid.chunkEnd(chunk)) {
                chunks.add(chunk);
            }
        }
        return chunks;
    }

    /** What names every changed block: a run of empty ones may not come here, but their sizes do. */
    private ChangedBlocks announced() {
        return sizes == null ? this : sizes;
    }

    /** Takes changed blocks. */
    @FunctionalInterface
    public interface RunConsumer {
        /** Takes {@code count} blocks from a position on. */
        void accept(long position, long count, MemorySegment bytes);
    }

    /** The runs that have come, by ascending positions. */
    public void forEachRun(RunConsumer consumer) {
        runs.forEach((position, run) -> consumer.accept(position, run.count(), run.bytes()));
    }

    /** Has the changed blocks written over the old ones, which have the same sizes. */
    public void writeTo(ReplicaMemory replicas, Overwrites overwrites) {
        runs.forEach((position, run) -> overwrites.add(run.bytes(), replicas.at(position, run.count())));
    }

    private static void writeTo(ReplicaMemory replicas, Long2ObjectSortedMap<ChangedRun> runs) {
        for (Long2ObjectMap.Entry<ChangedRun> run : runs.long2ObjectEntrySet()) {
            replicas.at(run.getLongKey(), run.getValue().count()).copyFrom(run.getValue().bytes());
        }
    }

    /**
     * Fills a fresh memory with the changed blocks and, between them, the old ones.
     *
     * @param old has all runs of the fresh memory
     */
    public void merge(ReplicaMemory old, ReplicaMemory fresh) {
        for (ReplicaRun target : fresh.runs()) {
            long end = target.end();
            fresh.checksums(target.first(), end - target.first())
                    .copyFrom(old.checksums(target.first(), end - target.first()));
            long next = target.first();
            for (Long2ObjectMap.Entry<ChangedRun> run : announced().runs.subMap(next, end).long2ObjectEntrySet()) {
                fresh.copyFrom(old, next, run.getLongKey());
                next = run.getLongKey() + run.getValue().count();
            }
            fresh.copyFrom(old, next, end);
            writeTo(fresh, runs.subMap(target.first(), end));
        }
    }

    public long bytes() {
        return runs.values().stream().mapToLong(run -> run.bytes().byteSize()).sum();
    }

    /** The memory of a run, which is allocated when it is first asked for. */
    @Override
    public MemorySegment at(long position, long count) {
        ChangedRun known = runs.get(position);
        if (known != null && known.count() == count) {
            return known.bytes();
        }
        long bytes = sizes == null ? count * blockSizeBytes : sizes.sum(position, count);
        ChangedRun added = new ChangedRun(count, memory.allocate(bytes, Long.BYTES));
        runs.put(position, added);
        return added.bytes();
    }

    /** The sum of the sizes of some blocks, which may have come in several runs. */
    private long sum(long position, long count) {
        long sum = 0;
        long next = position;
        while (next < position + count) {
            long first = runs.headMap(next + 1).lastLongKey();
            ChangedRun run = runs.get(first);
            long end = Math.min(position + count, first + run.count());
            for (; next < end; next++) {
                sum += VariableLayout.size(run.bytes(), next - first);
            }
        }
        return sum;
    }

    /** Changed blocks have none: the holder makes new ones for their chunks. */
    @Override
    public MemorySegment checksums(long position, long count) {
        return MemorySegment.NULL;
    }

    /** What the blocks are in. */
    public PooledMemory memory() {
        return memory;
    }

    /** {@inheritDoc} A second call does nothing. */
    @Override
    public void close() {
        memory.close();
    }
}
