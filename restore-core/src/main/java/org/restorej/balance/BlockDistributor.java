package org.restorej.balance;

/**
 * Distributes blocks in ascending order to PEs in ascending order of ranks, each getting what it needs to within one
 * block.
 *
 * <p>
 * The cut between two PEs is the block boundary nearest to where it should be, the block in the middle going to the
 * lower rank. So a cut is off by half the cost of a block at most, errors don't add up, and what a PE gets is off by
 * less than the cost of the most expensive block; with equal costs it is its need rounded up or down. The last PE in
 * need takes all that is left, so a rounding error can't leave a block without an owner. One thread.
 */
final class BlockDistributor {
    private final double[] needs;
    private final Assignment.Builder builder;
    private final int lastReceiver;
    private int receiver;
    /** What the receiver still needs, less than nothing when those before it have got more than theirs. */
    private double need;

    /**
     * Nothing distributed yet.
     *
     * @param needs cost of what each store rank is to get; 0 for who gets nothing; somebody needs something
     * @param builder takes the blocks
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

    /** Distributes the next blocks, which cost the same. */
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

    /** The next one in need: those without any, such as failed ones, are passed over whatever the rounding. */
    private void nextReceiver() {
        do {
            receiver++;
        } while (needs[receiver] <= 0);
        need += needs[receiver];
    }
}
