package org.restorej.balance;

import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.stream.IntStream;
import org.restorej.placement.FailedRanks;

/**
 * One redistribution of work by cost and speed: the loads, the blocks that are given away, and their receivers.
 *
 * <p>
 * All sums are formed in ascending order of runs and ranks with IEEE operations that Java evaluates strictly, so every
 * PE gets the same result to the last bit, whatever its processor. Takes time {@code O(P log P)} and linear in runs of
 * blocks and of costs. Not thread-safe.
 */
final class Redistribution {
    private final Assignment before;
    private final FailedRanks failedRanks;
    private final BlockCosts costs;
    private final PeSpeeds speeds;
    /** Cost of each PE's blocks, failed PEs included; {@link #collect} subtracts what survivors give away. */
    private final double[] loads;
    /** Number of blocks at the start of each run that are given away. */
    private final long[] given;
    private double pool;

    Redistribution(Assignment before, FailedRanks failedRanks, BlockCosts costs, PeSpeeds speeds) {
        this.before = before;
        this.failedRanks = failedRanks;
        this.costs = costs;
        this.speeds = speeds;
        loads = new double[before.peCount()];
        given = new long[before.runCount()];
        for (int run = 0; run < before.runCount(); run++) {
            loads[before.runOwner(run)] += costs.sum(before.runFirst(run), before.runEnd(run));
        }
    }

    /** Distributes the blocks of failed PEs. */
    Assignment ofTheFailed() {
        collect(new double[before.peCount()]);
        return distribute();
    }

    /** Distributes the blocks of failed PEs, and what survivors have above their shares. */
    Assignment ofTheFailedAndOverloaded() {
        double[] shares = speeds.sharesOf(costs.sum(0, costs.blockCount()), failedRanks);
        double[] excess = new double[before.peCount()];
        for (int rank = 0; rank < excess.length; rank++) {
            excess[rank] = Math.max(0, loads[rank] - shares[rank]);
        }
        collect(excess);
        return distribute();
    }

    /**
     * Collects all blocks of failed PEs, and the first blocks of the others, as long as these don't exceed the excess.
     */
    private void collect(double[] excess) {
        for (int run = 0; run < given.length; run++) {
            int owner = before.runOwner(run);
            if (failedRanks.contains(owner)) {
                given[run] = before.runBlocks(run);
                pool += costs.sum(before.runFirst(run), before.runEnd(run));
            } else if (excess[owner] > 0) {
                takeFrom(run, excess);
            }
        }
    }

    private void takeFrom(int run, double[] excess) {
        int owner = before.runOwner(run);
        costs.forEachRun(before.runFirst(run), before.runEnd(run), (blocks, cost) -> {
            long taken = Math.clamp((long) (excess[owner] / cost), 0, blocks);
            given[run] += taken;
            pool += taken * cost;
            loads[owner] -= taken * cost;
            excess[owner] -= taken * cost;
            if (taken < blocks) {
                // The next block exceeds the excess, so this PE gives nothing more.
                excess[owner] = 0;
            }
        });
    }

    private Assignment distribute() {
        if (pool == 0) {
            return before;
        }
        Assignment.Builder builder = new Assignment.Builder(before.peCount());
        BlockDistributor distributor = new BlockDistributor(needs(), builder);
        for (int run = 0; run < given.length; run++) {
            long kept = before.runFirst(run) + given[run];
            costs.forEachRun(before.runFirst(run), kept, distributor::distribute);
            builder.give(before.runOwner(run), before.runEnd(run) - kept);
        }
        return builder.build();
    }

    /** The cost that each PE receives, so that all receivers reach the same load per speed, the highest possible. */
    private double[] needs() {
        int[] byLevel = IntStream.range(0, loads.length).filter(rank -> !failedRanks.contains(rank)).toArray();
        IntArrays.mergeSort(byLevel, (a, b) -> Double.compare(level(a), level(b)));
        double work = pool;
        double speed = 0;
        double level = Double.POSITIVE_INFINITY;
        for (int i = 0; i < byLevel.length && level > level(byLevel[i]); i++) {
            work += loads[byLevel[i]];
            speed += speeds.of(byLevel[i]);
            level = work / speed;
        }
        double[] needs = new double[loads.length];
        for (int rank : byLevel) {
            needs[rank] = Math.max(0, level * speeds.of(rank) - loads[rank]);
        }
        // A pool so small that it is lost in rounding goes to the PE with the minimum load.
        needs[byLevel[0]] = Math.max(Double.MIN_NORMAL, needs[byLevel[0]]);
        return needs;
    }

    private double level(int rank) {
        return loads[rank] / speeds.of(rank);
    }
}
