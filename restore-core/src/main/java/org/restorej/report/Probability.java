package org.restorej.report;

/** A probability that says how well it is known. */
public sealed interface Probability {
    /** In 0 .. 1: the probability, an estimate of it, or the upper one of its bounds. */
    double value();

    /**
     * The probability itself; relative error below 1e-9, and mostly right to the last digits of a double.
     *
     * @param value in 0 .. 1
     */
    record Exact(double value) implements Probability {
        /** Checks the value. */
        public Exact {
            check(value);
        }
    }

    /**
     * Bounds that are proven; the lower one is 0 where only an upper one is known.
     *
     * @param low the probability is this or more
     * @param high the probability is this or less
     */
    record Between(double low, double high) implements Probability {
        /** Checks the bounds. */
        public Between {
            check(low);
            check(high);
            if (low > high) {
                throw new IllegalArgumentException("low must be at most high: low=" + low + ", high=" + high);
            }
        }

        @Override
        public double value() {
            return high;
        }
    }

    /**
     * What random trials have found.
     *
     * @param interval between which values it is with a confidence of 95 %
     */
    record Estimated(ConfidenceInterval interval) implements Probability {
        @Override
        public double value() {
            return interval.estimate();
        }
    }

    private static void check(double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("a probability must be in 0..1: value=" + value);
        }
    }

    /**
     * An estimate from random trials and between which bounds the true value is with the confidence asked for.
     *
     * @param estimate the estimate
     * @param low lower bound
     * @param high upper bound
     */
    record ConfidenceInterval(double estimate, double low, double high) {
        /** Standard errors of a confidence of 95 %. */
        public static final double CONFIDENCE_95 = 1.959964;

        /** Checks the order of the values. */
        public ConfidenceInterval {
            if (!(low <= estimate && estimate <= high)) {
                throw new IllegalArgumentException(
                        "estimate must be in low..high: estimate=" + estimate + ", low=" + low
                                + ", high=" + high);
            }
        }

        /** As {@link #wilson(int, int, double)}, with a confidence of 95 %. */
        public static ConfidenceInterval wilson(int hits, int trials) {
            return wilson(hits, trials, CONFIDENCE_95);
        }

        /**
         * Wilson's score interval of a probability (Wilson 1927, "Probable Inference, the Law of Succession, and
         * Statistical Inference"), which keeps its confidence also where hardly any, or none, of the trials hit.
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
}
