package org.restorej.balance;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRanges;
import org.restorej.placement.StoreRank;

/**
 * Assigns every block to exactly one store rank, whose PE works on it.
 *
 * <p>
 * Stored as runs of consecutive blocks with the same owner, 16 bytes each: linear in the number of PEs and of runs that
 * were reassigned after failures. The assignments of {@link LoadBalancer#equal(int, long)} are computed instead, and
 * need memory only for the blocks of failed PEs. Immutable.
 */
public final class Assignment {
    private final Shares shares;
    /** The shares as runs; null until they are first needed. */
    private volatile @Nullable StoredShares runs;

    private Assignment(Shares shares) {
        this.shares = shares;
        runs = shares instanceof StoredShares stored ? stored : null;
    }

    /** Wraps shares that are computed instead of stored. */
    static Assignment of(EqualShares shares) {
        return new Assignment(shares);
    }

    Shares shares() {
        return shares;
    }

    private StoredShares runs() {
        StoredShares known = runs;
        if (known == null) {
            known = StoredShares.of(shares);
            runs = known;
        }
        return known;
    }

    /**
     * Assigns consecutive blocks to the PEs in order of their ranks, for data of unequal parts, as when an input is
     * split by bytes.
     *
     * @param blocksPerPe number of blocks of each store rank, at least 0; the same on every PE, so counts that only the
     *         PEs themselves know must be exchanged before
     */
    public static Assignment ofCounts(long... blocksPerPe) {
        Builder builder = new Builder(blocksPerPe.length);
        for (int rank = 0; rank < blocksPerPe.length; rank++) {
            if (blocksPerPe[rank] < 0) {
                throw new IllegalArgumentException(
                        "blocksPerPe must be at least 0: blocksPerPe[" + rank + "]=" + blocksPerPe[rank]);
            }
            builder.give(rank, blocksPerPe[rank]);
        }
        return builder.build();
    }

    /** Number of blocks. */
    public long blockCount() {
        return shares.blockCount();
    }

    /** Number of store ranks, failed ones included. */
    public int peCount() {
        return shares.peCount();
    }

    /** The blocks of a PE; time linear in the number of its runs. */
    public BlockRanges blocksOf(StoreRank rank) {
        return blocksOf(rank.value());
    }

    /** The blocks of a store rank, for loops; see {@link #blocksOf(StoreRank)}. */
    public BlockRanges blocksOf(int storeRank) {
        if (storeRank < 0 || storeRank >= peCount()) {
            throw new IndexOutOfBoundsException(
                    "storeRank must be in [0, " + peCount() + "): storeRank=" + storeRank);
        }
        return shares.blocksOf(storeRank);
    }

    /** The PE that works on a block; time logarithmic in the number of runs, or of PEs and failures. */
    public StoreRank ownerOf(long blockId) {
        if (blockId < 0 || blockId >= blockCount()) {
            throw new IndexOutOfBoundsException("blockId must be in [0, " + blockCount() + "): blockId=" + blockId);
        }
        return StoreRank.of(shares.ownerOf(blockId));
    }

    /**
     * A number by which PEs compare assignments: equal for assignments from the same arguments, and otherwise different
     * except with a probability of about 2^-32.
     */
    public int digest() {
        return shares.digest();
    }

    /**
     * Number of runs of consecutive blocks with the same owner, for loops over all runs in ascending order. If the
     * shares are computed, the first call of this or one of the next methods creates the runs.
     */
    public int runCount() {
        return runs().runCount();
    }

    /** First block of a run, {@code 0 <= run < runCount()}. */
    public long runFirst(int run) {
        return runs().runFirst(run);
    }

    /** First block after a run, {@code 0 <= run < runCount()}. */
    public long runEnd(int run) {
        return runs().runEnd(run);
    }

    /** Number of blocks in a run, {@code 0 <= run < runCount()}. */
    public long runBlocks(int run) {
        return runEnd(run) - runFirst(run);
    }

    /** Store rank that owns a run, {@code 0 <= run < runCount()}. */
    public int runOwner(int run) {
        return runs().runOwner(run);
    }

    /**
     * Builds an assignment by assigning blocks in ascending order; used in implementations of {@link LoadBalancer}.
     * Every block is assigned exactly once. Not thread-safe.
     */
    public static final class Builder {
        private final int peCount;
        private final LongArrayList firsts = new LongArrayList();
        private final IntArrayList owners = new IntArrayList();
        private long blockCount;

        /**
         * Creates a builder without blocks.
         *
         * @param peCount number of store ranks P, failed ones included, at least 1
         */
        public Builder(int peCount) {
            if (peCount < 1) {
                throw new IllegalArgumentException("peCount must be at least 1: peCount=" + peCount);
            }
            this.peCount = peCount;
        }

        /** Number of blocks assigned so far, which is also the id of the next one. */
        public long blockCount() {
            return blockCount;
        }

        /**
         * Assigns the next blocks to a PE. Adjacent runs of the same owner are merged.
         *
         * @param storeRank the new owner, {@code 0 .. P - 1}
         * @param blocks number of blocks, at least 0
         * @throws ArithmeticException when there are more than 2^63 - 1 blocks in all
         */
        public Builder give(int storeRank, long blocks) {
            if (storeRank < 0 || storeRank >= peCount) {
                throw new IndexOutOfBoundsException(
                        "storeRank must be in [0, " + peCount + "): storeRank=" + storeRank);
            }
            if (blocks < 0) {
                throw new IllegalArgumentException("blocks must be at least 0: blocks=" + blocks);
            }
            long next = Math.addExact(blockCount, blocks);
            if (blocks > 0 && (owners.isEmpty() || owners.getInt(owners.size() - 1) != storeRank)) {
                firsts.add(blockCount);
                owners.add(storeRank);
            }
            blockCount = next;
            return this;
        }

        /** The assignment of all blocks assigned so far. */
        public Assignment build() {
            return new Assignment(new StoredShares(peCount, blockCount, firsts.toLongArray(), owners.toIntArray()));
        }
    }
}
