package org.restorej.balance;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;
import java.util.Objects;
import org.restorej.block.BlockRanges;
import org.restorej.placement.StoreRank;

/**
 * Assigns every block to exactly one store rank, whose PE works on it.
 *
 * <p>
 * Stored as runs of consecutive blocks with the same owner, 16 bytes each and 4 bytes a PE. Immutable.
 */
public final class Assignment {
    private final long blockCount;
    /** First block of each run, ascending; the others follow until the next run. */
    private final long[] firsts;
    private final int[] owners;
    /** Runs by owner: {@code runsByOwner[ownerStarts[rank] .. ownerStarts[rank + 1] - 1]}, ascending. */
    private final int[] ownerStarts;
    private final int[] runsByOwner;

    private Assignment(int peCount, long blockCount, long[] firsts, int[] owners) {
        this.blockCount = blockCount;
        this.firsts = firsts;
        this.owners = owners;
        ownerStarts = new int[peCount + 1];
        for (int owner : owners) {
            ownerStarts[owner + 1]++;
        }
        for (int rank = 0; rank < peCount; rank++) {
            ownerStarts[rank + 1] += ownerStarts[rank];
        }
        int[] next = ownerStarts.clone();
        runsByOwner = new int[owners.length];
        for (int run = 0; run < owners.length; run++) {
            runsByOwner[next[owners[run]]++] = run;
        }
    }

    /** Number of blocks. */
    public long blockCount() {
        return blockCount;
    }

    /** Number of store ranks, failed ones included. */
    public int peCount() {
        return ownerStarts.length - 1;
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
        BlockRanges.Builder blocks = new BlockRanges.Builder();
        for (int i = ownerStarts[storeRank]; i < ownerStarts[storeRank + 1]; i++) {
            int run = runsByOwner[i];
            blocks.add(firsts[run], runBlocks(run));
        }
        return blocks.build();
    }

    /** The PE that works on a block; time logarithmic in the number of runs. */
    public StoreRank ownerOf(long blockId) {
        if (blockId < 0 || blockId >= blockCount()) {
            throw new IndexOutOfBoundsException("blockId must be in [0, " + blockCount() + "): blockId=" + blockId);
        }
        int found = Arrays.binarySearch(firsts, blockId);
        return StoreRank.of(owners[found >= 0 ? found : -found - 2]);
    }

    /**
     * A number by which PEs compare assignments: equal for equal assignments, and otherwise different except with a
     * probability of about 2^-32.
     */
    public int digest() {
        return Objects.hash(peCount(), blockCount, Arrays.hashCode(firsts), Arrays.hashCode(owners));
    }

    /** Number of runs of consecutive blocks with the same owner, for loops over all runs in ascending order. */
    public int runCount() {
        return firsts.length;
    }

    /** First block of a run, {@code 0 <= run < runCount()}. */
    public long runFirst(int run) {
        return firsts[run];
    }

    /** First block after a run, {@code 0 <= run < runCount()}. */
    public long runEnd(int run) {
        return run + 1 < firsts.length ? firsts[run + 1] : blockCount;
    }

    /** Number of blocks in a run, {@code 0 <= run < runCount()}. */
    public long runBlocks(int run) {
        return runEnd(run) - runFirst(run);
    }

    /** Store rank that owns a run, {@code 0 <= run < runCount()}. */
    public int runOwner(int run) {
        return owners[run];
    }

    /**
     * Builds an assignment by assigning blocks in ascending order; used in implementations of {@link LoadBalancer}, and
     * for data of unequal parts, as when an input is split by bytes. Counts that only the PEs themselves know must be
     * exchanged before. Every block is assigned exactly once. Not thread-safe.
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
            return new Assignment(peCount, blockCount, firsts.toLongArray(), owners.toIntArray());
        }
    }
}
