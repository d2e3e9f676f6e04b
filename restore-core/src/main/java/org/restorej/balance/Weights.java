package org.restorej.balance;

/** Checks of speeds and costs. The bounds accept every measured value, and exclude overflow of sums. */
final class Weights {
    static final double MIN = 1e-100;
    static final double GREATEST = 1e100;
    static final String ALLOWED = "1e-100 .. 1e100";

    private Weights() {}

    /**
     * Checks that new costs and speeds fit an assignment.
     *
     * @throws IllegalArgumentException when the number of blocks or PEs differs
     */
    static void checkFit(Assignment assignment, BlockCosts costs, PeSpeeds speeds) {
        if (costs.blockCount() != assignment.blockCount()) {
            throw new IllegalArgumentException("newCosts must be those of " + assignment.blockCount()
                    + " blocks: there are " + costs.blockCount());
        }
        if (speeds.peCount() != assignment.peCount()) {
            throw new IllegalArgumentException("newSpeeds must be those of " + assignment.peCount()
                    + " PEs: there are " + speeds.peCount());
        }
    }
}
