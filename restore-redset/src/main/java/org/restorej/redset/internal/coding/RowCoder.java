package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.redset.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.erasure.LinearMap;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.scheme.CodedLayout;
import org.restorej.redset.internal.scheme.RowPlan;

/**
 * Computes cells of a row from other cells, piece by piece. Memory: a piece of each cell, {@value #MOST_BYTES} bytes
 * together at most. Used by one thread.
 */
final class RowCoder implements AutoCloseable {
    /** Large enough that a disk reads it in one go, and that calls cost nothing. */
    private static final long PIECE_BYTES = 1 << 20;
    private static final long MOST_BYTES = 64 << 20;
    private static final long ALIGNMENT = 64;

    private final ErasureKernel kernel;
    private final SetDescription set;
    private final CodedLayout layout;
    private final MemberReaders readers;
    private final Arena arena = NativeMemory.openConfined();
    private final MemorySegment[] pieces;
    private final long pieceBytes;

    /** A row that is being computed. */
    record Row(RowPlan plan, LinearMap map) {}

    RowCoder(ErasureKernel kernel, SetDescription set, CodedLayout layout, MemberReaders readers) {
        this.kernel = kernel;
        this.set = set;
        this.layout = layout;
        this.readers = readers;
        long share = (MOST_BYTES / set.ranks()) & -ALIGNMENT;
        this.pieceBytes = Math.min(set.chunkBytes(), Math.min(PIECE_BYTES, share));
        this.pieces = new MemorySegment[set.ranks()];
        for (int rank = 0; rank < pieces.length; rank++) {
            pieces[rank] = arena.allocate(pieceBytes, ALIGNMENT);
        }
    }

    /** Bytes of a cell that are computed at once; the last piece of a cell may be shorter. */
    long pieceBytes() {
        return pieceBytes;
    }

    Row prepare(RowPlan plan) {
        return new Row(plan, kernel.prepare(plan.matrix()));
    }

    /**
     * Computes a piece of each target cell of a row. The pieces of a row come in order of their offsets.
     *
     * @param offset of the piece in each cell
     * @return in the order of the plan's target ranks; of use until the next call
     */
    MemorySegment[] compute(Row row, long offset) throws IOException {
        long bytes = Math.min(pieceBytes, set.chunkBytes() - offset);
        RowPlan plan = row.plan();
        MemorySegment[] sources = pieces(plan.sourceRanks(), bytes);
        MemorySegment[] targets = pieces(plan.targetRanks(), bytes);
        for (int source = 0; source < sources.length; source++) {
            int rank = plan.sourceRanks()[source];
            readers.of(rank).read(MemberExtent.ofCell(set, layout, plan.row(), rank), offset, sources[source]);
        }
        row.map().apply(sources, targets);
        return targets;
    }

    /** No rank is both source and target, so a piece for each rank is enough. */
    private MemorySegment[] pieces(int[] ranks, long bytes) {
        return Arrays.stream(ranks).mapToObj(rank -> pieces[rank].asSlice(0, bytes)).toArray(MemorySegment[]::new);
    }

    @Override
    public void close() {
        arena.close();
    }
}
