package org.restorej.internal.storage;

import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.Long2LongSortedMap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.placement.ChunkGrid;

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
        List<ReplicaRun.Outline> outlines = new ArrayList<>();
        List<PooledMemory> memories = new ArrayList<>();
        try {
            for (Long2LongMap.Entry run : runs.long2LongEntrySet()) {
                PooledMemory memory = pool.open();
                memories.add(memory);
                outlines.add(outline(run.getLongKey(), run.getLongValue(),
                        (bytes, alignment) -> memory.allocateReplica(roundedUp(bytes)).asSlice(0, bytes)));
            }
            List<Slab> slabs = pool.takeReplicas(outlines.stream().mapToLong(each -> each.layout().bytes()).toArray());
            List<ReplicaRun> allocated = new ArrayList<>();
            for (int run = 0; run < slabs.size(); run++) {
                PooledMemory memory = memories.get(run);
                allocated.add(outlines.get(run).in(memory.add(slabs.get(run)).memory(), memory));
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
        List<ReplicaRun.Outline> outlines = new ArrayList<>();
        PooledMemory memory = pool.open();
        try {
            long bytes = 0;
            for (Long2LongMap.Entry run : runs.long2LongEntrySet()) {
                outlines.add(outline(run.getLongKey(), run.getLongValue(), memory));
                bytes += aligned(outlines.getLast().layout().bytes());
            }
            List<ReplicaRun> allocated = new ArrayList<>();
            MemorySegment blocks = outlines.isEmpty() ? MemorySegment.NULL : memory.allocateOwn(bytes);
            long offset = 0;
            for (ReplicaRun.Outline outline : outlines) {
                allocated.add(outline.in(blocks.asSlice(offset), memory));
                offset += aligned(outline.layout().bytes());
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

    /** Finds layout and checksums of one run. */
    private ReplicaRun.Outline outline(long first, long end, SegmentAllocator allocator) {
        ReplicaRunChecksums checksums = grid == null ? null : new ReplicaRunChecksums(grid, first, end, allocator);
        return new ReplicaRun.Outline(first, layouts.of(first, end, allocator), checksums);
    }
}
