package org.restorej.internal.placement;

import java.util.ArrayList;
import java.util.List;
import org.restorej.block.BlockRange;

/**
 * A seeded permutation of block ids that moves whole <em>permutation ranges</em>: runs of consecutive ids stay
 * together. So the consecutive ids of a failed PE are on many PEs, which can all serve them at once, and messages stay
 * long. The permutation and its inverse are computed, not stored.
 *
 * <p>
 * A balanced Feistel network over the next even power of two (Luby and Rackoff 1988: four rounds of a pseudo-random
 * function give a pseudo-random permutation), iterated until the value is in the domain (Black and Rogaway 2002,
 * "Ciphers with arbitrary finite domains", cycle walking). At most four iterations are expected, since the power is
 * less than four times the size. Immutable; constant time.
 */
public final class RangePermutation implements BlockPositions {
    private static final int ROUNDS = 4;

    private final long blockCount;
    private final long rangeBlocks;
    /** Number of whole ranges, which are permuted. */
    private final long size;
    private final int halfBits;
    private final long halfMask;
    private final long[] roundKeys = new long[ROUNDS];

    private RangePermutation(long blockCount, long rangeBlocks, long seed) {
        if (blockCount < 0) {
            throw new IllegalArgumentException("blockCount must be at least 0: blockCount=" + blockCount);
        }
        if (rangeBlocks < 1) {
            throw new IllegalArgumentException("rangeBlocks must be at least 1: rangeBlocks=" + rangeBlocks);
        }
        this.blockCount = blockCount;
        this.rangeBlocks = rangeBlocks;
        size = blockCount / rangeBlocks;
        int bits = size < 2 ? 2 : Long.SIZE - Long.numberOfLeadingZeros(size - 1);
        halfBits = (bits + 1) / 2;
        halfMask = (1L << halfBits) - 1;
        long state = seed;
        for (int round = 0; round < ROUNDS; round++) {
            state += 0x9E3779B97F4A7C15L;
            roundKeys[round] = mix(state);
        }
    }

    /** The identity: the position of a block is its id. */
    public static RangePermutation identity(long blockCount) {
        return new RangePermutation(blockCount, Math.max(1, blockCount), 0);
    }

    /**
     * Permutes runs of {@code rangeBlocks} ids; if {@code B} is not a multiple of that, the last, shorter run stays in
     * place.
     *
     * @param blockCount number of blocks B, at least 0
     * @param rangeBlocks number of blocks in a permutation range, at least 1
     * @param seed chooses the permutation
     */
    public static RangePermutation feistel(long blockCount, long rangeBlocks, long seed) {
        return new RangePermutation(blockCount, rangeBlocks, seed);
    }

    @Override
    public long positionOf(long blockId) {
        long range = blockId / rangeBlocks;
        return range >= size ? blockId : apply(range) * rangeBlocks + blockId % rangeBlocks;
    }

    @Override
    public long blockAt(long position) {
        long range = position / rangeBlocks;
        return range >= size ? position : invert(range) * rangeBlocks + position % rangeBlocks;
    }

    @Override
    public long runAt(long blockId) {
        return Math.min(blockCount - blockId, rangeBlocks - blockId % rangeBlocks);
    }

    @Override
    public List<BlockRange> blocksAt(long first, long end) {
        List<BlockRange> runs = new ArrayList<>();
        long position = first;
        while (position < end) {
            // Ranges begin at the same positions, permuted or not.
            long together = Math.min(end - position, runAt(position));
            runs.add(BlockRange.of(blockAt(position), together));
            position += together;
        }
        return runs;
    }

    /** The image of a range, {@code 0 <= value < size}. */
    private long apply(long value) {
        long result = value;
        do {
            result = encrypt(result);
        } while (Long.compareUnsigned(result, size) >= 0);
        return result;
    }

    /** The range with this image, {@code 0 <= image < size}. */
    private long invert(long image) {
        long result = image;
        do {
            result = decrypt(result);
        } while (Long.compareUnsigned(result, size) >= 0);
        return result;
    }

    private long encrypt(long value) {
        long left = value >>> halfBits;
        long right = value & halfMask;
        for (int round = 0; round < ROUNDS; round++) {
            long next = left ^ (mix(right + roundKeys[round]) & halfMask);
            left = right;
            right = next;
        }
        return left << halfBits | right;
    }

    private long decrypt(long value) {
        long left = value >>> halfBits;
        long right = value & halfMask;
        for (int round = ROUNDS - 1; round >= 0; round--) {
            long previous = right ^ (mix(left + roundKeys[round]) & halfMask);
            right = left;
            left = previous;
        }
        return left << halfBits | right;
    }

    /** The finalizer of SplitMix64 (Steele, Lea, Flood 2014): every input bit affects every output bit. */
    private static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
