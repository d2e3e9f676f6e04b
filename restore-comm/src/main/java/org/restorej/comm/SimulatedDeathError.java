package org.restorej.comm;

/**
 * Unwinds the thread of a PE that was made to fail. Nothing but the code that started the PE may catch it: a dead
 * process runs no more of its program. Every communicator call of a failed PE throws it again.
 */
public final class SimulatedDeathError extends Error {
    private static final long serialVersionUID = 1L;

    /**
     * An error for the thread of the PE that is dead now.
     *
     * @param originalRank who failed
     */
    public SimulatedDeathError(OriginalRank originalRank) {
        super("the PE of original rank " + originalRank + " was made to fail", null, false, false);
    }
}
