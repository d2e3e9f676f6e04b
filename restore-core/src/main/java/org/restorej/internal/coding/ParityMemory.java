package org.restorej.internal.coding;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.ReplicaMemory;

/**
 * A PE's parts of a new generation while it comes. A row that one PE submits in one run comes with all of its parity. Of
 * other rows each run comes with a <em>partial sum</em> of parity, under positions behind all others: it goes to memory
 * of its own, and is added at the end of the round. One thread.
 */
public final class ParityMemory implements BlockMemory {
    private final RowCode code;
    private final ReplicaMemory parts;
    private final List<PartialSum> partialSums = new ArrayList<>();
    private SegmentAllocator allocator = SegmentAllocator.slicingAllocator(MemorySegment.NULL);

    private record PartialSum(MemorySegment bytes, MemorySegment into) {}

    /**
     * Memory of parts whose parity is zero yet.
     *
     * @param parts filled with zeros where they are parity
     */
    public ParityMemory(RowCode code, ReplicaMemory parts) {
        this.code = code;
        this.parts = parts;
        CodedLayout layout = code.layout();
        parts.forEachRun((first, count) -> {
            if (layout.partOf(first) >= layout.dataParts()) {
                parts.at(first, count).fill((byte) 0);
            }
        });
    }

    /** The position that partial sums for a position have: behind all others. */
    public static long partialSum(CodedLayout layout, long position) {
        return layout.placement().blockCount() + position;
    }

    /** Whether a position is one of partial sums. */
    public static boolean isPartialSum(CodedLayout layout, long position) {
        return position >= layout.placement().blockCount();
    }

    /** The position for which a partial sum is. */
    public static long ofPartialSum(CodedLayout layout, long position) {
        return position - layout.placement().blockCount();
    }

    /**
     * Begins a round.
     *
     * @param memory for its partial sums, until it has ended
     */
    public void beginRound(SegmentAllocator memory) {
        allocator = memory;
    }

    /** Adds the partial sums of a round, when all of it has come. */
    public void endRound() {
        partialSums.forEach(sum -> code.addSum(sum.bytes(), sum.into()));
        partialSums.clear();
    }

    /** {@inheritDoc} Of partial sums it is new at each call. */
    @Override
    public MemorySegment at(long position, long count) {
        if (!isPartialSum(code.layout(), position)) {
            return parts.at(position, count);
        }
        MemorySegment into = parts.at(ofPartialSum(code.layout(), position), count);
        MemorySegment bytes = allocator.allocate(into.byteSize(), Long.BYTES);
        partialSums.add(new PartialSum(bytes, into));
        return bytes;
    }

    @Override
    public MemorySegment checksums(long position, long count) {
        return isPartialSum(code.layout(), position) ? MemorySegment.NULL : parts.checksums(position, count);
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
