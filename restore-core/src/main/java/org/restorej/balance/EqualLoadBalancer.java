package org.restorej.balance;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;

/**
 * The balancer of {@link LoadBalancer#equal(int, long)} and {@link LoadBalancer#equal(Assignment)}. Not thread-safe.
 */
final class EqualLoadBalancer extends LoadBalancer {
    /** Starts with equal shares: the block ranges. */
    EqualLoadBalancer(int peCount, long blockCount) {
        super(blockRanges(new Placement(peCount, blockCount, 1)));
    }

    /** Starts with any assignment. */
    EqualLoadBalancer(Assignment first) {
        super(first);
    }

    private static Assignment blockRanges(Placement ranges) {
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

    /** Number of blocks of failed PEs that each PE gets; 0 for failed PEs. */
    private static long[] missingBlocks(Assignment inForce, FailedRanks failedRanks) {
        int peCount = inForce.peCount();
        long[] load = new long[peCount];
        long shared = 0;
        for (int run = 0; run < inForce.runCount(); run++) {
            int owner = inForce.runOwner(run);
            load[owner] += inForce.runBlocks(run);
            shared += failedRanks.contains(owner) ? inForce.runBlocks(run) : 0;
        }
        long[] ascending = IntStream.range(0, peCount).filter(rank -> !failedRanks.contains(rank))
                .mapToLong(rank -> load[rank]).toArray();
        Arrays.sort(ascending);
        int receivers = 0;
        // A PE receives blocks if it has no more than the average that the receivers before it would reach.
        while (receivers < ascending.length && (receivers == 0 || ascending[receivers] <= shared / receivers)) {
            shared += ascending[receivers++];
        }
        long level = shared / receivers;
        long extra = shared % receivers;
        long[] missing = new long[peCount];
        for (int rank = 0; rank < peCount; rank++) {
            if (!failedRanks.contains(rank) && load[rank] <= level) {
                missing[rank] = level - load[rank] + (extra > 0 ? 1 : 0);
                extra--;
            }
        }
        return missing;
    }
}
