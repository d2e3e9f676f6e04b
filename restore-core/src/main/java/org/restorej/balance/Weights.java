package org.restorej.balance;

/**
 * What speeds and costs must be: those of as many PEs and blocks, and in bounds so wide that no measured value is
 * rejected, so narrow that no sum overflows.
 */
final class Weights {
    static final double MIN = 1e-100;
    static final double GREATEST = 1e100;
    static final String ALLOWED = "1e-100 .. 1e100";

    private Weights() {}

    /**
     * Checks that costs and speeds are those of an assignment, which is returned.
     *
     * @throws IllegalArgumentException when there are more or fewer blocks or PEs
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
