package org.restorej.internal.placement;

/**
 * A permutation of block ids that moves whole <em>permutation ranges</em>: runs of consecutive ids that stay together.
 * So the consecutive ids of a dead PE lie on many PEs, which can all serve them at once, and messages stay long.
 * Immutable; constant time.
 */
public sealed interface RangePermutation permits FeistelPermutation, IdentityPermutation {
    /** Position of a block, {@code 0 <= blockId < B}. */
    long positionOf(long blockId);

    /** The block at a position, {@code 0 <= position < B}. */
    long blockAt(long position);

    /** How many consecutive blocks, this one included, have consecutive positions as far as is certain; at least 1. */
    long runAt(long blockId);

    /** How many consecutive positions, this one included, hold consecutive blocks as far as is certain; at least 1. */
    long runAtPosition(long position);

    /** No permutation: the position of a block is its id. */
    static RangePermutation identity(long blockCount) {
        return new IdentityPermutation(blockCount);
    }

    /**
     * Permutes runs of {@code rangeBlocks} ids; where {@code B} is no multiple of that, the last, shorter one stays.
     *
     * @param blockCount number of blocks B, at least 0
     * @param rangeBlocks blocks of a permutation range, at least 1
     * @param seed chooses the permutation
     */
    static RangePermutation feistel(long blockCount, long rangeBlocks, long seed) {
        return new FeistelPermutation(blockCount, rangeBlocks, seed);
    }
}
