package org.restorej.balance;

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
public final class EqualLoadBalancer extends ProposingLoadBalancer {
    /**
     * A balancer with everybody alive.
     *
     * @param peCount number of PEs P, at least 1
     * @param blockCount number of blocks B, at least 0
     */
    public EqualLoadBalancer(int peCount, long blockCount) {
        super(blocksOfTheRanges(new Placement(peCount, blockCount, 1)));
    }

    private static Assignment blocksOfTheRanges(Placement ranges) {
        Assignment.Builder builder = new Assignment.Builder(ranges.peCount());
        for (int rank = 0; rank < ranges.peCount(); rank++) {
            builder.give(rank, ranges.blocksIn(rank));
        }
        return builder.build();
    }

    @Override
    protected Assignment propose(Assignment inForce, FailedRanks failedRanks) {
        long[] wanted = missingBlocks(inForce, failedRanks);
        Assignment.Builder builder = new Assignment.Builder(inForce.peCount());
        int receiver = 0;
        for (int run = 0; run < inForce.runCount(); run++) {
            int owner = inForce.runOwner(run);
            long left = inForce.runBlocks(run);
            if (!failedRanks.contains(owner)) {
                builder.give(owner, left);
                continue;
            }
            while (left > 0) {
                while (wanted[receiver] == 0) {
                    receiver++;
                }
                long given = Math.min(left, wanted[receiver]);
                builder.give(receiver, given);
                wanted[receiver] -= given;
                left -= given;
            }
        }
        return builder.build();
    }

    /** What each PE lacks to its equal share; 0 for the dead. */
    private static long[] missingBlocks(Assignment inForce, FailedRanks failedRanks) {
        int peCount = inForce.peCount();
        long[] load = new long[peCount];
        for (int run = 0; run < inForce.runCount(); run++) {
            load[inForce.runOwner(run)] += inForce.runBlocks(run);
        }
        int survivors = peCount - failedRanks.size();
        long share = inForce.blockCount() / survivors;
        long extra = inForce.blockCount() % survivors;
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
}
