package org.restorej.risk;

/** A probability that says how well it is known. */
public sealed interface Probability {
    /** The probability, or the least bound on it that is known. */
    double value();

    /**
     * The probability itself, right to the last digits of a double.
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
     * A bound that is proven: the probability is this or less.
     *
     * @param value in 0 .. 1
     */
    record UpperBound(double value) implements Probability {
        /** Checks the value. */
        public UpperBound {
            check(value);
        }
    }

    private static void check(double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("a probability must be in 0..1: value=" + value);
        }
    }
}
