package org.restorej.balance;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;

/**
 * Computed shares of equal size, up to one block. At first they are the block ranges. Each redistribution assigns the
 * blocks of the PEs that have failed since, in ascending order, to the surviving PEs in ascending order of ranks, each
 * getting what it lacks.
 *
 * <p>
 * The surviving PEs below some rank always have one block more than the others. So the blocks that a PE gets from
 * failed PEs are a slice that follows from two such loads and the failed ranks, and nothing is stored for each PE.
 * Memory is linear in the failures, once more for each later redistribution, and in the runs of the failed PEs' blocks.
 * Immutable.
 */
final class EqualShares implements Shares {
    private final Placement ranges;
    /** The previous redistribution; null for the block ranges. */
    private final @Nullable EqualShares before;
    private final FailedRanks failedRanks;
    private final AliveRanks alive;
    /** The blocks that are redistributed: those of PEs that have failed since {@code before}. */
    private final BlockRanges pool;
    /** The loads of the surviving PEs before the redistribution. */
    private final Loads loadsBefore;
    private final Loads loads;

    /**
     * The numbers of blocks of the surviving PEs.
     *
     * @param least load of the PEs from rank {@code fewerFrom} on
     * @param fewerFrom PEs below this rank have one block more
     */
    private record Loads(long least, int fewerFrom) {}

    private EqualShares(Placement ranges, @Nullable EqualShares before, FailedRanks failedRanks, BlockRanges pool) {
        this.ranges = ranges;
        this.before = before;
        this.failedRanks = failedRanks;
        this.pool = pool;
        alive = new AliveRanks(ranges.peCount(), failedRanks);
        loadsBefore = before == null
                ? new Loads(ranges.blockCount() / ranges.peCount(), (int) (ranges.blockCount() % ranges.peCount()))
                : ofSome(before.loads);
        loads = afterSharing(pool.blockCount());
    }

    /** Creates the shares without failures. */
    EqualShares(int peCount, long blockCount) {
        this(new Placement(peCount, blockCount, 1), null, FailedRanks.NONE, BlockRanges.EMPTY);
    }

    /** Whether {@code failed} contains all ranks that have failed here. */
    boolean isBefore(FailedRanks failed) {
        return failedRanks.minus(failed).isEmpty();
    }

    /**
     * The shares after further failures. Takes time linear in the runs of the failed PEs' blocks, plus sorting, and
     * logarithmic in P.
     *
     * @param failed all failed ranks, including those that have failed here
     */
    EqualShares without(FailedRanks failed) {
        FailedRanks newlyFailed = failed.minus(failedRanks);
        if (newlyFailed.isEmpty()) {
            return this;
        }
        List<BlockRange> theirs = new ArrayList<>();
        for (int rank : newlyFailed.values()) {
            addBlocksOf(rank, theirs);
        }
        return new EqualShares(ranges, this, failed, BlockRanges.of(theirs));
    }

    /** The loads restricted to the surviving PEs, normalized so that at least one of them has the least load. */
    private Loads ofSome(Loads some) {
        return alive.below(some.fewerFrom) == alive.count() ? new Loads(some.least + 1, 0) : some;
    }

    private Loads afterSharing(long blocks) {
        int more = alive.below(loadsBefore.fewerFrom);
        int fewer = alive.count() - more;
        if (blocks == 0) {
            return loadsBefore;
        }
        if (blocks < fewer) {
            return new Loads(loadsBefore.least, alive.at(more + (int) blocks - 1) + 1);
        }
        long all = blocks + alive.count() * loadsBefore.least + more;
        int extra = (int) (all % alive.count());
        return new Loads(all / alive.count(), extra == 0 ? 0 : alive.at(extra - 1) + 1);
    }

    /** Number of blocks of the pool that the PEs below a rank get, {@code 0 <= rank <= P}. */
    private long given(int rank) {
        return alive.below(rank) * (loads.least - loadsBefore.least) + alive.below(Math.min(rank, loads.fewerFrom))
                - alive.below(Math.min(rank, loadsBefore.fewerFrom));
    }

    @Override
    public long blockCount() {
        return ranges.blockCount();
    }

    @Override
    public int peCount() {
        return ranges.peCount();
    }

    @Override
    public BlockRanges blocksOf(int rank) {
        List<BlockRange> blocks = new ArrayList<>();
        if (!failedRanks.contains(rank)) {
            addBlocksOf(rank, blocks);
        }
        return BlockRanges.of(blocks);
    }

    /** Adds the blocks of a surviving PE. */
    private void addBlocksOf(int rank, List<BlockRange> blocks) {
        blocks.add(BlockRange.of(ranges.firstPosition(rank), ranges.blocksIn(rank)));
        for (EqualShares layer = this; layer.before != null; layer = layer.before) {
            blocks.addAll(layer.pool.slice(layer.given(rank), layer.given(rank + 1)).runs());
        }
    }

    @Override
    public int ownerOf(long blockId) {
        ArrayDeque<EqualShares> fromTheFirst = new ArrayDeque<>();
        for (EqualShares layer = this; layer != null; layer = layer.before) {
            fromTheFirst.addFirst(layer);
        }
        int owner = ranges.rangeOf(blockId);
        for (EqualShares layer : fromTheFirst) {
            if (layer.failedRanks.contains(owner)) {
                owner = layer.receiverOf(layer.pool.indexOf(blockId));
            }
        }
        return owner;
    }

    /** The shares follow from the sequence of failures, so its hash is enough. */
    @Override
    public int digest() {
        return Objects.hash(peCount(), blockCount(), Arrays.hashCode(failedRanks.values()),
                before == null ? 0 : before.digest());
    }

    /** The PE that gets a block of the pool. */
    private int receiverOf(long index) {
        int low = 0;
        int high = peCount() - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (given(middle + 1) > index) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
