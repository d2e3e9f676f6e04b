package org.restorej.balance;

import org.jspecify.annotations.Nullable;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;

/**
 * Gives every PE the same number of blocks, give or take one, and moves nothing but the blocks of the dead.
 *
 * <p>
 * At first the PE of rank r works on the blocks of range r. After failures the dead PEs' blocks, in ascending order, go
 * to the survivors in ascending order of ranks, each getting what it lacks. Time and memory are linear in the number of
 * PEs and of runs handed on so far. One thread.
 */
public final class EqualLoadBalancer implements LoadBalancer {
    private final int peCount;
    private final long blockCount;
    private Assignment assignment;
    private @Nullable Assignment proposal;

    /**
     * A balancer with everybody alive.
     *
     * @param peCount number of PEs P, at least 1
     * @param blockCount number of blocks B, at least 0
     */
    public EqualLoadBalancer(int peCount, long blockCount) {
        this.peCount = peCount;
        this.blockCount = blockCount;
        Placement ranges = new Placement(peCount, blockCount, 1);
        Assignment.Builder builder = new Assignment.Builder(peCount);
        for (int rank = 0; rank < peCount; rank++) {
            builder.add(rank, ranges.blocksIn(rank));
        }
        assignment = builder.build();
    }

    @Override
    public Assignment assignment() {
        return assignment;
    }

    @Override
    public Assignment rebalance(FailedRanks failedRanks) {
        checkSomebodyAlive(failedRanks);
        long[] wanted = missingBlocks(failedRanks);
        Assignment.Builder builder = new Assignment.Builder(peCount);
        int heir = 0;
        for (int run = 0; run < assignment.runCount(); run++) {
            int owner = assignment.runOwner(run);
            long left = assignment.runBlocks(run);
            if (!failedRanks.contains(owner)) {
                builder.add(owner, left);
                continue;
            }
            while (left > 0) {
                while (wanted[heir] == 0) {
                    heir++;
                }
                long given = Math.min(left, wanted[heir]);
                builder.add(heir, given);
                wanted[heir] -= given;
                left -= given;
            }
        }
        Assignment proposed = builder.build();
        proposal = proposed;
        return proposed;
    }

    private void checkSomebodyAlive(FailedRanks failedRanks) {
        if (!failedRanks.isEmpty() && failedRanks.values().lastInt() >= peCount) {
            throw new IllegalArgumentException("failedRanks must be below " + peCount
                    + ", the number of PEs: failedRanks=" + failedRanks);
        }
        if (failedRanks.size() == peCount) {
            throw new IllegalArgumentException("failedRanks must leave a PE alive: all " + peCount + " have failed");
        }
    }

    /** What each PE lacks to its equal share; 0 for the dead. */
    private long[] missingBlocks(FailedRanks failedRanks) {
        long[] load = new long[peCount];
        for (int run = 0; run < assignment.runCount(); run++) {
            load[assignment.runOwner(run)] += assignment.runBlocks(run);
        }
        int survivors = peCount - failedRanks.size();
        long share = blockCount / survivors;
        long extra = blockCount % survivors;
        for (int rank = 0; rank < peCount; rank++) {
            // Who has share + 1 already is one of those who get a block more than the others.
            extra -= !failedRanks.contains(rank) && load[rank] > share ? 1 : 0;
        }
        long[] missing = new long[peCount];
        for (int rank = 0; rank < peCount; rank++) {
            if (!failedRanks.contains(rank) && load[rank] <= share) {
                missing[rank] = share - load[rank] + (extra > 0 ? 1 : 0);
                extra--;
            }
        }
        return missing;
    }

    @Override
    public void commit() {
        if (proposal == null) {
            throw new IllegalStateException("there is no proposal to commit: call rebalance first");
        }
        assignment = proposal;
        proposal = null;
    }
}
