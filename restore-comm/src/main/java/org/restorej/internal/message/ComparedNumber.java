package org.restorej.internal.message;

/**
 * A number among the flags of an agreement, which leaves those that all PEs have. Each of its lowest bits is there
 * twice, as it is and inverted: where PEs differ, the agreement has neither.
 */
public final class ComparedNumber {
    private static final int BITS = 13;
    private static final int MASK = (1 << BITS) - 1;
    /** Below are flags of the caller's, above those of the settlement. */
    private static final int NUMBER = 4;
    private static final int INVERTED = NUMBER + BITS;

    private ComparedNumber() {}

    /**
     * The flags of a number: the bits 4 to 29.
     *
     * @param number of which the lowest 13 bits are compared
     */
    public static int flags(long number) {
        int low = (int) number & MASK;
        return low << NUMBER | (~low & MASK) << INVERTED;
    }

    /** The flags of a digest, all bits of which count. */
    public static int flagsOfDigest(int digest) {
        return flags(digest ^ (digest >>> BITS) ^ (digest >>> (2 * BITS)));
    }

    /** Whether all PEs whose flags these have in common have the same number. */
    public static boolean isSame(int agreed) {
        return ((agreed >>> NUMBER | agreed >>> INVERTED) & MASK) == MASK;
    }
}
