package org.restorej.cli.risk;

import java.util.function.DoubleUnaryOperator;

/**
 * The chance that nothing is lost when every PE has failed with probability q, independently of the others, and the
 * expected number of failures that follows from it.
 *
 * <p>
 * If all PEs fail at independent times uniform in [0, 1], the time of the n-th failure is {@code n / (P + 1)} on
 * average, whoever they are. So the expected number of failures until loss is {@code P + 1} times the expected time of
 * loss, the integral of the chance that nothing is lost.
 *
 * @param peCount number of PEs P
 * @param cycles number of cycles
 * @param cycleLength elements of a cycle
 * @param window neighbours on a cycle that must not all have failed
 */
record IndependentDeaths(int peCount, int cycles, int cycleLength, int window) {
    private static final double NEGLIGIBLE = 1e-18;
    private static final int INTERVALS = 4096;

    /** Expected number of failures until loss, the last one included, by Simpson's rule; relative error below 1e-7. */
    double expectedFailuresUntilLoss() {
        return expectedFailuresUntilLoss(peCount, this::nothingLost);
    }

    /** The same where it is known how likely nothing is lost, for each probability of a failure. */
    static double expectedFailuresUntilLoss(int peCount, DoubleUnaryOperator nothingLost) {
        double end = 1;
        while (nothingLost.applyAsDouble(end / 2) < NEGLIGIBLE) {
            end /= 2;
        }
        double step = end / INTERVALS;
        double sum = nothingLost.applyAsDouble(0) + nothingLost.applyAsDouble(end);
        for (int i = 1; i < INTERVALS; i++) {
            sum += (i % 2 == 0 ? 2 : 4) * nothingLost.applyAsDouble(i * step);
        }
        return (peCount + 1.0) * sum * step / 3;
    }

    /**
     * The trace of the n-th power of the transfer matrix, whose states are the numbers of failed ones before an
     * element: all terms are positive, so nothing cancels.
     */
    double nothingLost(double deathProbability) {
        double[][] power = null;
        double[][] square = transfer(deathProbability);
        for (int exponent = cycleLength; exponent > 0; exponent >>= 1) {
            if ((exponent & 1) == 1) {
                power = power == null ? square : product(power, square);
            }
            square = product(square, square);
        }
        double trace = 0;
        for (int state = 0; power != null && state < window; state++) {
            trace += power[state][state];
        }
        return Math.pow(trace, cycles);
    }

    private double[][] transfer(double deathProbability) {
        double[][] matrix = new double[window][window];
        for (int state = 0; state < window; state++) {
            matrix[state][0] = 1 - deathProbability;
            if (state + 1 < window) {
                matrix[state][state + 1] = deathProbability;
            }
        }
        return matrix;
    }

    private static double[][] product(double[][] left, double[][] right) {
        int size = left.length;
        double[][] product = new double[size][size];
        for (int i = 0; i < size; i++) {
            for (int k = 0; k < size; k++) {
                for (int j = 0; j < size; j++) {
                    product[i][j] += left[i][k] * right[k][j];
                }
            }
        }
        return product;
    }
}
