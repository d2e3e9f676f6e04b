package org.restorej.internal.storage;

import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.Long2LongSortedMap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.storage.SegmentPool.Slab;

/**
 * Replica memory of consecutive positions: the blocks, and the checksums of their chunks. Checksums have 4 bytes each,
 * in the order of the chunks, off-heap so that they can be sent like blocks. A run begins and ends at boundaries of
 * pieces of block ranges.
 */
final class ReplicaRun {
    /** Slabs of layouts and checksums are multiples of this, so that runs of similar length can reuse them. */
    private static final long OUTLINE_MULTIPLE_BYTES = 4096;

    /** Runs begin on cache lines. */
    private static final long ALIGNMENT_BYTES = 64;

    private final long first;
    private final long end;
    private final BlockLayout layout;
    private final PooledMemory memory;
    private final RunChunks chunks;
    private final MemorySegment checksums;
    private MemorySegment bytes = MemorySegment.NULL;

    /** Creates the layout of a run. */
    @FunctionalInterface
    interface Layouts {
        /** The layout of the run between two positions, in memory of an allocator. */
        BlockLayout of(long first, long end, SegmentAllocator allocator);

        /** Creates a run without memory for its blocks. */
        private ReplicaRun outline(Long2LongMap.Entry bounds, ChunkGrid grid, PooledMemory memory,
                SegmentAllocator allocator) {
            long first = bounds.getLongKey();
            return new ReplicaRun(first, of(first, bounds.getLongValue(), allocator), grid, memory, allocator);
        }
    }

    /**
     * Creates a run without memory for its blocks.
     *
     * @param first first position
     * @param layout offset of each block
     * @param grid splits the run into chunks with checksums
     * @param memory that contains all of it, perhaps with other runs
     * @param allocator of the checksums, within {@code memory}
     */
    ReplicaRun(long first, BlockLayout layout, ChunkGrid grid, PooledMemory memory,
            SegmentAllocator allocator) {
        this.first = first;
        this.layout = layout;
        this.memory = memory;
        end = first + layout.count();
        chunks = new RunChunks(grid, first, end);
        checksums = allocator.allocate(ValueLayout.JAVA_INT, chunks.count());
    }

    /**
     * Allocates runs, each with memory of its own, so that each can be replaced and its memory reused.
     *
     * @param bounds by first position of a run, the first position after it
     * @throws OutOfMemoryError when not all memory can be allocated; nothing is kept then
     */
    static List<ReplicaRun> each(Long2LongSortedMap bounds, Layouts layouts, ChunkGrid grid,
            SegmentPool pool) {
        List<ReplicaRun> allocated = new ArrayList<>();
        List<PooledMemory> memories = new ArrayList<>();
        try {
            for (Long2LongMap.Entry run : bounds.long2LongEntrySet()) {
                PooledMemory memory = pool.open();
                memories.add(memory);
                SegmentAllocator outlines = (bytes, alignment) -> memory
                        .allocateReplica(roundedUp(bytes, OUTLINE_MULTIPLE_BYTES)).asSlice(0, bytes);
                allocated.add(layouts.outline(run, grid, memory, outlines));
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

    /**
     * Allocates runs in common memory; see {@link #each}. There may be thousands of pieces, and opening and closing an
     * arena takes microseconds.
     */
    static List<ReplicaRun> together(Long2LongSortedMap bounds, Layouts layouts, ChunkGrid grid,
            SegmentPool pool) {
        List<ReplicaRun> allocated = new ArrayList<>();
        PooledMemory memory = pool.open();
        try {
            long bytes = 0;
            for (Long2LongMap.Entry run : bounds.long2LongEntrySet()) {
                allocated.add(layouts.outline(run, grid, memory, memory));
                bytes += roundedUp(allocated.getLast().bytes(), ALIGNMENT_BYTES);
            }
            MemorySegment blocks = allocated.isEmpty() ? MemorySegment.NULL : memory.allocateOwn(bytes);
            long offset = 0;
            for (ReplicaRun run : allocated) {
                run.put(blocks.asSlice(offset));
                offset += roundedUp(run.bytes(), ALIGNMENT_BYTES);
            }
            return allocated;
        } catch (OutOfMemoryError | RuntimeException error) {
            memory.close();
            throw error;
        }
    }

    private static long roundedUp(long bytes, long multiple) {
        return (bytes + multiple - 1) / multiple * multiple;
    }

    /**
     * Sets the memory of its blocks, once.
     *
     * @param blocks at least as long as the blocks
     */
    void put(MemorySegment blocks) {
        bytes = blocks.asSlice(0, layout.bytes());
    }

    long first() {
        return first;
    }

    long end() {
        return end;
    }

    long bytes() {
        return layout.bytes();
    }

    /** The memory that contains all of it. */
    PooledMemory memory() {
        return memory;
    }

    boolean contains(long position, long count) {
        return position >= first && position <= end && count <= end - position;
    }

    MemorySegment at(long position, long count) {
        return layout.slice(bytes, position - first, count);
    }

    /** The memory of the checksums of all chunks that are completely between two positions. */
    MemorySegment checksums(long position, long count) {
        ChunkGrid grid = chunks.grid();
        long from = grid.chunkFirst(position) == position ? position : grid.chunkEnd(position);
        long to = position + count == end ? end : grid.chunkFirst(position + count);
        if (from >= to) {
            return MemorySegment.NULL;
        }
        long index = chunks.ordinal(from);
        return checksums.asSlice(index * Integer.BYTES, (chunks.ordinal(to - 1) + 1 - index) * Integer.BYTES);
    }

    /** The bytes of a chunk. */
    MemorySegment chunk(long chunkFirst) {
        return at(chunkFirst, chunks.grid().chunkEnd(chunkFirst) - chunkFirst);
    }

    /** The memory of the checksum of a chunk. */
    MemorySegment checksum(long chunkFirst) {
        return checksums.asSlice(chunks.ordinal(chunkFirst) * Integer.BYTES, Integer.BYTES);
    }

    /** Whether the bytes of a chunk match its checksum. */
    boolean isSound(long chunkFirst) {
        long chunkEnd = chunks.grid().chunkEnd(chunkFirst);
        return isLaidOut(chunkFirst, chunkEnd) && checksums.getAtIndex(ValueLayout.JAVA_INT,
                chunks.ordinal(chunkFirst)) == Checksum.of(at(chunkFirst, chunkEnd - chunkFirst));
    }

    /** Sets the checksum of a chunk from its bytes. */
    void seal(long chunkFirst) {
        checksums.setAtIndex(ValueLayout.JAVA_INT, chunks.ordinal(chunkFirst), Checksum.of(chunk(chunkFirst)));
    }

    /** Whether positions begin and end within the run; damaged sizes may give other offsets. */
    private boolean isLaidOut(long position, long positionEnd) {
        long from = layout.offset(position - first);
        long to = layout.offset(positionEnd - first);
        return from >= 0 && from <= to && to <= bytes.byteSize();
    }

    /** Bytes of layout and checksums. */
    long overheadBytes() {
        return checksums.byteSize() + layout.overheadBytes();
    }
}
