package org.restorej.risk;

/** How often to make a checkpoint, and what that costs, when failures come at random. */
public final class CheckpointModel {
    private CheckpointModel() {}

    /**
     * The time of computing between two checkpoints that makes the expected run shortest: Daly's higher-order estimate
     * (J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps", Future Generation
     * Computer Systems 22, 2006, equation 37). Its first term is Young's {@code sqrt(2 c m)}.
     *
     * @param checkpointSeconds what a checkpoint costs, c, at least 0
     * @param meanSecondsBetweenFailures of the whole job, m, above 0
     * @return seconds; m where a checkpoint costs at least {@code 2 m}
     */
    public static double dalyInterval(double checkpointSeconds, double meanSecondsBetweenFailures) {
        if (!(checkpointSeconds >= 0)) {
            throw new IllegalArgumentException(
                    "checkpointSeconds must be at least 0: checkpointSeconds=" + checkpointSeconds);
        }
        if (!(meanSecondsBetweenFailures > 0)) {
            throw new IllegalArgumentException("meanSecondsBetweenFailures must be above 0: meanSecondsBetweenFailures="
                    + meanSecondsBetweenFailures);
        }
        double half = checkpointSeconds / (2 * meanSecondsBetweenFailures);
        if (half >= 1) {
            return meanSecondsBetweenFailures;
        }
        double young = Math.sqrt(2 * checkpointSeconds * meanSecondsBetweenFailures);
        return young * (1 + Math.sqrt(half) / 3 + half / 9) - checkpointSeconds;
    }
}
