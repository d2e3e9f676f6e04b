package org.restorej.loop;

import org.restorej.internal.message.ComparedNumber;

/**
 * What a PE of a {@link CheckpointLoop} says of the iterations that it has done, in flags of which an agreement leaves
 * those that all PEs have: their number, and what follows.
 */
final class IterationFlags {
    /** Another iteration is to follow. */
    static final int GOES_ON = 1 << 1;
    /** No iteration is to follow. */
    static final int STOPS = 1 << 2;
    /** What is to be submitted is ready. */
    static final int PREPARED = 1 << 3;

    private IterationFlags() {}

    static int of(long iterations, boolean goesOn) {
        return (goesOn ? GOES_ON : STOPS) | ComparedNumber.flags(iterations);
    }

    /** Whether all PEs whose flags these have in common have said the same. */
    static boolean sameOnAllPes(int agreed) {
        return (agreed & (GOES_ON | STOPS)) != 0 && ComparedNumber.isSame(agreed);
    }
}
