package org.restorej;

import java.util.ArrayList;
import java.util.List;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.exchange.Settlement;

/**
 * What a store is to be like; checked as a whole.
 *
 * @param blocks number of blocks B, at least 1
 * @param blockSizeBytes size of a block in bytes, at least 1; about their size, where it differs
 * @param variable whether blocks have different sizes
 * @param replication replication level K, from 1 to the number of PEs
 * @param permutationRangeBlocks blocks of a permutation range, or 0 for no permutation
 * @param seed chooses permutation and ring; the same on every PE
 * @param ringPoints points of a PE on the ring that finds new holders, at least 1
 * @param checksums whether replicas have checksums
 * @param spares PEs that begin without data, from 0 to all but one
 * @param labels the failure domains of this PE; as many on every PE
 */
record StoreConfiguration(long blocks, long blockSizeBytes, boolean variable, int replication,
        long permutationRangeBlocks, long seed, int ringPoints, boolean checksums, int spares, DomainLabels labels) {
    /** Long enough that a message's cost is its bytes, short enough to spread a PE's data over many others. */
    private static final long PERMUTATION_RANGE_BYTES = 256 << 10;

    /** A PE's data make at least so many permutation ranges, so that small data sets are spread too. */
    private static final long PERMUTATION_RANGES_PER_PE = 8;

    /** Blocks of a permutation range where nothing else is asked for: 256 KiB worth, fewer of small data sets. */
    static long defaultPermutationRangeBlocks(long blocks, long blockSizeBytes, int pes) {
        return Math.max(1, Math.min(PERMUTATION_RANGE_BYTES / Math.max(1, blockSizeBytes),
                blocks / Math.max(1, pes) / PERMUTATION_RANGES_PER_PE));
    }

    /** Blocks of the longest run that has one checksum. */
    long chunkBlocks(int pes) {
        return permutationRangeBlocks > 0
                ? permutationRangeBlocks
                : defaultPermutationRangeBlocks(blocks, blockSizeBytes, pes);
    }

    /**
     * Checks that the values are allowed, and the same on every PE. Collective.
     *
     * @throws IllegalArgumentException on every PE, naming all that is wrong here or that it is wrong elsewhere
     */
    void checkOnAllPes(Communicator communicator) {
        List<String> errors = errors(communicator.size());
        long[] agreed = {errors.isEmpty() ? 1 : 0, fingerprint(), -fingerprint()};
        Settlement.settle(communicator, () -> {}, "comparing configurations", () -> {
            communicator.allReduce(agreed, Reduction.MIN);
            return Settlement.ALL;
        });
        if (agreed[0] == 0) {
            throw new IllegalArgumentException(errors.isEmpty()
                    ? "the configuration on another PE is invalid; here it is " + this
                    : String.join("; ", errors));
        }
        if (agreed[1] != -agreed[2]) {
            throw new IllegalArgumentException("the configuration must be the same on every PE; here it is " + this);
        }
    }

    private List<String> errors(int size) {
        List<String> errors = new ArrayList<>();
        if (blocks < 1) {
            errors.add("blocks must be at least 1: blocks=" + blocks);
        }
        if (blockSizeBytes < 1) {
            errors.add("blockSizeBytes must be at least 1: blockSizeBytes=" + blockSizeBytes);
        }
        if (blocks >= 1 && blockSizeBytes >= 1 && blocks > Long.MAX_VALUE / blockSizeBytes) {
            errors.add("blocks * blockSizeBytes must be at most " + Long.MAX_VALUE + ": blocks=" + blocks
                    + ", blockSizeBytes=" + blockSizeBytes);
        }
        if (spares < 0 || spares >= size) {
            errors.add("spares must be in 0.." + (size - 1) + " on " + size + " PEs: spares=" + spares);
        } else if (replication < 1 || replication > size - spares) {
            errors.add("replication must be in 1.." + (size - spares) + ", the number of PEs: replication="
                    + replication);
        }
        if (permutationRangeBlocks < 0) {
            errors.add("permutationRangeBlocks must be at least 0: permutationRangeBlocks=" + permutationRangeBlocks);
        }
        if (ringPoints < 1) {
            errors.add("ringPoints must be at least 1: ringPoints=" + ringPoints);
        }
        return errors;
    }

    /** 62 bits of everything, so that its negative is a long too. */
    private long fingerprint() {
        long mixed = (blocks * 31 + blockSizeBytes) * 0x9E3779B97F4A7C15L + seed;
        mixed = (mixed ^ (mixed >>> 29)) * 0xBF58476D1CE4E5B9L + permutationRangeBlocks;
        mixed = (mixed ^ (mixed >>> 30)) * 0x9E3779B97F4A7C15L + labels.largestFirst().size() * 2L
                + (labels.mayBeShared() ? 1 : 0);
        mixed = (mixed ^ (mixed >>> 32)) * 0x94D049BB133111EBL + (long) replication * 65_537 + ringPoints * 31L
                + spares * 4L + (variable ? 2 : 0) + (checksums ? 1 : 0);
        return (mixed ^ (mixed >>> 31)) >>> 2;
    }

    boolean contains(BlockRanges ids) {
        return ids.isEmpty() || ids.runEnd(ids.runCount() - 1) <= blocks;
    }

    String outOfRange(String argument, BlockRanges ids) {
        return argument + " must be in 0.." + (blocks - 1) + ": " + ids.minus(BlockRanges.of(0, blocks));
    }
}
