package org.restorej.loop;

import org.restorej.internal.message.ComparedNumber;

/**
 * The flags by which PEs of a {@link CheckpointLoop} agree on their iterations. The agreement keeps the flags that all
 * PEs have set: a digest of the number of iterations, and what follows.
 */
final class IterationFlags {
    /** Another iteration follows. */
    static final int GOES_ON = 1 << 1;
    /** No iteration follows. */
    static final int STOPS = 1 << 2;
    /** The next generation is prepared. */
    static final int PREPARED = 1 << 3;

    private IterationFlags() {}

    static int of(long iterations, boolean goesOn) {
        return (goesOn ? GOES_ON : STOPS) | ComparedNumber.flags(iterations);
    }

    /** Whether all PEs have set the same, given the flags that they have in common. */
    static boolean sameOnAllPes(int agreed) {
        return (agreed & (GOES_ON | STOPS)) != 0 && ComparedNumber.isSame(agreed);
    }
}
