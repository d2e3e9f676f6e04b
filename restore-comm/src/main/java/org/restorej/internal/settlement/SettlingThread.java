package org.restorej.internal.settlement;

import org.restorej.comm.Communicator;

import org.jspecify.annotations.Nullable;
import org.restorej.internal.settlement.Settlement.Thrower;

/** What a thread knows of its settlements. Made once for a thread: there may be no memory when it is needed. */
final class SettlingThread {
    private static final ThreadLocal<SettlingThread> CURRENT = ThreadLocal.withInitial(SettlingThread::new);

    /** Where the others wait for this PE; null when they don't. */
    @Nullable
    Communicator awaitedOn;
    /**
     * What the last agreement has ended with that did not come about. Kept beside the exception: an OutOfMemoryError of
     * the JVM takes no suppressed ones.
     */
    @Nullable
    Throwable missed;
    private @Nullable Throwable thrown;
    private Thrower thrower = Thrower.NOBODY;

    private SettlingThread() {}

    static SettlingThread current() {
        return CURRENT.get();
    }

    /** A settlement begins. */
    void begin() {
        awaitedOn = null;
        missed = null;
        threw(null, Thrower.NOBODY);
    }

    /** The last settlement has ended so when all had agreed. */
    void threw(@Nullable Throwable exception, Thrower who) {
        thrown = exception;
        thrower = who;
    }

    /** Who has thrown in the settlement that has ended with this exception; nobody, when it was not the last one. */
    @SuppressWarnings("ReferenceEquality") // Another one may equal it.
    Thrower throwerOf(Throwable exception) {
        return exception == thrown ? thrower : Thrower.NOBODY;
    }
}
