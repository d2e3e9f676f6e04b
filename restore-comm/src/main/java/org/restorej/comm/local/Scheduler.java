package org.restorej.comm.local;

import org.jspecify.annotations.Nullable;

/** Decides when PEs run. Methods with a PE are called by its thread, unless stated otherwise. */
sealed interface Scheduler permits FreeRunning, SingleStepping {
    /** Creates a thread for a PE, without starting it. */
    Thread newThread(Pe pe, Runnable program);

    /** Lets the PEs run, when all threads have been started. */
    default void begin() {}

    /** The thread of a PE has started. */
    default void started(Pe pe) {}

    /** A point at which another PE may run. */
    void step(Pe pe);

    /** The PE has polled without success, and will poll again. */
    default void polledInVain(Pe pe) {}

    /** Something has changed for which the PE may wait; called by any thread. */
    void signalled(Pe pe);

    /** Something has changed for some PE. */
    default void changed() {}

    /** The PE makes no more calls. */
    default void finished(Pe pe) {}

    /** The scheduler's data about one PE. */
    final class Turn {
        /**
         * Number of polls without success or event after which a PE counts as idle. More than one, because a program
         * that waits for several things polls them in turn, and the event may be for the next one.
         */
        static final int MANY_POLLS = 8;

        /**
         * Consecutive polls without success; changed by the PE's thread, and reset by others only when single-stepping.
         */
        int pollsInVain;
        /** Number of the PE's events at its last poll without success. */
        int eventsSeen;
        /** Time of its last poll without success; free-running only. */
        long polledAtNanos;
        /** Whether it may run; single-stepping only. */
        volatile boolean granted;
        /** Waiting thread: single-stepping for its turn, free-running for an event, otherwise null. */
        volatile @Nullable Thread thread;

        boolean isIdle() {
            return pollsInVain >= MANY_POLLS;
        }
    }
}
