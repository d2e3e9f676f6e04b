package org.restorej.balance;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRanges;
import org.restorej.placement.FailedRanks;

/**
 * Distributes the work again after failures.
 *
 * <p>
 * Every PE has a balancer of its own; given the same failed ranks in the same order, all of them compute the same
 * assignment, without communication. A new assignment is a proposal until it is committed: when another process dies
 * while the survivors are still fetching their new blocks, they ask again with more failed ranks, and the proposal
 * before, which not everyone may have seen, has left no trace. A new assignment may take blocks from the living too, so
 * an application asks for its blocks anew after each recovery.
 *
 * <p>
 * A balancer of one's own is one pure function, from the assignment in force and the failed ranks to the next
 * assignment:
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
     * The next assignment: the same on every PE for the same arguments, so free of chance, clocks and what only this PE
     * knows. Must not change what later calls return: the proposal may never be committed.
     *
     * @param inForce the assignment in force; may still have blocks of the dead
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
        if (!failedRanks.isEmpty() && failedRanks.values().lastInt() >= peCount) {
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
        failedRanks.values().forEach((int dead) -> {
            BlockRanges theirs = proposed.blocksOf(dead);
            if (!theirs.isEmpty()) {
                throw new IllegalStateException("propose must give no blocks to the dead: store rank " + dead
                        + " has block " + theirs.runFirst(0));
            }
        });
    }
}
