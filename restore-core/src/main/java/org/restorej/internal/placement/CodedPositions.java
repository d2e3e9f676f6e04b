package org.restorej.internal.placement;

import java.util.ArrayList;
import java.util.List;
import org.restorej.block.BlockRange;

/**
 * Positions of coded blocks: ids are permuted, then distributed over the cells of a {@link CodedLayout}.
 *
 * @param permutation of the ids
 * @param layout of as many blocks
 */
public record CodedPositions(RangePermutation permutation, CodedLayout layout) implements BlockPositions {
    @Override
    public long positionOf(long blockId) {
        return layout.positionOf(permutation.positionOf(blockId));
    }

    @Override
    public long blockAt(long position) {
        return permutation.blockAt(layout.indexOf(position));
    }

    @Override
    public long runAt(long blockId) {
        return Math.min(permutation.runAt(blockId), layout.runAt(permutation.positionOf(blockId)));
    }

    /** {@inheritDoc} Parity has no ids, nor have unused positions of the last row. */
    @Override
    public List<BlockRange> blocksAt(long first, long end) {
        List<BlockRange> runs = new ArrayList<>();
        long position = first;
        while (position < end) {
            long cellEnd = layout.cellEnd(position);
            long blocksEnd = Math.min(end, layout.dataEnd(position));
            if (position < blocksEnd) {
                long index = layout.indexOf(position);
                runs.addAll(permutation.blocksAt(index, index + (blocksEnd - position)));
            }
            position = cellEnd;
        }
        return runs;
    }
}
