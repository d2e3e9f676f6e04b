package org.restorej.internal.coding;

import java.lang.foreign.MemorySegment;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.VariableLayout;

/**
 * Memory for the sizes of a PE's blocks while they are received. A data cell has its own sizes; a parity cell has those
 * of all blocks of its row, part by part, which are received at the positions of contributions. Not thread-safe.
 *
 * @param layout of the blocks
 * @param sizes of the PE
 */
public record RowSizes(CodedLayout layout, ReplicaMemory sizes) implements BlockMemory {
    @Override
    public MemorySegment at(long position, long count) {
        if (!layout.isContribution(position)) {
            return sizes.at(position, count);
        }
        return slice(layout, sizes.at(layout.parityCell(position), layout.cellBlocks()), layout.contributor(position),
                count);
    }

    /** The sizes of some blocks of a cell, among those of its row. */
    static MemorySegment slice(CodedLayout layout, MemorySegment sizesOfRow, long position, long count) {
        long first = layout.partOf(position) * layout.cellBlocks() + position % layout.cellBlocks();
        return sizesOfRow.asSlice(first * VariableLayout.SIZE_BYTES, count * VariableLayout.SIZE_BYTES);
    }

    /** Checksums; none for parity cells, whose holder computes them. */
    @Override
    public MemorySegment checksums(long position, long count) {
        return layout.isContribution(position) ? MemorySegment.NULL : sizes.checksums(position, count);
    }
}
