package org.restorej.internal.storage;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;
import org.restorej.internal.placement.ChunkGrid;

/**
 * The chunks of a run of positions, which begins and ends at boundaries of pieces. Each chunk is a group of blocks.
 * Immutable; takes time logarithmic in the pieces of the run.
 */
final class RunChunks implements VariableLayout.Groups {
    private final ChunkGrid grid;
    private final long first;
    private final long end;
    private final long[] pieceFirsts;
    /** Number of chunks before each piece. */
    private final long[] chunksBefore;
    private final long count;

    /** The chunks of positions {@code first .. end - 1}. */
    RunChunks(ChunkGrid grid, long first, long end) {
        this.grid = grid;
        this.first = first;
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
        count = chunks;
    }

    ChunkGrid grid() {
        return grid;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long maxBlocks() {
        return Math.min(grid.chunkBlocks(), Math.max(1, end - first));
    }

    /** Number of chunks before the one of a position. */
    long ordinal(long position) {
        int piece = pieceOf(position);
        return chunksBefore[piece] + grid.chunksBetween(pieceFirsts[piece], position);
    }

    private int pieceOf(long position) {
        int found = Arrays.binarySearch(pieceFirsts, position);
        return found >= 0 ? found : -found - 2;
    }

    @Override
    public long before(long index) {
        return ordinal(first + index);
    }

    @Override
    public long first(long index) {
        long position = first + index;
        return Math.max(pieceFirsts[pieceOf(position)], position - position % grid.chunkBlocks()) - first;
    }

    @Override
    public long end(long index) {
        return grid.chunkEnd(first + index) - first;
    }
}
