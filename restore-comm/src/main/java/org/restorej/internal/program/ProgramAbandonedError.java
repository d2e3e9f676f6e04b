package org.restorej.internal.program;

import org.restorej.comm.Collective.KnownToAll;

/**
 * Ends the program of a PE that was about to continue after a failure, because the failure has ended the program of
 * another PE: all survivors restart it.
 */
public final class ProgramAbandonedError extends Error implements KnownToAll {
    private static final long serialVersionUID = 1L;

    /** Creates the error for a PE in {@code shrink}. */
    public ProgramAbandonedError() {
        super("a failure has escaped from the program of another PE: all survivors begin it again", null, false, false);
    }
}
