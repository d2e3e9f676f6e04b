package org.restorej.comm.local;

/** Who runs when. The methods with a PE are called by that PE's thread unless they say otherwise. */
sealed interface Scheduler permits FreeRunning, SingleStepping {
    /** A thread for a PE, not yet started. */
    Thread newThread(Pe pe, Runnable program);

    /** Whether a PE may have several threads that communicate. */
    boolean allowsSeveralThreads();

    /** Lets the PEs begin, when all have been started. */
    void begin();

    /** The thread of a PE has started. */
    void started(Pe pe);

    /** A scheduling point. */
    void step(Pe pe);

    /** The PE has looked for something new, found nothing, and will look again. */
    void polledInVain(Pe pe);

    /** Something has changed that the PE may be waiting for; called by any thread. */
    void signalled(Pe pe);

    /** Something has changed for somebody. */
    void changed();

    /** The PE makes no more calls. */
    void finished(Pe pe);
}
