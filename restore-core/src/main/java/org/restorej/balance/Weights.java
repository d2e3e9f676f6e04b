package org.restorej.balance;

/** The bounds of speeds and costs: so wide that no measured value is rejected, so narrow that no sum overflows. */
final class Weights {
    static final double LEAST = 1e-100;
    static final double GREATEST = 1e100;
    static final String ALLOWED = "1e-100 .. 1e100";

    private Weights() {}
}
