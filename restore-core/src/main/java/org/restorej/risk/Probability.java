package org.restorej.risk;

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
     * @param interval between which values it lies with a confidence of 95 %
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
}
