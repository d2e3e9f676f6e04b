package org.restorej.internal.settlement;

import org.jspecify.annotations.Nullable;

/** Who has thrown an exception of its own in a settlement, as one of its PEs knows it. */
public enum Thrower {
    /** Nobody: processes have failed, or all PEs throw alike. */
    NOBODY,
    /** Another PE, or several. */
    ANOTHER_PE,
    /** This PE, and perhaps others. */
    THIS_PE,
    /** Nobody can know: this PE has not come through the agreement, in which the others wait for it. */
    UNKNOWN;

    /** What ended a thread's last settlement, and its thrower. */
    private static final class Last {
        /** Its identity hash: the exception itself would be kept alive, with all that it refers to. 0 for none. */
        private int thrown;
        private Thrower thrower = NOBODY;
    }

    /**
     * Of a thread, since code of the application may lie between a settlement and those who ask. Made with the thread's
     * first settlement: there may be no memory when it is needed.
     */
    private static final ThreadLocal<Last> LAST = ThreadLocal.withInitial(Last::new);

    /**
     * Who has thrown in the settlement that has ended with an exception, when it was the last one of this thread;
     * otherwise nobody. All PEs of the settlement know alike whether anybody has.
     */
    public static Thrower of(Throwable thrown) {
        Last last = LAST.get();
        return System.identityHashCode(thrown) == last.thrown ? last.thrower : NOBODY;
    }

    /**
     * Notes that this thread's last settlement has ended so; also where another thread has brought it to its end.
     *
     * @param thrown null when the settlement has only begun
     */
    public void threw(@Nullable Throwable thrown) {
        Last last = LAST.get();
        last.thrown = System.identityHashCode(thrown);
        last.thrower = this;
    }
}
