package org.restorej.internal.message;

/**
 * Compares a number of all PEs by the flags of an agreement, which leaves those that all PEs have. A number becomes a
 * word with 13 of 26 bits set (a constant-weight code): what two different words have in common is fewer.
 */
public final class ComparedNumber {
    /** There are 10,400,600 words of this weight: enough for 23 bits. */
    private static final int WORD_BITS = 26;
    private static final int WEIGHT = WORD_BITS / 2;
    private static final int NUMBER_BITS = 23;
    /** Below are flags of the caller's, above those of the settlement. */
    private static final int SHIFT = 4;
    private static final int WORD = ((1 << WORD_BITS) - 1) << SHIFT;
    /** How many words of so many bits have so many bits set. */
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
     * The flags of a number: the bits 4 to 29. Allocates nothing.
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

    /** The flags of a digest: of two that differ, one pair in eight million has the same. */
    public static int flagsOfDigest(int digest) {
        return flags(digest ^ (digest >>> NUMBER_BITS));
    }

    /** Whether all PEs whose flags these have in common have the same number. */
    public static boolean isSame(int agreed) {
        // More where PEs that have no number set all flags.
        return Integer.bitCount(agreed & WORD) >= WEIGHT;
    }
}
