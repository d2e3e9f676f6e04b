package org.restorej.internal.erasure;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Loops over GF(2^8) elements packed four to an int, in a form that C2 vectorizes.
 *
 * <p>
 * Measured with JDK 25: a loop is vectorized if it stores to one array only, has at most one off-heap operand, and has
 * at least four exclusive ors or fewer than about 60 nodes. With two stores, or with source and target both off-heap,
 * it is ten times slower. Ints are faster than longs, because all processors multiply them in vectors: the product of a
 * byte that is 0 or 1 with a constant selects the constant without carries.
 */
final class PackedBytes {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final int LOWEST_BITS = 0x01010101;

    private PackedBytes() {}

    private static int twice(int word) {
        return ((word & 0x7F7F7F7F) << 1) ^ (((word >>> 7) & LOWEST_BITS) * GaloisField.REDUCTION);
    }

    /**
     * Adds the products of the first {@code words} of an array with a coefficient to off-heap memory: every bit of a
     * source byte contributes the coefficient times a power of two.
     */
    static void addProduct(int[] source, int words, int coefficient, MemorySegment target) {
        int c0 = coefficient;
        int c1 = GaloisField.twice(c0);
        int c2 = GaloisField.twice(c1);
        int c3 = GaloisField.twice(c2);
        int c4 = GaloisField.twice(c3);
        int c5 = GaloisField.twice(c4);
        int c6 = GaloisField.twice(c5);
        int c7 = GaloisField.twice(c6);
        for (int i = 0; i < words; i++) {
            int word = source[i];
            long at = (long) Integer.BYTES * i;
            target.set(INT, at, target.get(INT, at)
                    ^ (word & LOWEST_BITS) * c0 ^ ((word >>> 1) & LOWEST_BITS) * c1
                    ^ ((word >>> 2) & LOWEST_BITS) * c2 ^ ((word >>> 3) & LOWEST_BITS) * c3
                    ^ ((word >>> 4) & LOWEST_BITS) * c4 ^ ((word >>> 5) & LOWEST_BITS) * c5
                    ^ ((word >>> 6) & LOWEST_BITS) * c6 ^ ((word >>> 7) & LOWEST_BITS) * c7);
        }
    }

    /** Adds all arrays from an index on. */
    static void addAll(int[] sum, int[][] sources, int from) {
        int next = from;
        for (; next + 4 <= sources.length; next += 4) {
            add(sum, sources[next], sources[next + 1], sources[next + 2], sources[next + 3]);
        }
        for (; next < sources.length; next++) {
            add(sum, sources[next]);
        }
    }

    /** Doubles the sum and then adds all arrays. */
    static void doubleAndAddAll(int[] sum, int[][] sources) {
        switch (sources.length) {
            case 0 -> doubleEach(sum);
            case 1 -> doubleAndAdd(sum, sources[0]);
            case 2 -> doubleAndAdd(sum, sources[0], sources[1]);
            default -> {
                doubleAndAdd(sum, sources[0], sources[1], sources[2]);
                addAll(sum, sources, 3);
            }
        }
    }

    private static void add(int[] sum, int[] a) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] ^= a[i];
        }
    }

    private static void add(int[] sum, int[] a, int[] b, int[] c, int[] d) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] ^= a[i] ^ b[i] ^ c[i] ^ d[i];
        }
    }

    private static void doubleEach(int[] sum) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] = twice(sum[i]);
        }
    }

    private static void doubleAndAdd(int[] sum, int[] a) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] = twice(sum[i]) ^ a[i];
        }
    }

    private static void doubleAndAdd(int[] sum, int[] a, int[] b) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] = twice(sum[i]) ^ a[i] ^ b[i];
        }
    }

    private static void doubleAndAdd(int[] sum, int[] a, int[] b, int[] c) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] = twice(sum[i]) ^ a[i] ^ b[i] ^ c[i];
        }
    }
}
