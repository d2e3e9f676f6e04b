package org.restorej.cli.risk;

/**
 * An estimate from random trials, with its confidence interval.
 *
 * @param estimate the estimate
 * @param low lower bound
 * @param high upper bound
 */
public record ConfidenceInterval(double estimate, double low, double high) {
    /** Standard errors of a confidence of 95 %. */
    public static final double CONFIDENCE_95 = 1.959964;

    /** Checks the order of the values. */
    public ConfidenceInterval {
        if (!(low <= estimate && estimate <= high)) {
            throw new IllegalArgumentException("estimate must be in low..high: estimate=" + estimate + ", low=" + low
                    + ", high=" + high);
        }
    }

    /**
     * Wilson's score interval of a probability (Wilson 1927, "Probable Inference, the Law of Succession, and
     * Statistical Inference"), which keeps its confidence even if few trials, or none, hit.
     *
     * @param hits trials that hit, {@code 0 .. trials}
     * @param trials number of trials, at least 1
     * @param standardErrors the confidence, as quantile of the normal distribution
     */
    public static ConfidenceInterval wilson(int hits, int trials, double standardErrors) {
        double share = (double) hits / trials;
        double squared = standardErrors * standardErrors;
        double centre = (hits + squared / 2) / (trials + squared);
        double half = standardErrors / (trials + squared) * Math.sqrt(hits * (1 - share) + squared / 4);
        return new ConfidenceInterval(share, Math.clamp(centre - half, 0, share),
                Math.clamp(centre + half, share, 1));
    }
}
