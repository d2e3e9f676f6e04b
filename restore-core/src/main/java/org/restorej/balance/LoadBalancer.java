package org.restorej.balance;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRanges;
import org.restorej.placement.FailedRanks;

/**
 * Assigns blocks to PEs, and reassigns them after failures.
 *
 * <p>
 * Every PE has its own balancer. Given the same failed ranks in the same order, all of them compute the same assignment
 * without communication. A new assignment is a proposal until it is committed. If another PE fails while the
 * survivors fetch their new blocks, they ask again with more failed ranks; the earlier proposal, which not all PEs may
 * have computed, then has no effect. A new assignment may also take blocks from surviving PEs, so an application asks
 * for its blocks again after each recovery.
 *
 * <p>
 * Use {@link #equal}, {@link #contiguous} or {@link #weighted}, or implement your own: a pure function from the
 * assignment in force and the failed ranks to the next assignment:
 *
 * <pre>{@code
 * final class EverythingToTheLowestRank extends LoadBalancer {
 *     EverythingToTheLowestRank(int peCount, long blockCount) {
 *         super(new Assignment.Builder(peCount).give(0, blockCount).build());
 *     }
 *
 *     protected Assignment propose(Assignment inForce, FailedRanks failedRanks) {
 *         int lowest = 0;
 *         while (failedRanks.contains(lowest)) {
 *             lowest++;
 *         }
 *         return new Assignment.Builder(inForce.peCount()).give(lowest, inForce.blockCount()).build();
 *     }
 * }
 * }</pre>
 *
 * <p>
 * Not thread-safe.
 */
public abstract class LoadBalancer {
    private Assignment inForce;
    private @Nullable Assignment proposal;

    /**
     * Creates a balancer without failures.
     *
     * @param first the first assignment, the same on every PE
     */
    protected LoadBalancer(Assignment first) {
        inForce = Objects.requireNonNull(first, "first");
    }

    /**
     * Creates a balancer that assigns every PE the same number of blocks, up to one, and moves only the blocks of
     * failed PEs.
     *
     * <p>
     * At first the PE of rank r works on the blocks of range r. After failures the failed PEs' blocks, in ascending
     * order, go to the survivors in ascending order of ranks, until each has its share. Time {@code O(P log P)}; memory
     * some 20 bytes a PE.
     *
     * @param peCount number of PEs P, at least 1
     * @param blockCount number of blocks B, at least 0
     */
    public static LoadBalancer equal(int peCount, long blockCount) {
        return new EqualLoadBalancer(peCount, blockCount);
    }

    /**
     * Creates an equal balancer that starts with any assignment; see {@link #equal(int, long)}. Surviving PEs keep
     * their blocks, and the blocks of failed PEs go to those with the fewest, so that all receivers end with the same
     * number, up to one. Takes time {@code O(P log P)} and linear in the runs that were reassigned so far, and memory
     * linear in both.
     *
     * @param first the first assignment, the same on every PE; loads may differ
     */
    public static LoadBalancer equal(Assignment first) {
        return new EqualLoadBalancer(first);
    }

    /**
     * Creates a balancer that assigns every PE one run of consecutive blocks, in order of the ranks, in equal shares.
     * After each failure all data are rebalanced. For kernels that need their blocks contiguous, as in phylogenetics.
     *
     * <p>
     * A load is the number of blocks divided by the number of surviving PEs, rounded up or down. Blocks of survivors
     * move too: a quarter to a half of all blocks when one of many PEs fails. The other balancers move only blocks of
     * failed PEs, but create more runs. Time and memory are linear in the number of PEs.
     *
     * @param peCount number of PEs P, at least 1
     * @param blockCount number of blocks B, at least 0
     */
    public static LoadBalancer contiguous(int peCount, long blockCount) {
        return contiguous(BlockCosts.equal(blockCount), PeSpeeds.equal(peCount));
    }

    /**
     * Creates a contiguous balancer for costs and speeds; see {@link #contiguous(int, long)}. Every load is within the
     * cost of the most expensive block from the share for the PE's speed. Time and memory are linear in the number of
     * PEs and of runs of costs.
     *
     * @param costs cost of each block, the same on every PE
     * @param speeds speed of each PE, in any common unit: a PE of twice the speed gets twice the work. One for each PE,
     *        including failed ones, whose speeds don't count; the same values on every PE, so measured ones must be
     *        exchanged before; between 1e-100 and 1e100
     */
    public static LoadBalancer contiguous(BlockCosts costs, double... speeds) {
        return contiguous(costs, PeSpeeds.of(speeds));
    }

    static LoadBalancer contiguous(BlockCosts costs, PeSpeeds speeds) {
        return new ContiguousLoadBalancer(costs, speeds);
    }

    /**
     * Creates a balancer that assigns every PE work in proportion to its speed.
     *
     * @param costs cost of each block, the same on every PE
     * @param speeds speed of each PE, in any common unit: a PE of twice the speed gets twice the work. One for each PE,
     *        including failed ones, whose speeds don't count; the same values on every PE, so measured ones must be
     *        exchanged before; between 1e-100 and 1e100
     */
    public static Weighted weighted(BlockCosts costs, double... speeds) {
        return weighted(costs, PeSpeeds.of(speeds));
    }

    static Weighted weighted(BlockCosts costs, PeSpeeds speeds) {
        return new Weighted(costs, speeds);
    }

    /**
     * Computes the next assignment: the same on every PE for the same arguments, and so independent of random numbers,
     * clocks and anything that only this PE knows. Must not change the result of later calls, because the proposal may
     * never be committed.
     *
     * @param inForce the assignment in force; may still have blocks of failed PEs
     * @param failedRanks all ranks that have failed; at least one PE survives, and all are below {@code P}
     * @return assigns every block of {@code inForce} to a surviving PE
     */
    protected abstract Assignment propose(Assignment inForce, FailedRanks failedRanks);

    /** The assignment in force: the one committed last, or the first one. */
    public final Assignment assignment() {
        return inForce;
    }

    /**
     * Proposes an assignment in which the failed ranks have no blocks. It takes effect with {@link #commit}.
     *
     * @param failedRanks all ranks that have failed since the start
     * @throws IllegalArgumentException when a rank is unknown, or all have failed
     */
    public Assignment rebalance(FailedRanks failedRanks) {
        checkSomebodyAlive(failedRanks);
        Assignment proposed = propose(inForce, failedRanks);
        checkComplete(proposed, failedRanks);
        proposal = proposed;
        return proposed;
    }

    /** The last proposal, if it is not committed yet. */
    public final Optional<Assignment> proposal() {
        return Optional.ofNullable(proposal);
    }

    /**
     * Makes the last proposal the assignment in force. Called by all PEs when all have the data that they need for it.
     *
     * @throws IllegalStateException when there is no proposal
     */
    public void commit() {
        if (proposal == null) {
            throw new IllegalStateException("there is no proposal to commit: call rebalance first");
        }
        inForce = proposal;
        proposal = null;
    }

    private void checkSomebodyAlive(FailedRanks failedRanks) {
        int peCount = inForce.peCount();
        if (!failedRanks.isEmpty() && failedRanks.values()[failedRanks.size() - 1] >= peCount) {
            throw new IllegalArgumentException("failedRanks must be below " + peCount
                    + ", the number of PEs: failedRanks=" + failedRanks);
        }
        if (failedRanks.size() == peCount) {
            throw new IllegalArgumentException("failedRanks must leave a PE alive: all " + peCount + " have failed");
        }
    }

    /** Finds errors of a balancer, since blocks without an owner would otherwise only show as a wrong result. */
    private void checkComplete(Assignment proposed, FailedRanks failedRanks) {
        if (proposed.peCount() != inForce.peCount() || proposed.blockCount() != inForce.blockCount()) {
            throw new IllegalStateException("propose must return an assignment of " + inForce.blockCount()
                    + " blocks to " + inForce.peCount() + " PEs: it has " + proposed.blockCount() + " blocks and "
                    + proposed.peCount() + " PEs");
        }
        for (int failed : failedRanks.values()) {
            BlockRanges theirs = proposed.blocksOf(failed);
            if (!theirs.isEmpty()) {
                throw new IllegalStateException("propose must give no blocks to failed PEs: store rank " + failed
                        + " has block " + theirs.runFirst(0));
            }
        }
    }

    /**
     * Assigns every PE work in proportion to its speed, where blocks may differ in cost. Moves only the blocks of
     * failed PEs; blocks of survivors move only when new speeds or costs are given.
     *
     * <p>
     * Terms: the <em>load</em> of a PE is the cost of its blocks. Its <em>share</em> is its part of the total cost, in
     * proportion to its part of the speed of all surviving PEs. As a measure of load, a <em>block</em> is the cost of
     * the most expensive one. These bounds hold, except for rounding errors in the last digits of a double:
     * <ul>
     * <li>At first every load is within a block of the share: PEs get consecutive blocks in order of their ranks.
     * <li>No load is ever more than a block above the share.
     * <li>Survivors keep their blocks, and some of them may be above their shares. The <em>level</em> is the highest
     * load per speed to which the blocks of failed PEs can fill up the PEs below it. Every load is at least the level
     * times the PE's speed, less one block. With blocks of equal cost, every receiver gets this number of blocks,
     * rounded up or down.
     * </ul>
     * No balancer that leaves the blocks of survivors in place is better by more than a block: the level lacks what
     * some survivors have above their shares.
     *
     * <p>
     * Takes time {@code O(P log P)} and linear in runs of blocks and of costs, and memory linear in all three. Not
     * thread-safe.
     */
    public static final class Weighted extends LoadBalancer {
        private BlockCosts costs;
        private PeSpeeds speeds;
        private BlockCosts nextCosts;
        private PeSpeeds nextSpeeds;

        private Weighted(BlockCosts costs, PeSpeeds speeds) {
            super(ContiguousLoadBalancer.inOrderOfRanks(costs, speeds, FailedRanks.NONE));
            this.costs = costs;
            this.speeds = speeds;
            nextCosts = costs;
            nextSpeeds = speeds;
        }

        @Override
        public Assignment rebalance(FailedRanks failedRanks) {
            nextCosts = costs;
            nextSpeeds = speeds;
            return super.rebalance(failedRanks);
        }

        /**
         * Proposes an assignment for new speeds or costs, which take effect with it. A later proposal without them uses
         * the old ones again.
         *
         * <p>
         * A PE above its new share gives away its first blocks, as many as leave it at or above the share, and gets
         * none. Only these and the blocks of failed PEs move. The bounds of the class hold for the new shares. With
         * equal costs and the speeds in force, only the blocks of failed PEs move.
         *
         * @param failedRanks all ranks that have failed since the start
         * @param newCosts new cost of each block, the same on every PE
         * @param newSpeeds new speed of each PE, the same on every PE
         * @throws IllegalArgumentException when a rank is unknown, all have failed, or the number of blocks or PEs
         *         changes
         */
        public Assignment rebalance(FailedRanks failedRanks, BlockCosts newCosts, double... newSpeeds) {
            return rebalance(failedRanks, newCosts, PeSpeeds.of(newSpeeds));
        }

        Assignment rebalance(FailedRanks failedRanks, BlockCosts newCosts, PeSpeeds newSpeeds) {
            Weights.checkFit(assignment(), newCosts, newSpeeds);
            nextCosts = newCosts;
            nextSpeeds = newSpeeds;
            return super.rebalance(failedRanks);
        }

        @Override
        protected Assignment propose(Assignment inForce, FailedRanks failedRanks) {
            Redistribution redistribution = new Redistribution(inForce, failedRanks, nextCosts, nextSpeeds);
            boolean measuredAnew = nextCosts != costs || nextSpeeds != speeds;
            return measuredAnew ? redistribution.ofTheFailedAndOverloaded() : redistribution.ofTheFailed();
        }

        @Override
        public void commit() {
            super.commit();
            costs = nextCosts;
            speeds = nextSpeeds;
        }
    }
}
