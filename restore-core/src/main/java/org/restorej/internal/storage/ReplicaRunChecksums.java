package org.restorej.internal.storage;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.restorej.internal.placement.ChunkGrid;

/**
 * The checksums of a run of replica memory: 4 bytes for each chunk, in order of the chunks, off-heap so that they
 * travel like blocks. Runs begin and end where pieces of block ranges do.
 */
final class ReplicaRunChecksums {
    private final ChunkGrid grid;
    private final long[] pieceFirsts;
    /** Number of chunks before each piece. */
    private final long[] chunksBefore;
    private final long end;
    private final MemorySegment values;

    ReplicaRunChecksums(ChunkGrid grid, long first, long end, SegmentAllocator allocator) {
        this.grid = grid;
        this.end = end;
        LongArrayList firsts = new LongArrayList();
        LongArrayList before = new LongArrayList();
        long chunks = 0;
        for (long piece = first; piece < end; piece = grid.pieceEnd(piece)) {
            firsts.add(piece);
            before.add(chunks);
            chunks += grid.chunksBetween(piece, grid.pieceEnd(piece) - 1) + 1;
        }
        pieceFirsts = firsts.toLongArray();
        chunksBefore = before.toLongArray();
        values = allocator.allocate(ValueLayout.JAVA_INT, chunks);
    }

    long bytes() {
        return values.byteSize();
    }

    private long ordinal(long position) {
        int found = Arrays.binarySearch(pieceFirsts, position);
        int piece = found >= 0 ? found : -found - 2;
        return chunksBefore[piece] + grid.chunksBetween(pieceFirsts[piece], position);
    }

    /** The memory of the checksums of all chunks that lie between two positions as a whole. */
    MemorySegment ofWholeChunks(long position, long count) {
        long from = firstWholeChunk(position);
        long to = position + count == end ? end : grid.chunkFirst(position + count);
        if (from >= to) {
            return MemorySegment.NULL;
        }
        long first = ordinal(from);
        return values.asSlice(first * Integer.BYTES, (ordinal(to - 1) + 1 - first) * Integer.BYTES);
    }

    private long firstWholeChunk(long position) {
        return grid.chunkFirst(position) == position ? position : grid.chunkEnd(position);
    }

    int at(long position) {
        return values.getAtIndex(ValueLayout.JAVA_INT, ordinal(position));
    }

    void set(long position, int checksum) {
        values.setAtIndex(ValueLayout.JAVA_INT, ordinal(position), checksum);
    }
}
