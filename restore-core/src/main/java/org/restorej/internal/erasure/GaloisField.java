package org.restorej.internal.erasure;

/**
 * The field of 256 elements with the polynomial x^8 + x^4 + x^3 + x^2 + 1 ({@code 0x11D}) and generator 2, as in redset
 * and ISA-L. Elements are ints in {@code 0 .. 255}; addition is {@code ^}.
 */
final class GaloisField {
    static final int SIZE = 256;

    /** The polynomial without its term x^8, which equals x^8 modulo the polynomial. */
    static final int REDUCTION = 0x1D;

    private static final int ORDER = SIZE - 1;
    /** Of twice the order, so that the sum of two logarithms needs no reduction. */
    private static final int[] POWER = new int[2 * ORDER];
    private static final int[] LOGARITHM = new int[SIZE];

    static {
        int element = 1;
        for (int exponent = 0; exponent < ORDER; exponent++) {
            POWER[exponent] = element;
            POWER[exponent + ORDER] = element;
            LOGARITHM[element] = exponent;
            element = twice(element);
        }
    }

    private GaloisField() {}

    static int twice(int element) {
        int doubled = element << 1;
        return doubled < SIZE ? doubled : (doubled & (SIZE - 1)) ^ REDUCTION;
    }

    static int multiply(int left, int right) {
        if (left == 0 || right == 0) {
            return 0;
        }
        return POWER[LOGARITHM[left] + LOGARITHM[right]];
    }

    static int divide(int dividend, int divisor) {
        if (divisor == 0) {
            throw new ArithmeticException("division by zero in GF(256): dividend=" + dividend);
        }
        if (dividend == 0) {
            return 0;
        }
        return POWER[LOGARITHM[dividend] + ORDER - LOGARITHM[divisor]];
    }
}
