package org.restorej.report;

import java.util.Locale;

/**
 * A probability, or an upper bound on it.
 *
 * @param value in 0 .. 1
 * @param isExact whether it is exact, not only a bound
 */
public record Probability(double value, boolean isExact) {
    /** Checks the value. */
    public Probability {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("a probability must be in 0..1: value=" + value);
        }
    }

    /** An exact probability. */
    public static Probability exactly(double value) {
        return new Probability(value, true);
    }

    /** An upper bound, which may be above 1 and is then cut to 1. */
    public static Probability atMost(double bound) {
        return new Probability(Math.min(1, bound), false);
    }

    /** The value with three digits, such as {@code 0.143} or {@code at most 0.143}. */
    @Override
    public String toString() {
        String number = value == 0 || value == 1
                ? String.valueOf((int) value)
                : String.format(Locale.ROOT, "%.3g", value);
        return isExact ? number : "at most " + number;
    }
}
