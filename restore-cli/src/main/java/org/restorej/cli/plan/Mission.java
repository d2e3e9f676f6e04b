package org.restorej.cli.plan;

import java.util.function.IntFunction;
import org.restorej.report.Probability;

/**
 * A run of some hours on nodes that fail now and then, independently of each other, at a constant rate.
 *
 * @param mtbfNodeHours mean time between failures of one node, in hours
 * @param hours how long the run takes
 */
record Mission(double mtbfNodeHours, double hours) {
    /** Numbers of failures that are less likely than this, compared with the likeliest, add nothing to a double. */
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

    /** Expected number of nodes that fail. */
    double expectedFailures(int nodes) {
        return nodes * nodeFailureProbability();
    }

    /**
     * Probability of loss in the run when nothing is replenished: the mean of the probabilities after f failures, f
     * being binomially distributed. A bound when one of them is.
     *
     * @param nodes number of nodes
     * @param afterFailures probability of loss after so many; grows with the number
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
        // Weights may grow smaller than negligible while what they weigh still grows from next to nothing.
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

        /** The mean so far, or what is taken for nothing. */
        double smallness() {
            return Math.max(1e-60, sum / weights);
        }

        Probability probability() {
            double value = Math.min(1, sum / weights);
            return new Probability(value, exact);
        }
    }
}
