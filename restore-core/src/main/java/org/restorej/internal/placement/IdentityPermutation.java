package org.restorej.internal.placement;

/**
 * No permutation.
 *
 * @param blockCount number of blocks B, at least 0
 */
record IdentityPermutation(long blockCount) implements RangePermutation {
    /** Checks the number. */
    IdentityPermutation {
        checkBlockCount(blockCount);
    }

    static void checkBlockCount(long blockCount) {
        if (blockCount < 0) {
            throw new IllegalArgumentException("blockCount must be at least 0: blockCount=" + blockCount);
        }
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
