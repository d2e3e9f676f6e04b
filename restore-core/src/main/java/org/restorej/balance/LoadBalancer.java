package org.restorej.balance;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRanges;
import org.restorej.placement.FailedRanks;

/**
 * Distributes the work again after failures.
 *
 * <p>
 * Every PE has a balancer of its own; given the same failed ranks in the same order, all of them compute the same
 * assignment, without communication. A new assignment is a proposal until it is committed: when another process fails
 * while the survivors are still fetching their new blocks, they ask again with more failed ranks, and the proposal
 * before, which not everyone may have seen, has left no trace. A new assignment may take blocks from the living too, so
 * an application asks for its blocks again after each recovery.
 *
 * <p>
 * {@link #equal}, {@link #contiguous} and {@link #weighted} make those that are here. One of one's own is a pure
 * function, from the assignment in force and the failed ranks to the next assignment:
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
 * One thread.
 */
public abstract class LoadBalancer {
    private Assignment inForce;
    private @Nullable Assignment proposal;

    /**
     * A balancer with everybody alive.
     *
     * @param first the assignment to begin with, the same on every PE
     */
    protected LoadBalancer(Assignment first) {
        inForce = Objects.requireNonNull(first, "first");
    }

    /**
     * A balancer that gives every PE the same number of blocks, give or take one, and moves nothing but the blocks of
     * failed PEs.
     *
     * <p>
     * At first the PE of rank r works on the blocks of range r. After failures the failed PEs' blocks, in ascending
     * order, go to the survivors in ascending order of ranks, each getting what it lacks. That is computed, not stored:
     * time and memory are linear in the failures and in the runs that the failed PEs had, whatever P.
     *
     * @param peCount number of PEs P, at least 1
     * @param blockCount number of blocks B, at least 0
     */
    public static LoadBalancer equal(int peCount, long blockCount) {
        return new EqualLoadBalancer(peCount, blockCount);
    }

    /**
     * As {@link #equal(int, long)}, but those alive keep what they have, and the blocks of failed PEs go to those with
     * the fewest: all who get any then have the same number, give or take one, the highest possible. Time
     * {@code O(P log P)} and linear in the runs handed on so far, memory linear in both.
     *
     * @param first who works on what to begin with, the same on every PE; loads may differ
     */
    public static LoadBalancer equal(Assignment first) {
        return new EqualLoadBalancer(first);
    }

    /**
     * A balancer that gives every PE one run of consecutive blocks, in order of the ranks, for equal shares: all data
     * are re-balanced after each failure, as phylogenetics codes do whose kernels want their sites in one piece.
     *
     * <p>
     * A load is the number of blocks divided by the PEs alive, rounded up or down. Blocks of the living move too, a
     * quarter to a half of all when one of many PEs fails; the other balancers move only those of failed PEs, at the
     * price of more runs. Time and memory are linear in the number of PEs.
     *
     * @param peCount number of PEs P, at least 1
     * @param blockCount number of blocks B, at least 0
     */
    public static LoadBalancer contiguous(int peCount, long blockCount) {
        return contiguous(BlockCosts.equal(blockCount), PeSpeeds.equal(peCount));
    }

    /**
     * As {@link #contiguous(int, long)}, where every load is within the cost of the most expensive block from the share
     * that the PE's speed gives it. Time and memory are linear in the number of PEs and of runs of costs.
     *
     * @param costs what each block costs, the same on every PE
     * @param speeds how fast each PE is, in any unit that is the same for all: a PE of twice the speed gets twice the
     *        work. Those of all PEs, also of failed ones, which don't count; the same values on every PE, so measured
     *        ones are exchanged before; each between 1e-100 and 1e100
     */
    public static LoadBalancer contiguous(BlockCosts costs, double... speeds) {
        return contiguous(costs, PeSpeeds.of(speeds));
    }

    static LoadBalancer contiguous(BlockCosts costs, PeSpeeds speeds) {
        return contiguous(ContiguousLoadBalancer.inOrderOfRanks(costs, speeds, FailedRanks.NONE), costs, speeds);
    }

    /**
     * As {@link #contiguous(int, long)}, for equal shares from the first failure on.
     *
     * @param first who works on what until then, the same on every PE
     */
    public static LoadBalancer contiguous(Assignment first) {
        return contiguous(first, BlockCosts.equal(first.blockCount()), PeSpeeds.equal(first.peCount()));
    }

    /**
     * As {@link #contiguous(BlockCosts, double...)}, for the shares that costs and speeds give from the first failure
     * on.
     *
     * @param first who works on what until then, the same on every PE
     * @throws IllegalArgumentException when there are not as many blocks and PEs in all of them
     */
    public static LoadBalancer contiguous(Assignment first, BlockCosts costs, double... speeds) {
        return contiguous(first, costs, PeSpeeds.of(speeds));
    }

    static LoadBalancer contiguous(Assignment first, BlockCosts costs, PeSpeeds speeds) {
        return new ContiguousLoadBalancer(first, costs, speeds);
    }

    /**
     * A balancer that gives every PE work in proportion to its speed.
     *
     * @param costs what each block costs, the same on every PE
     * @param speeds how fast each PE is, in any unit that is the same for all: a PE of twice the speed gets twice the
     *        work. Those of all PEs, also of failed ones, which don't count; the same values on every PE, so measured
     *        ones are exchanged before; each between 1e-100 and 1e100
     */
    public static Weighted weighted(BlockCosts costs, double... speeds) {
        return weighted(costs, PeSpeeds.of(speeds));
    }

    static Weighted weighted(BlockCosts costs, PeSpeeds speeds) {
        return new Weighted(ContiguousLoadBalancer.inOrderOfRanks(costs, speeds, FailedRanks.NONE), costs, speeds);
    }

    /**
     * As {@link #weighted(BlockCosts, double...)}, where all work on what they have at first, whatever their shares: of
     * the bounds that {@link Weighted} has the last one holds, and the others from when new speeds or costs are
     * measured on.
     *
     * @param first who works on what to begin with, the same on every PE
     * @throws IllegalArgumentException when there are not as many blocks and PEs in all of them
     */
    public static Weighted weighted(Assignment first, BlockCosts costs, double... speeds) {
        return weighted(first, costs, PeSpeeds.of(speeds));
    }

    static Weighted weighted(Assignment first, BlockCosts costs, PeSpeeds speeds) {
        return new Weighted(first, costs, speeds);
    }

    /**
     * The next assignment: the same on every PE for the same arguments, so free of chance, clocks and what only this PE
     * knows. Must not change what later calls return: the proposal may never be committed.
     *
     * @param inForce the assignment in force; may still have blocks of failed PEs
     * @param failedRanks all ranks that have failed; at least one PE is alive, and all are below {@code P}
     * @return gives every block of {@code inForce} to a PE alive
     */
    protected abstract Assignment propose(Assignment inForce, FailedRanks failedRanks);

    /** The assignment that is in force: the first one, or the one committed last. */
    public final Assignment assignment() {
        return inForce;
    }

    /**
     * Proposes an assignment in which the failed ranks have no blocks. Nothing changes until {@link #commit}.
     *
     * @param failedRanks all ranks that have failed since the beginning
     * @throws IllegalArgumentException when a rank is unknown, or none is left alive
     */
    public Assignment rebalance(FailedRanks failedRanks) {
        checkSomebodyAlive(failedRanks);
        Assignment proposed = propose(inForce, failedRanks);
        checkComplete(proposed, failedRanks);
        proposal = proposed;
        return proposed;
    }

    /** The last proposal, until it is committed. */
    public final Optional<Assignment> proposal() {
        return Optional.ofNullable(proposal);
    }

    /**
     * Puts the last proposal in force; called by all PEs, when all have what they need for it.
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

    /** Work that silently belongs to nobody would only show as a wrong result, so a faulty balancer is found here. */
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
     * Gives every PE work in proportion to its speed, where blocks may differ in cost, and moves nothing but the blocks
     * of failed PEs; blocks of those alive move only when it is given new speeds or costs.
     *
     * <p>
     * Words: the <em>load</em> of a PE is the cost of its blocks, its <em>share</em> that part of the cost of all blocks
     * which its speed is of the speed of all who are alive, and a <em>block</em>, where it measures a load, the cost of the
     * most expensive one. These bounds hold, but for rounding errors in the last digits of a double:
     * <ul>
     * <li>At first every load is within a block of the share: PEs get consecutive blocks in order of their ranks.
     * <li>No load is ever more than a block above the share.
     * <li>The living keep what they have, some of it above their shares, so there is a level, the highest load per
     * speed to which what is distributed can fill up those below it. Every load is less than a block from this level
     * times the speed, or above. With blocks of equal costs, who gets any then has this many blocks, rounded up or
     * down.
     * </ul>
     * No balancer that leaves the blocks of those alive where they are comes nearer by more than a block: what some of
     * them have above their shares is what the level lacks to the shares of the others.
     *
     * <p>
     * Time {@code O(P log P)} and linear in runs of blocks and of costs, memory linear in all three. One thread.
     */
    public static final class Weighted extends LoadBalancer {
        private BlockCosts costs;
        private PeSpeeds speeds;
        private BlockCosts nextCosts;
        private PeSpeeds nextSpeeds;

        private Weighted(Assignment first, BlockCosts costs, PeSpeeds speeds) {
            super(Weights.checkFit(first, "costs", costs, "speeds", speeds));
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
         * Proposes an assignment by new speeds or costs, which come into force with it; a later proposal without them
         * is by the old ones again.
         *
         * <p>
         * Who is above its new share gives its first blocks away, as many as leave it at or above the share, and gets none;
         * this and the blocks of failed PEs are all that moves. The bounds of the class hold for the new shares; with
         * the speeds and equal costs that are in force already, only the blocks of failed PEs move.
         *
         * @param failedRanks all ranks that have failed since the beginning
         * @param newCosts what each block costs now, the same on every PE
         * @param newSpeeds how fast each PE is now, the same on every PE
         * @throws IllegalArgumentException when a rank is unknown, none is left alive, or there are more or fewer
         *         blocks or PEs than before
         */
        public Assignment rebalance(FailedRanks failedRanks, BlockCosts newCosts, double... newSpeeds) {
            return rebalance(failedRanks, newCosts, PeSpeeds.of(newSpeeds));
        }

        Assignment rebalance(FailedRanks failedRanks, BlockCosts newCosts, PeSpeeds newSpeeds) {
            Weights.checkFit(assignment(), "newCosts", newCosts, "newSpeeds", newSpeeds);
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
