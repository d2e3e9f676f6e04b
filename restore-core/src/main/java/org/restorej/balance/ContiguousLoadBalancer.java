package org.restorej.balance;

import org.restorej.placement.FailedRanks;

/** The balancer of {@link LoadBalancer#contiguous(int, long)} and its overloads. Not thread-safe. */
final class ContiguousLoadBalancer extends LoadBalancer {
    private final BlockCosts costs;
    private final PeSpeeds speeds;

    /** Starts with the shares of all PEs. */
    ContiguousLoadBalancer(BlockCosts costs, PeSpeeds speeds) {
        super(inOrderOfRanks(costs, speeds, FailedRanks.NONE));
        this.costs = costs;
        this.speeds = speeds;
    }

    @Override
    protected Assignment propose(Assignment inForce, FailedRanks failedRanks) {
        return inOrderOfRanks(costs, speeds, failedRanks);
    }

    /** Assigns all blocks in ascending order to the surviving PEs in ascending order of ranks, each its share. */
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
