package org.restorej.balance;

import org.restorej.placement.FailedRanks;

/**
 * Gives every PE one run of consecutive blocks, in order of the ranks: all data are re-balanced after each failure, as
 * phylogenetics codes do whose kernels want their sites in one piece.
 *
 * <p>
 * Every load is within the cost of the most expensive block from the share that the PE's speed gives it; without speeds
 * and costs it is the number of blocks divided by the PEs alive, rounded up or down. Blocks of the living move too,
 * a quarter to a half of all when one of many PEs dies: the other balancers move
 * only those of the dead, at the price of more runs.
 *
 * <p>
 * Time and memory are linear in the number of PEs and of runs of costs. One thread.
 */
final class ContiguousLoadBalancer extends LoadBalancer {
    private final BlockCosts costs;
    private final PeSpeeds speeds;

    /**
     * A balancer with everybody alive.
     *
     * @param first who works on what until the first failure
     */
    ContiguousLoadBalancer(Assignment first, BlockCosts costs, PeSpeeds speeds) {
        super(Weights.checkFit(first, "costs", costs, "speeds", speeds));
        this.costs = costs;
        this.speeds = speeds;
    }

    @Override
    protected Assignment propose(Assignment inForce, FailedRanks failedRanks) {
        return inOrderOfRanks(costs, speeds, failedRanks);
    }

    /** All blocks in ascending order to the living in ascending order of ranks, to each its share. */
    static Assignment inOrderOfRanks(BlockCosts costs, PeSpeeds speeds, FailedRanks failedRanks) {
        Assignment.Builder builder = new Assignment.Builder(speeds.peCount());
        if (costs.blockCount() > 0) {
            BlockDistributor distributor = new BlockDistributor(
                    speeds.sharesOf(costs.sum(0, costs.blockCount()), failedRanks), builder);
            costs.forEachRun(0, costs.blockCount(), distributor::distribute);
        }
        return builder.build();
    }
}
