package org.restorej.balance;

/** Checks of speeds and costs. The bounds accept every measured value, and exclude overflow of sums. */
final class Weights {
    static final double MIN = 1e-100;
    static final double GREATEST = 1e100;
    static final String ALLOWED = "1e-100 .. 1e100";

    private Weights() {}

    /**
     * Checks that costs and speeds fit an assignment, and returns it.
     *
     * @throws IllegalArgumentException when the number of blocks or PEs differs
     */
    static Assignment checkFit(Assignment assignment, String costsName, BlockCosts costs, String speedsName,
            PeSpeeds speeds) {
        if (costs.blockCount() != assignment.blockCount()) {
            throw new IllegalArgumentException(costsName + " must be those of " + assignment.blockCount()
                    + " blocks: there are " + costs.blockCount());
        }
        if (speeds.peCount() != assignment.peCount()) {
            throw new IllegalArgumentException(speedsName + " must be those of " + assignment.peCount()
                    + " PEs: there are " + speeds.peCount());
        }
        return assignment;
    }
}
