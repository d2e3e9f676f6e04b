package org.restorej.internal.message;

/**
 * Compares a number of all PEs by the flags of an agreement, which keeps the flags that all PEs have set. A number is
 * encoded as a word with 13 of 26 bits set (a constant-weight code): two different words have fewer bits in common.
 */
public final class ComparedNumber {
    /** There are 10,400,600 words of this weight, enough for 23 bits. */
    private static final int WORD_BITS = 26;
    private static final int WEIGHT = WORD_BITS / 2;
    private static final int NUMBER_BITS = 23;
    /** The lower bits are flags of the settlement and the caller. */
    private static final int SHIFT = 4;
    private static final int WORD = ((1 << WORD_BITS) - 1) << SHIFT;
    /** {@code WORDS[n][k]}: number of words of n bits with k bits set. */
    private static final int[][] WORDS = words();

    private ComparedNumber() {}

    private static int[][] words() {
        int[][] words = new int[WORD_BITS][WEIGHT + 1];
        for (int bits = 0; bits < WORD_BITS; bits++) {
            words[bits][0] = 1;
            for (int set = 1; set <= Math.min(bits, WEIGHT); set++) {
                words[bits][set] = words[bits - 1][set - 1] + words[bits - 1][set];
            }
        }
        return words;
    }

    /**
     * The flags of a number, in bits 4 to 29. Allocates nothing.
     *
     * @param number of which the lowest 23 bits are compared
     */
    public static int flags(long number) {
        int rest = (int) number & ((1 << NUMBER_BITS) - 1);
        int set = WEIGHT;
        int word = 0;
        // The combinatorial number system: words in ascending order, numbered from 0.
        for (int bit = WORD_BITS - 1; bit >= 0 && set > 0; bit--) {
            int smaller = WORDS[bit][set];
            if (rest >= smaller) {
                rest -= smaller;
                set--;
                word |= 1 << bit;
            }
        }
        return word << SHIFT;
    }

    /** The flags of a digest. Two different digests have equal flags with a probability of one in eight million. */
    public static int flagsOfDigest(int digest) {
        return flags(digest ^ (digest >>> NUMBER_BITS));
    }

    /** Whether all PEs have the same number, given the flags that they have in common. */
    public static boolean isSame(int agreed) {
        // More if PEs without a number have set all flags.
        return Integer.bitCount(agreed & WORD) >= WEIGHT;
    }
}
