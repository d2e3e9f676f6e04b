package org.restorej;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;

/** Collects what a {@link ReStore} is to be like. Every PE gives the same values, the fallback excepted. One thread. */
public final class ReStoreBuilder {
    /** Long enough that a message's cost is its bytes, short enough to spread a PE's data over many others. */
    private static final long PERMUTATION_RANGE_BYTES = 256 << 10;

    /** A PE's data make at least so many permutation ranges, so that small data sets are spread too. */
    private static final long PERMUTATION_RANGES_PER_PE = 8;

    private final Communicator communicator;
    private long blocks;
    private long blockSizeBytes;
    private int replication = 3;
    private long permutationRangeBlocks = -1;
    private long seed = 0x5EED_0F_5707EL;
    private int ringPoints = 16;
    private int spares;
    private @Nullable BlockFallback fallback;

    ReStoreBuilder(Communicator communicator) {
        this.communicator = Objects.requireNonNull(communicator, "communicator");
    }

    /** Number of blocks B, at least 1. */
    public ReStoreBuilder blocks(long value) {
        blocks = value;
        return this;
    }

    /** Size of a block in bytes, at least 1. */
    public ReStoreBuilder blockSizeBytes(long value) {
        blockSizeBytes = value;
        return this;
    }

    /** Replication level K, from 1 to the number of PEs without spares; 3 unless set. */
    public ReStoreBuilder replication(int value) {
        replication = value;
        return this;
    }

    /**
     * Blocks of a permutation range, at least 1; 256 KiB worth unless set, and fewer where a PE's share is less than
     * eight of those.
     */
    public ReStoreBuilder permutationRangeBlocks(long value) {
        permutationRangeBlocks = value;
        return this;
    }

    /** Leaves the ids in their order: neighbouring ids then live on the same PEs. */
    public ReStoreBuilder noPermutation() {
        return permutationRangeBlocks(0);
    }

    /** Chooses permutation and ring. */
    public ReStoreBuilder seed(long value) {
        seed = value;
        return this;
    }

    /**
     * Points g of a PE on the ring that finds new holders for lost replicas, at least 1; 16 unless set. More of them
     * spread a dead PE's replicas over more survivors, which balances their memory and makes it likelier that several
     * deaths at once lose something.
     */
    public ReStoreBuilder ringPoints(int value) {
        ringPoints = value;
        return this;
    }

    /**
     * How many PEs begin without data: the last ranks of the communicator. When a PE dies, a spare takes its original
     * rank at the next {@link ReStore#recover}, and {@link ReStore#replenish} fills its memory. 0 unless set.
     */
    public ReStoreBuilder spares(int value) {
        spares = value;
        return this;
    }

    /** Reads blocks that no PE alive holds; without one, a pull of such blocks throws. */
    public ReStoreBuilder fallback(BlockFallback value) {
        fallback = value;
        return this;
    }

    /**
     * Builds the store. Collective.
     *
     * @throws IllegalArgumentException on every PE, naming everything that is wrong, or that it is wrong on another PE
     */
    public ReStore build() {
        StoreConfiguration configuration = new StoreConfiguration(blocks, blockSizeBytes, replication,
                permutationRangeBlocks == -1 ? defaultPermutationRangeBlocks() : permutationRangeBlocks, seed,
                ringPoints, spares);
        configuration.checkOnAllPes(communicator);
        return new ReStore(communicator, configuration, fallback);
    }

    private long defaultPermutationRangeBlocks() {
        long blocksPerPe = blocks / Math.max(1, communicator.size() - spares);
        return Math.max(1, Math.min(PERMUTATION_RANGE_BYTES / Math.max(1, blockSizeBytes),
                blocksPerPe / PERMUTATION_RANGES_PER_PE));
    }
}
