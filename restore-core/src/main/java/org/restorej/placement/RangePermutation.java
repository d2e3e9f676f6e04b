package org.restorej.placement;

/**
 * A permutation of block ids that moves whole <em>permutation ranges</em>: runs of consecutive ids that stay together.
 * So the consecutive ids of a dead PE lie on many PEs, which can all serve them at once, and messages stay long.
 * Immutable; constant time.
 */
public sealed interface RangePermutation {
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
        return new Identity(blockCount);
    }

    /**
     * Permutes runs of {@code rangeBlocks} ids; where {@code B} is no multiple of that, the last, shorter one stays.
     *
     * @param blockCount number of blocks B, at least 0
     * @param rangeBlocks blocks of a permutation range, at least 1
     * @param seed chooses the permutation
     */
    static RangePermutation feistel(long blockCount, long rangeBlocks, long seed) {
        checkBlockCount(blockCount);
        if (rangeBlocks < 1) {
            throw new IllegalArgumentException("rangeBlocks must be at least 1: rangeBlocks=" + rangeBlocks);
        }
        return new Feistel(blockCount, rangeBlocks, new FeistelPermutation(blockCount / rangeBlocks, seed));
    }

    private static void checkBlockCount(long blockCount) {
        if (blockCount < 0) {
            throw new IllegalArgumentException("blockCount must be at least 0: blockCount=" + blockCount);
        }
    }

    /**
     * No permutation.
     *
     * @param blockCount number of blocks B, at least 0
     */
    record Identity(long blockCount) implements RangePermutation {
        /** Checks the number. */
        public Identity {
            checkBlockCount(blockCount);
        }

        @Override
        public long positionOf(long blockId) {
            return blockId;
        }

        @Override
        public long blockAt(long position) {
            return position;
        }

        @Override
        public long runAt(long blockId) {
            return blockCount - blockId;
        }

        @Override
        public long runAtPosition(long position) {
            return blockCount - position;
        }
    }

    /**
     * A Feistel permutation of the whole permutation ranges.
     *
     * @param blockCount number of blocks B
     * @param rangeBlocks blocks of a permutation range
     * @param ranges permutes the numbers of the whole permutation ranges
     */
    record Feistel(long blockCount, long rangeBlocks, FeistelPermutation ranges) implements RangePermutation {
        @Override
        public long positionOf(long blockId) {
            long range = blockId / rangeBlocks;
            return range >= ranges.size() ? blockId : ranges.apply(range) * rangeBlocks + blockId % rangeBlocks;
        }

        @Override
        public long blockAt(long position) {
            long range = position / rangeBlocks;
            return range >= ranges.size() ? position : ranges.invert(range) * rangeBlocks + position % rangeBlocks;
        }

        @Override
        public long runAt(long blockId) {
            return Math.min(blockCount - blockId, rangeBlocks - blockId % rangeBlocks);
        }

        @Override
        public long runAtPosition(long position) {
            return runAt(position);
        }
    }
}
