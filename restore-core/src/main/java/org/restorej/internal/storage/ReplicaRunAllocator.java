package org.restorej.internal.storage;

import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.Long2LongSortedMap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.storage.SegmentPool.Slab;

/**
 * Takes the memory of runs of replicas, all of them or, with an error, none.
 *
 * @param grid cuts them into chunks that have checksums, or null for none
 * @param layouts finds the layout of a run
 */
record ReplicaRunAllocator(@Nullable ChunkGrid grid, LayoutOfRun layouts) {
    /** Slabs of layouts and checksums are multiples of this, so that they fit runs of about the same length. */
    private static final long OUTLINE_MULTIPLE_BYTES = 4096;

    /** Runs begin on cache lines. */
    private static final long ALIGNMENT_BYTES = 64;

    /** Finds the layout of a run; what it needs comes from an allocator. */
    @FunctionalInterface
    interface LayoutOfRun {
        BlockLayout of(long first, long end, SegmentAllocator allocator);
    }

    /** Runs with memory of their own each, so that each can be replaced, and its memory serve others. */
    List<ReplicaRun> each(Long2LongSortedMap runs, SegmentPool pool) {
        List<ReplicaRun> allocated = new ArrayList<>();
        List<PooledMemory> memories = new ArrayList<>();
        try {
            for (Long2LongMap.Entry run : runs.long2LongEntrySet()) {
                PooledMemory memory = pool.open();
                memories.add(memory);
                allocated.add(outline(run, memory,
                        (bytes, alignment) -> memory.allocateReplica(roundedUp(bytes)).asSlice(0, bytes)));
            }
            List<Slab> slabs = pool.takeReplicas(allocated.stream().mapToLong(ReplicaRun::bytes).toArray());
            for (int run = 0; run < slabs.size(); run++) {
                allocated.get(run).put(memories.get(run).add(slabs.get(run)).memory());
            }
            return allocated;
        } catch (OutOfMemoryError | RuntimeException error) {
            memories.forEach(PooledMemory::close);
            throw error;
        }
    }

    private static long roundedUp(long bytes) {
        return (bytes + OUTLINE_MULTIPLE_BYTES - 1) / OUTLINE_MULTIPLE_BYTES * OUTLINE_MULTIPLE_BYTES;
    }

    /**
     * Runs with common memory, since there may be thousands of pieces, and opening and closing an arena takes
     * microseconds.
     */
    List<ReplicaRun> together(Long2LongSortedMap runs, SegmentPool pool) {
        List<ReplicaRun> allocated = new ArrayList<>();
        PooledMemory memory = pool.open();
        try {
            long bytes = 0;
            for (Long2LongMap.Entry run : runs.long2LongEntrySet()) {
                allocated.add(outline(run, memory, memory));
                bytes += aligned(allocated.getLast().bytes());
            }
            MemorySegment blocks = allocated.isEmpty() ? MemorySegment.NULL : memory.allocateOwn(bytes);
            long offset = 0;
            for (ReplicaRun run : allocated) {
                run.put(blocks.asSlice(offset));
                offset += aligned(run.bytes());
            }
            return allocated;
        } catch (OutOfMemoryError | RuntimeException error) {
            memory.close();
            throw error;
        }
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    /** A run with layout and checksums. */
    private ReplicaRun outline(Long2LongMap.Entry run, PooledMemory memory, SegmentAllocator allocator) {
        long first = run.getLongKey();
        return new ReplicaRun(first, layouts.of(first, run.getLongValue(), allocator), grid, memory, allocator);
    }
}
