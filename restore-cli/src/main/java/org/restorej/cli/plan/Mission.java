package org.restorej.cli.plan;

import java.util.function.IntFunction;
import org.restorej.report.Probability;

/**
 * A run on nodes that fail independently of each other, at a constant rate.
 *
 * @param mtbfNodeHours mean time between failures of one node, in hours
 * @param hours duration of the run
 */
record Mission(double mtbfNodeHours, double hours) {
    /** Relative likelihood below which a number of failures doesn't change the sum in double precision. */
    private static final double NEGLIGIBLE = 1e-18;

    /** Checks the times. */
    Mission {
        if (!(mtbfNodeHours > 0) || !(hours > 0)) {
            throw new IllegalArgumentException("times must be positive: mtbfNodeHours=" + mtbfNodeHours + ", hours="
                    + hours);
        }
    }

    /** Probability that a given node fails during the run. */
    double nodeFailureProbability() {
        return -Math.expm1(-hours / mtbfNodeHours);
    }

    /** Expected number of failed nodes. */
    double expectedFailures(int nodes) {
        return nodes * nodeFailureProbability();
    }

    /**
     * Probability of loss in the run without replenishment: the mean of the probabilities after f failures, with f
     * binomially distributed. A bound if one of them is.
     *
     * @param nodes number of nodes
     * @param afterFailures probability of loss after a number of failures; increasing
     */
    Probability loss(int nodes, IntFunction<Probability> afterFailures) {
        double failing = nodeFailureProbability();
        double odds = failing / (1 - failing);
        if (!Double.isFinite(odds)) {
            return afterFailures.apply(nodes);
        }
        int likeliest = (int) Math.min(nodes, Math.floor((nodes + 1.0) * failing));
        WeightedMean mean = new WeightedMean();
        double weight = 1;
        for (int failures = likeliest; failures >= 0 && weight > NEGLIGIBLE; failures--) {
            mean.add(weight, afterFailures.apply(failures));
            weight *= failures / ((nodes - failures + 1) * odds);
        }
        weight = (nodes - likeliest) * odds / (likeliest + 1.0);
        // Weights may drop below the limit while the probabilities that they weigh still grow from almost nothing.
        for (int failures = likeliest + 1; failures <= nodes && weight > NEGLIGIBLE * mean.smallness(); failures++) {
            mean.add(weight, afterFailures.apply(failures));
            weight *= (nodes - failures) * odds / (failures + 1.0);
        }
        return mean.probability();
    }

    private static final class WeightedMean {
        private double weights;
        private double sum;
        private boolean exact = true;

        void add(double weight, Probability probability) {
            weights += weight;
            sum += weight * probability.value();
            exact &= probability.isExact();
        }

        /** The mean so far, or a lower limit for it. */
        double smallness() {
            return Math.max(1e-60, sum / weights);
        }

        Probability probability() {
            double value = Math.min(1, sum / weights);
            return new Probability(value, exact);
        }
    }
}
