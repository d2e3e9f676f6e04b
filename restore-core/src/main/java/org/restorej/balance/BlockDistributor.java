package org.restorej.balance;

/**
 * Distributes blocks in ascending order to PEs in ascending order of ranks. Each PE gets what it needs to within one
 * block.
 *
 * <p>
 * The cut between two PEs is the block boundary nearest to the exact cut; a tie gives the block to the lower rank. So a
 * cut is off by at most half the cost of a block, errors don't add up, and a PE's load is off by less than the cost of
 * the most expensive block. With equal costs it is the need rounded up or down. The last PE with a need gets the rest,
 * so rounding can't leave a block without an owner. Not thread-safe.
 */
final class BlockDistributor {
    private final double[] needs;
    private final Assignment.Builder builder;
    private final int lastReceiver;
    private int receiver;
    /** What the receiver still needs; negative if earlier receivers got more than they need. */
    private double need;

    /**
     * Starts a distribution.
     *
     * @param needs cost of the blocks that each store rank needs, 0 for none; at least one is positive
     * @param builder receives the assignment
     */
    BlockDistributor(double[] needs, Assignment.Builder builder) {
        this.needs = needs;
        this.builder = builder;
        int last = needs.length - 1;
        while (needs[last] <= 0) {
            last--;
        }
        lastReceiver = last;
        receiver = -1;
        nextReceiver();
    }

    /** Distributes the next blocks, which have equal cost. */
    void distribute(long blocks, double cost) {
        long left = blocks;
        while (left > 0) {
            long given = receiver == lastReceiver ? left : Math.clamp((long) Math.floor(need / cost + 0.5), 0, left);
            builder.give(receiver, given);
            need -= given * cost;
            left -= given;
            if (left > 0) {
                nextReceiver();
            }
        }
    }

    /** Advances to the next PE with a need. PEs without one, such as failed ones, are skipped whatever the rounding. */
    private void nextReceiver() {
        do {
            receiver++;
        } while (needs[receiver] <= 0);
        need += needs[receiver];
    }
}
