package org.restorej.balance;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRanges;
import org.restorej.placement.StoreRank;

/**
 * Which PE works on which block: every block belongs to exactly one store rank.
 *
 * <p>
 * Kept as runs of consecutive blocks with the same owner, 16 bytes each: linear in the number of PEs and of runs handed
 * on after failures. What {@link LoadBalancer#equal(int, long)} has made from equal shares is computed instead, and
 * its memory is that of the blocks of failed PEs. Immutable.
 */
public final class Assignment {
    private final Shares shares;
    /** The shares as runs, once somebody has asked for them. */
    private volatile @Nullable StoredShares runs;

    private Assignment(Shares shares) {
        this.shares = shares;
        runs = shares instanceof StoredShares stored ? stored : null;
    }

    /** Shares that are computed, not stored. */
    static Assignment of(EqualShares shares) {
        return new Assignment(shares);
    }

    /** What it is made of. */
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
     * Consecutive blocks to every PE in order of the ranks, for data that the PEs have in unequal parts, as when an
     * input is split by bytes: PE 0 has the first ones, and so on.
     *
     * @param blocksPerPe how many blocks each store rank has, at least 0; the same on every PE, so counts that only the
     *        PEs themselves know are exchanged before
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

    /** The blocks of a PE; linear in the number of its runs. */
    public BlockRanges blocksOf(StoreRank rank) {
        return blocksOf(rank.value());
    }

    /** As {@link #blocksOf(StoreRank)}, for loops. */
    public BlockRanges blocksOf(int storeRank) {
        if (storeRank < 0 || storeRank >= peCount()) {
            throw new IndexOutOfBoundsException(
                    "storeRank must be in [0, " + peCount() + "): storeRank=" + storeRank);
        }
        return shares.blocksOf(storeRank);
    }

    /** The PE that works on a block; logarithmic in the number of runs, or of PEs and failures. */
    public StoreRank ownerOf(long blockId) {
        if (blockId < 0 || blockId >= blockCount()) {
            throw new IndexOutOfBoundsException("blockId must be in [0, " + blockCount() + "): blockId=" + blockId);
        }
        return StoreRank.of(shares.ownerOf(blockId));
    }

    /**
     * A number to compare between PEs: the same for assignments that the same arguments have led to, and, but for one
     * in billions, for no others.
     */
    public int digest() {
        return shares.digest();
    }

    /**
     * Number of runs of consecutive blocks with the same owner, for loops over all of them in ascending order. The
     * first call of this or of one of the next methods makes the runs, where they were computed so far.
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

    /** Store rank of the PE that works on a run, {@code 0 <= run < runCount()}. */
    public int runOwner(int run) {
        return runs().runOwner(run);
    }

    /**
     * Builds an assignment, giving away blocks in ascending order: what a {@link LoadBalancer} of one's own needs. No
     * block can be given twice or left out. One thread.
     */
    public static final class Builder {
        private final int peCount;
        private final LongArrayList firsts = new LongArrayList();
        private final IntArrayList owners = new IntArrayList();
        private long blockCount;

        /**
         * Nothing given away yet.
         *
         * @param peCount number of store ranks P, failed ones included, at least 1
         */
        public Builder(int peCount) {
            if (peCount < 1) {
                throw new IllegalArgumentException("peCount must be at least 1: peCount=" + peCount);
            }
            this.peCount = peCount;
        }

        /** Number of blocks given away so far, which is also the next one to be given. */
        public long blockCount() {
            return blockCount;
        }

        /**
         * Gives the next blocks to a PE; runs of the same owner one after the other become one.
         *
         * @param storeRank who gets them, {@code 0 .. P - 1}
         * @param blocks how many, at least 0
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

        /** The assignment of all blocks given away so far. */
        public Assignment build() {
            return new Assignment(new StoredShares(peCount, blockCount, firsts.toLongArray(), owners.toIntArray()));
        }
    }
}
