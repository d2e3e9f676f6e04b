package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.redset.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.erasure.LinearMap;
import org.restorej.redset.internal.scheme.RowPlan;

/**
 * Computes cells of a row from other cells, piece after piece. Memory: a piece of each cell, {@value #MOST_BYTES} bytes
 * together at most. Used by one thread.
 */
final class RowCoder implements AutoCloseable {
    /** Large enough that a disk reads it in one go, and that calls cost nothing. */
    private static final long PIECE_BYTES = 1 << 20;
    private static final long MOST_BYTES = 64 << 20;
    private static final long ALIGNMENT = 64;

    private final ErasureKernel kernel;
    private final Arena arena = NativeMemory.openConfined();
    private final MemorySegment[] pieces;
    private final long pieceBytes;

    /** Reads a part of the cell of a rank in a row. */
    @FunctionalInterface
    interface CellReader {
        /** Fills the segment from an offset in the cell. */
        void read(int row, int rank, long offset, MemorySegment target) throws IOException;
    }

    /** Writes a part of the cell of a rank in a row. */
    @FunctionalInterface
    interface CellWriter {
        /** Writes the segment at an offset in the cell. */
        void write(int row, int rank, long offset, MemorySegment bytes) throws IOException;
    }

    RowCoder(ErasureKernel kernel, int ranks, long chunkBytes) {
        this.kernel = kernel;
        long share = (MOST_BYTES / ranks) & -ALIGNMENT;
        this.pieceBytes = Math.min(chunkBytes, Math.min(PIECE_BYTES, share));
        this.pieces = new MemorySegment[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            pieces[rank] = arena.allocate(pieceBytes, ALIGNMENT);
        }
    }

    /**
     * Computes one row: every cell that the plan reads is read once in sequence, every cell that it computes is written
     * once in sequence.
     */
    void code(RowPlan plan, long chunkBytes, CellReader reader, CellWriter writer, Progress progress)
            throws IOException {
        LinearMap map = kernel.prepare(plan.matrix());
        for (long offset = 0; offset < chunkBytes; offset += pieceBytes) {
            long bytes = Math.min(pieceBytes, chunkBytes - offset);
            MemorySegment[] sources = slices(plan.sourceRanks(), bytes);
            MemorySegment[] targets = slices(plan.targetRanks(), bytes);
            for (int source = 0; source < sources.length; source++) {
                reader.read(plan.row(), plan.sourceRanks()[source], offset, sources[source]);
            }
            map.apply(sources, targets);
            for (int target = 0; target < targets.length; target++) {
                writer.write(plan.row(), plan.targetRanks()[target], offset, targets[target]);
            }
            progress.advanced(bytes * targets.length);
        }
    }

    /** No rank is both source and target, so a piece for each rank is enough. */
    private MemorySegment[] slices(int[] ranks, long bytes) {
        return Arrays.stream(ranks).mapToObj(rank -> pieces[rank].asSlice(0, bytes)).toArray(MemorySegment[]::new);
    }

    @Override
    public void close() {
        arena.close();
    }
}
