package org.restorej.balance;

import org.restorej.placement.FailedRanks;

/**
 * Distributes the work again after failures.
 *
 * <p>
 * Every PE has a balancer of its own; given the same failed ranks in the same order, all of them compute the same
 * assignment, without communication. A new assignment is a proposal until it is committed: when another process dies
 * while the survivors are still fetching their new blocks, they ask again with more failed ranks, and the proposal
 * before, which not everyone may have seen, has left no trace.
 *
 * <p>
 * A balancer of one's own extends {@link ProposingLoadBalancer}, which leaves it one pure function to write. A new
 * assignment may take blocks from the living too, so an application asks for its blocks anew after each recovery.
 */
public interface LoadBalancer {
    /** The assignment that is in force: the first one, or the one committed last. */
    Assignment assignment();

    /**
     * Proposes an assignment in which the failed ranks have no blocks. Nothing changes until {@link #commit}.
     *
     * @param failedRanks all ranks that have failed since the beginning
     * @throws IllegalArgumentException when a rank is unknown, or none is left alive
     */
    Assignment rebalance(FailedRanks failedRanks);

    /**
     * Puts the last proposal in force; called by all PEs, when all have what they need for it.
     *
     * @throws IllegalStateException when there is no proposal
     */
    void commit();
}
