package org.restorej.demo.run;

/**
 * Numbers as multiples of a power of two, in a {@code long}: their sums are exact, and so the same in whatever order
 * and on however many PEs they are made. Sums of doubles are not.
 *
 * @param fractionBits how many binary digits behind the point are kept; a sum must stay below
 *        {@code 2^(63 - fractionBits)}
 */
public record FixedPoint(int fractionBits) {
    /** Checks the digits. */
    public FixedPoint {
        if (fractionBits < 0 || fractionBits > 62) {
            throw new IllegalArgumentException("fractionBits must be in 0..62: fractionBits=" + fractionBits);
        }
    }

    /** The nearest multiple; ties go up. */
    public long of(double value) {
        return Math.round(Math.scalb(value, fractionBits));
    }

    /** The value, rounded to a double. */
    public double value(long multiple) {
        return Math.scalb((double) multiple, -fractionBits);
    }
}
