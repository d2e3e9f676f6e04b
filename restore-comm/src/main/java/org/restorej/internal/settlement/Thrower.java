package org.restorej.internal.settlement;

import org.jspecify.annotations.Nullable;

/** The PE that has thrown an exception of its own in a settlement, as far as one of its PEs knows. */
public enum Thrower {
    /** No PE: processes have failed, or all PEs throw the same. */
    NOBODY,
    /** One or more other PEs. */
    ANOTHER_PE,
    /** This PE, and perhaps others. */
    THIS_PE,
    /** Unknown: this PE has not completed the agreement, in which the others wait for it. */
    UNKNOWN;

    /** The exception that ended a thread's last settlement, with its thrower. */
    private static final class Last {
        /** Identity hash of the exception, or 0. A reference would keep the exception reachable. */
        private int thrown;
        private Thrower thrower = NOBODY;
    }

    /**
     * For each thread, since code of the application may run between a settlement and the query. Created with the
     * thread's first settlement: there may be no memory when it is needed.
     */
    private static final ThreadLocal<Last> LAST = ThreadLocal.withInitial(Last::new);

    /**
     * The thrower of the exception that ended the last settlement of this thread; {@link #NOBODY} for other exceptions.
     * All PEs of the settlement agree on whether any PE has thrown.
     */
    public static Thrower of(Throwable thrown) {
        Last last = LAST.get();
        return System.identityHashCode(thrown) == last.thrown ? last.thrower : NOBODY;
    }

    /**
     * Records how this thread's last settlement has ended, also if another thread has completed it.
     *
     * @param thrown null when a settlement starts
     */
    public void threw(@Nullable Throwable thrown) {
        Last last = LAST.get();
        last.thrown = System.identityHashCode(thrown);
        last.thrower = this;
    }
}
