package org.restorej.loop;

/**
 * What a PE of a {@link CheckpointLoop} says of the iterations that it has done, in flags of which an agreement leaves
 * those that all PEs have. Each of the lowest bits of the number of iterations is there twice, as it is and inverted:
 * the agreement has neither where PEs differ.
 */
final class IterationFlags {
    /** Another iteration is to follow. */
    static final int GOES_ON = 1 << 1;
    /** No iteration is to follow. */
    static final int STOPS = 1 << 2;
    /** What is to be submitted is ready. */
    static final int PREPARED = 1 << 3;

    private static final int BITS = 13;
    private static final int MASK = (1 << BITS) - 1;
    private static final int NUMBER = 4;
    private static final int INVERTED = NUMBER + BITS;

    private IterationFlags() {}

    static int of(long iterations, boolean goesOn) {
        int number = (int) (iterations & MASK);
        return (goesOn ? GOES_ON : STOPS) | number << NUMBER | (~number & MASK) << INVERTED;
    }

    /** Whether all PEs whose flags these have in common have said the same. */
    static boolean sameOnAllPes(int agreed) {
        boolean sameEnd = (agreed & (GOES_ON | STOPS)) != 0;
        return sameEnd && ((agreed >>> NUMBER | agreed >>> INVERTED) & MASK) == MASK;
    }
}
