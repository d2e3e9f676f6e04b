package org.restorej.internal.coding;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.ReplicaMemory;

/**
 * A PE's parts of a new generation while it comes. A row that one PE submits in one run comes with all of its parity. Of
 * other rows each run comes with a <em>partial sum</em> of parity, under the position of a contribution: it goes to memory
 * of its own, and is added at the end of the round. One thread.
 */
public final class ParityMemory implements BlockMemory {
    private final RowCode code;
    private final ReplicaMemory parts;
    private PartialSums partialSums;

    /**
     * Memory of parts whose parity is zero yet.
     *
     * @param parts filled with zeros where they are parity
     */
    public ParityMemory(RowCode code, ReplicaMemory parts) {
        this.code = code;
        this.parts = parts;
        partialSums = new PartialSums(code, parts, parts, SegmentAllocator.slicingAllocator(MemorySegment.NULL));
        CodedLayout layout = code.layout();
        parts.forEachRun((first, count) -> {
            if (layout.isParity(first)) {
                parts.at(first, count).fill((byte) 0);
            }
        });
    }

    /**
     * Begins a round.
     *
     * @param memory for its partial sums, until it has ended
     */
    public void beginRound(SegmentAllocator memory) {
        partialSums = new PartialSums(code, parts, parts, memory);
    }

    /** Adds the partial sums of a round, when all of it has come. */
    public void endRound() {
        partialSums.addTo(parts);
    }

    /** {@inheritDoc} Of partial sums it is new at each call. */
    @Override
    public MemorySegment at(long position, long count) {
        return memoryOf(position).at(position, count);
    }

    @Override
    public MemorySegment checksums(long position, long count) {
        return memoryOf(position).checksums(position, count);
    }

    private BlockMemory memoryOf(long position) {
        return code.layout().isContribution(position) ? partialSums : parts;
    }

    /** Takes the checksums of cells without blocks, which nothing comes to: at the end of the last row. */
    public static void sealCellsWithoutBlocks(CodedLayout layout, ReplicaMemory parts) {
        for (int part = 0; part < layout.parts() && layout.rowCount() > 0; part++) {
            long row = layout.rowCount() - 1;
            long cell = layout.cell(row, part);
            if (layout.blocksIn(row, part) == 0 && parts.contains(cell, layout.cellBlocks())) {
                parts.seal(cell);
            }
        }
    }
}
