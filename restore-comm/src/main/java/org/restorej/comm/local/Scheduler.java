package org.restorej.comm.local;

import org.jspecify.annotations.Nullable;

/** Who runs when. The methods with a PE are called by that PE's thread unless they say otherwise. */
sealed interface Scheduler permits FreeRunning, SingleStepping {
    /** A thread for a PE, not yet started. */
    Thread newThread(Pe pe, Runnable program);

    /** Lets the PEs begin, when all have been started. */
    default void begin() {}

    /** The thread of a PE has started. */
    default void started(Pe pe) {}

    /** A scheduling point. */
    void step(Pe pe);

    /** The PE has looked for something new, found nothing, and will look again. */
    default void polledInVain(Pe pe) {}

    /** Something has changed that the PE may be waiting for; called by any thread. */
    void signalled(Pe pe);

    /** Something has changed for somebody. */
    default void changed() {}

    /** The PE makes no more calls. */
    default void finished(Pe pe) {}

    /** What it notes of one PE. */
    final class Turn {
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
        /** Thread that waits: single-stepping for its turn, free-running, where it is set meanwhile, for an event. */
        volatile @Nullable Thread thread;

        boolean isIdle() {
            return pollsInVain >= MANY_POLLS;
        }
    }
}
