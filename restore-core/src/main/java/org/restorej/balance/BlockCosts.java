package org.restorej.balance;

import it.unimi.dsi.fastutil.doubles.DoubleArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;
import java.util.function.LongToDoubleFunction;

/**
 * The cost of working on each block, in any unit, such as measured nanoseconds. Stored as runs of consecutive blocks of
 * the same cost, 16 bytes each. Immutable.
 */
public final class BlockCosts {
    private final long[] ends;
    private final double[] costs;

    private BlockCosts(long[] ends, double[] costs) {
        this.ends = ends;
        this.costs = costs;
    }

    /** Takes a run of blocks that cost the same. */
    @FunctionalInterface
    interface RunConsumer {
        void accept(long blocks, double costPerBlock);
    }

    /** The same cost for all blocks. */
    public static BlockCosts equal(long blockCount) {
        checkBlockCount(blockCount);
        return ofRuns(new long[]{blockCount}, new double[]{1});
    }

    /**
     * Costs of consecutive runs of blocks, starting with block 0, such as the partitions of an alignment.
     *
     * @param runBlocks number of blocks of each run, at least 0
     * @param costPerBlock cost of one block of each run, between 1e-100 and 1e100; as many as there are runs; the same
     *        values on every PE, so measured ones must be exchanged before
     */
    public static BlockCosts ofRuns(long[] runBlocks, double[] costPerBlock) {
        if (runBlocks.length != costPerBlock.length) {
            throw new IllegalArgumentException("costPerBlock must be as long as runBlocks: costPerBlock.length="
                    + costPerBlock.length + ", runBlocks.length=" + runBlocks.length);
        }
        Collector collector = new Collector();
        for (int run = 0; run < runBlocks.length; run++) {
            if (runBlocks[run] < 0) {
                throw new IllegalArgumentException(
                        "runBlocks must be at least 0: runBlocks[" + run + "]=" + runBlocks[run]);
            }
            collector.add(runBlocks[run], costPerBlock[run]);
        }
        return collector.costs();
    }

    /**
     * A cost for each block. Takes time linear in the number of blocks, and memory linear in the number of changes.
     *
     * @param blockCount number of blocks B, at least 0
     * @param costOf cost of a block {@code 0 .. B - 1}, between 1e-100 and 1e100; the same on every PE
     */
    public static BlockCosts of(long blockCount, LongToDoubleFunction costOf) {
        checkBlockCount(blockCount);
        Collector collector = new Collector();
        for (long block = 0; block < blockCount; block++) {
            collector.add(1, costOf.applyAsDouble(block));
        }
        return collector.costs();
    }

    private static void checkBlockCount(long blockCount) {
        if (blockCount < 0) {
            throw new IllegalArgumentException("blockCount must be at least 0: blockCount=" + blockCount);
        }
    }

    /** Number of blocks B. */
    public long blockCount() {
        return ends.length == 0 ? 0 : ends[ends.length - 1];
    }

    /** The cost of a block; time logarithmic in the number of runs. */
    public double of(long blockId) {
        if (blockId < 0 || blockId >= blockCount()) {
            throw new IndexOutOfBoundsException("blockId must be in [0, " + blockCount() + "): blockId=" + blockId);
        }
        return costs[runAt(blockId)];
    }

    /** Passes the runs of equal cost among blocks {@code first .. end - 1}, in ascending order. */
    void forEachRun(long first, long end, RunConsumer consumer) {
        long next = first;
        for (int run = runAt(first); next < end; run++) {
            long stop = Math.min(end, ends[run]);
            consumer.accept(stop - next, costs[run]);
            next = stop;
        }
    }

    /** Total cost of blocks {@code first .. end - 1}. */
    double sum(long first, long end) {
        double[] sum = new double[1];
        forEachRun(first, end, (blocks, cost) -> sum[0] += blocks * cost);
        return sum[0];
    }

    private int runAt(long blockId) {
        int found = Arrays.binarySearch(ends, blockId);
        return found >= 0 ? found + 1 : -found - 1;
    }

    /** Collects runs, and merges adjacent ones of the same cost. Not thread-safe. */
    private static final class Collector {
        private final LongArrayList ends = new LongArrayList();
        private final DoubleArrayList costs = new DoubleArrayList();
        private long blockCount;

        void add(long blocks, double cost) {
            if (!(cost >= Weights.MIN && cost <= Weights.GREATEST)) {
                throw new IllegalArgumentException("the cost of a block must be in " + Weights.ALLOWED
                        + ": cost of block " + blockCount + " is " + cost);
            }
            if (blocks == 0) {
                return;
            }
            blockCount = Math.addExact(blockCount, blocks);
            int last = ends.size() - 1;
            if (last >= 0 && costs.getDouble(last) == cost) {
                ends.set(last, blockCount);
                return;
            }
            ends.add(blockCount);
            costs.add(cost);
        }

        BlockCosts costs() {
            return new BlockCosts(ends.toLongArray(), costs.toDoubleArray());
        }
    }
}
