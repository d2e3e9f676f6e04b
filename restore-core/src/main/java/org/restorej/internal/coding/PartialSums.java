package org.restorej.internal.coding;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.Overwrites;
import org.restorej.internal.storage.ReplicaMemory;

/**
 * Partial sums of a PE's parity, kept apart until they are to be added: what a run of less than a row contributes, or
 * what changed blocks change. They come under the positions of contributions. Takes as much memory as they have bytes.
 * One thread.
 */
public final class PartialSums implements BlockMemory {
    private final RowCode code;
    private final ReplicaMemory parts;
    private final ReplicaMemory before;
    private final SegmentAllocator memory;
    private final List<Sum> sums = new ArrayList<>();

    private record Sum(long cell, long offset, MemorySegment bytes) {}

    /**
     * None yet.
     *
     * @param parts this PE's, which know how long cells are
     * @param before the same parts before they are changed
     * @param memory for the sums
     */
    public PartialSums(RowCode code, ReplicaMemory parts, ReplicaMemory before, SegmentAllocator memory) {
        this.code = code;
        this.parts = parts;
        this.before = before;
        this.memory = memory;
    }

    /**
     * The byte of its cell up to which changed blocks change it: their end, or, if what follows has moved, the end of
     * the cell, old or new.
     */
    public static long endOfChange(long oldEnd, long newEnd, long oldCellBytes, long newCellBytes) {
        return oldEnd == newEnd ? newEnd : Math.max(oldCellBytes, newCellBytes);
    }

    /** {@inheritDoc} New at each call. */
    @Override
    public MemorySegment at(long position, long count) {
        CodedLayout layout = code.layout();
        long cell = layout.parityCell(position);
        long blocks = layout.contributor(position);
        int part = layout.partOf(blocks);
        long first = blocks % layout.cellBlocks();
        long offset = parts.bytesBefore(cell, part, first);
        long end = endOfChange(before.bytesBefore(cell, part, first + count),
                parts.bytesBefore(cell, part, first + count), before.bytesBefore(cell, part, layout.cellBlocks()),
                parts.bytesBefore(cell, part, layout.cellBlocks()));
        MemorySegment bytes = memory.allocate(end - offset, Long.BYTES);
        sums.add(new Sum(cell, offset, bytes));
        return bytes;
    }

    /** None: the holder of the parity makes them. */
    @Override
    public MemorySegment checksums(long position, long count) {
        return MemorySegment.NULL;
    }

    /** First positions of the cells that they are for. */
    public LongSet touchedCells() {
        LongSet cells = new LongOpenHashSet();
        sums.forEach(sum -> cells.add(sum.cell()));
        return cells;
    }

    /** Adds them to the parity that they are for; what is beyond a cell that gets shorter adds up to zeros. */
    public void addTo(ReplicaMemory parity) {
        for (Sum sum : sums) {
            MemorySegment cell = parity.at(sum.cell(), code.layout().cellBlocks()).asSlice(sum.offset());
            long bytes = Math.min(sum.bytes().byteSize(), cell.byteSize());
            code.addSum(sum.bytes().asSlice(0, bytes), cell.asSlice(0, bytes));
        }
    }

    /**
     * Has parity overwritten where they are to be added to it.
     *
     * @param parity cells as long as they were
     * @param memory for the bytes to write, until they are written
     */
    public void addTo(ReplicaMemory parity, Overwrites overwrites, SegmentAllocator memory) {
        sums.stream().collect(Collectors.groupingBy(Sum::cell)).forEach((cell, ofCell) -> {
            long from = ofCell.stream().mapToLong(Sum::offset).min().orElse(0);
            long to = ofCell.stream().mapToLong(sum -> sum.offset() + sum.bytes().byteSize()).max().orElse(0);
            MemorySegment old = parity.at(cell, code.layout().cellBlocks()).asSlice(from, to - from);
            MemorySegment fresh = memory.allocate(to - from, Long.BYTES).copyFrom(old);
            for (Sum sum : ofCell) {
                code.addSum(sum.bytes(), fresh.asSlice(sum.offset() - from, sum.bytes().byteSize()));
            }
            overwrites.add(fresh, old);
        });
    }

    public long bytes() {
        return sums.stream().mapToLong(sum -> sum.bytes().byteSize()).sum();
    }
}
