package org.restorej.cli.risk;

import java.util.Arrays;

/** The results of a simulation: for each trial the number of failures until loss. Immutable; four bytes a trial. */
public final class SimulatedLosses {
    private final int maxFailures;
    /** Ascending; {@code maxFailures + 1} for a trial without loss. */
    private final int[] failuresUntilLoss;

    SimulatedLosses(int maxFailures, int[] failuresUntilLoss) {
        this.maxFailures = maxFailures;
        this.failuresUntilLoss = failuresUntilLoss.clone();
        Arrays.parallelSort(this.failuresUntilLoss);
    }

    /** Number of trials. */
    public int trials() {
        return failuresUntilLoss.length;
    }

    /** Probability of a loss after a number of failures, with a confidence of 95 %. */
    public ConfidenceInterval lossProbability(int failures) {
        return lossProbability(failures, ConfidenceInterval.CONFIDENCE_95);
    }

    /**
     * Probability of a loss after a number of failures, as Wilson's score interval. With replenishment, losses are
     * counted when all that fail at once have failed.
     *
     * @param failures number of failed domains, from 0 to the maximum that was simulated
     * @param standardErrors the confidence, as quantile of the normal distribution
     */
    public ConfidenceInterval lossProbability(int failures, double standardErrors) {
        if (failures < 0 || failures > maxFailures) {
            throw new IllegalArgumentException(
                    "failures must be in 0.." + maxFailures + ", as simulated: failures=" + failures);
        }
        int lost = 0;
        int high = failuresUntilLoss.length;
        while (lost < high) {
            int middle = (lost + high) >>> 1;
            if (failuresUntilLoss[middle] <= failures) {
                lost = middle + 1;
            } else {
                high = middle;
            }
        }
        return ConfidenceInterval.wilson(lost, trials(), standardErrors);
    }

    /**
     * Expected number of failures until loss, the last one included: the mean of the trials, with its standard error.
     *
     * @param standardErrors the confidence, as quantile of the normal distribution
     * @throws IllegalStateException when a trial has ended without a loss, so that its number of failures is unknown
     */
    public ConfidenceInterval expectedFailuresUntilLoss(double standardErrors) {
        if (failuresUntilLoss[trials() - 1] > maxFailures) {
            throw new IllegalStateException("every trial must end in a loss, but after " + maxFailures
                    + " failures some have lost nothing: simulate more failures");
        }
        double mean = Arrays.stream(failuresUntilLoss).asDoubleStream().sum() / trials();
        double squares = 0;
        for (int failures : failuresUntilLoss) {
            squares += (failures - mean) * (failures - mean);
        }
        double error = Math.sqrt(squares / Math.max(1, trials() - 1) / trials());
        return new ConfidenceInterval(mean, mean - standardErrors * error, mean + standardErrors * error);
    }
}
