package org.restorej.internal.placement;

import java.util.List;
import org.restorej.block.BlockRange;

/** Where each block is among the positions that placement knows. Computed, not stored. Immutable; constant time. */
public sealed interface BlockPositions permits RangePermutation, CodedPositions {
    /** Position of a block, {@code 0 <= blockId < B}. */
    long positionOf(long blockId);

    /** The block at a position that has one. */
    long blockAt(long position);

    /** How many consecutive blocks, this one included, have consecutive positions as far as is certain; at least 1. */
    long runAt(long blockId);

    /** The blocks at positions {@code first .. end - 1} as runs of consecutive ids, by ascending positions. */
    List<BlockRange> blocksAt(long first, long end);
}
