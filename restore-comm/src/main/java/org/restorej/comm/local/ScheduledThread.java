package org.restorej.comm.local;

import org.jspecify.annotations.Nullable;

/** What a {@link Scheduler} notes of one PE, or of one thread of a PE that has several. */
final class ScheduledThread {
    /**
     * After so many polls in vain without an event in between a PE counts as idle. More than one, since a program that
     * waits for several things polls them in turn, and the event may have been for the one that is polled next.
     */
    static final int MANY_POLLS = 8;

    /** Polls in vain in a row; by the PE's own thread, and set to 0 by others in single steps only. */
    int pollsInVain;
    /** Events of the PE when it last polled in vain. */
    int eventsSeen;
    /** When it last polled in vain; free-running only. */
    long polledAtNanos;
    /** Whether it may run; single-stepping only. */
    volatile boolean granted;
    /** Thread that waits for its turn; single-stepping only. */
    volatile @Nullable Thread thread;

    boolean isIdle() {
        return pollsInVain >= MANY_POLLS;
    }
}
