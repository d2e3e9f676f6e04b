package org.restorej.comm.local;

import org.restorej.comm.OriginalRank;

/**
 * Decides at every communication call of every PE of a {@link LocalCluster} whether the PE dies there.
 *
 * <p>
 * Asked once a call, by the thread of the PE that calls; in a free-running cluster by several threads at once. In a
 * single-stepping cluster the sequence of questions is a function of program and seed, so it is also a trace of the
 * run.
 */
@FunctionalInterface
public interface FaultInjector {
    /** Nobody dies. */
    FaultInjector NONE = (originalRank, callIndex, operation) -> Fate.LIVES;

    /** What becomes of a PE at a call. */
    enum Fate {
        /** The call does what it should. */
        LIVES,
        /** The PE dies, and the call has no effect on the others. */
        DIES_BEFORE,
        /**
         * The PE dies when the call has taken effect: the message is on its way, the barrier or agreement entered. It
         * does not wait for the others.
         */
        DIES_AFTER
    }

    /**
     * What becomes of the PE at this call.
     *
     * @param originalRank who calls
     * @param callIndex number of communication calls that this PE has made before
     * @param operation what it calls
     */
    Fate fateOf(OriginalRank originalRank, long callIndex, Operation operation);
}
