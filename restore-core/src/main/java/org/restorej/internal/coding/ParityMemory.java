package org.restorej.internal.coding;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.ReplicaMemory;

/**
 * The memory of a PE's parts of a new generation while they are received. A row that one PE submits in one run is
 * received with all of its parity. For other rows, each run is received with a <em>partial sum</em> of parity, at the
 * position of a contribution. Partial sums have their own memory and are added at the end of the round. Not
 * thread-safe.
 */
public final class ParityMemory implements BlockMemory {
    private final RowCode code;
    private final ReplicaMemory parts;
    /** Of the current round. */
    private final List<PartialSum> partialSums = new ArrayList<>();
    private SegmentAllocator memoryOfRound = SegmentAllocator.slicingAllocator(MemorySegment.NULL);

    /**
     * The contribution of a run of less than a row to a parity cell.
     *
     * @param parity bytes of the parity cell to which it is added
     */
    private record PartialSum(MemorySegment parity, MemorySegment bytes) {}

    /**
     * Creates memory of parts whose parity is zero.
     *
     * @param parts the parts; those of parity are filled with zeros
     */
    public ParityMemory(RowCode code, ReplicaMemory parts) {
        this.code = code;
        this.parts = parts;
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
     * @param memory for its partial sums, until its end
     */
    public void beginRound(SegmentAllocator memory) {
        memoryOfRound = memory;
    }

    /** Adds the partial sums of a round, after all of it was received. */
    public void endRound() {
        for (PartialSum sum : partialSums) {
            code.addSum(sum.bytes(), sum.parity());
        }
        partialSums.clear();
    }

    /** {@inheritDoc} A partial sum gets new memory at each call. */
    @Override
    public MemorySegment at(long position, long count) {
        CodedLayout layout = code.layout();
        if (!layout.isContribution(position)) {
            return parts.at(position, count);
        }
        long firstInCell = layout.contributor(position) % layout.cellBlocks();
        MemorySegment parity = parts.at(layout.parityCell(position) + firstInCell, count);
        MemorySegment bytes = memoryOfRound.allocate(parity.byteSize(), Long.BYTES);
        partialSums.add(new PartialSum(parity, bytes));
        return bytes;
    }

    /** {@inheritDoc} Partial sums have none; the holder of the parity computes them. */
    @Override
    public MemorySegment checksums(long position, long count) {
        return code.layout().isContribution(position) ? MemorySegment.NULL : parts.checksums(position, count);
    }

    /** Computes the checksums of cells without blocks, at the end of the last row. Nothing is received for them. */
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
