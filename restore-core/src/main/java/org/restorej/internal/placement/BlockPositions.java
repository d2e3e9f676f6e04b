package org.restorej.internal.placement;

import java.util.List;
import org.restorej.block.BlockRange;

/** The position of each block in the order that placement uses. Computed, not stored. Immutable; constant time. */
public sealed interface BlockPositions permits RangePermutation, CodedPositions {
    /** Position of a block, {@code 0 <= blockId < B}. */
    long positionOf(long blockId);

    /** The block at a position that has one. */
    long blockAt(long position);

    /**
     * A lower bound on the number of consecutive blocks, from this one on, that have consecutive positions; at least 1.
     */
    long runAt(long blockId);

    /** The blocks at positions {@code first .. end - 1} as runs of consecutive ids, by ascending positions. */
    List<BlockRange> blocksAt(long first, long end);
}
