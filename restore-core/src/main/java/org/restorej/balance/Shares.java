package org.restorej.balance;

import org.restorej.block.BlockRanges;

/** The owner of each block, stored or computed. Immutable. */
sealed interface Shares permits StoredShares, EqualShares {
    /** Number of blocks. */
    long blockCount();

    /** Number of store ranks, failed ones included. */
    int peCount();

    /** The blocks of a PE, {@code 0 <= rank < peCount()}. */
    BlockRanges blocksOf(int rank);

    /** The owner of a block, {@code 0 <= blockId < blockCount()}. */
    int ownerOf(long blockId);

    /** See {@link Assignment#digest}. */
    int digest();
}
