package org.restorej.internal.program;

import org.restorej.comm.Collective.KnownToAll;

/**
 * Unwinds the program of a PE that was about to go on after a failure, when the failure has escaped from the program of
 * another one: all survivors begin again.
 */
public final class ProgramAbandonedError extends Error implements KnownToAll {
    private static final long serialVersionUID = 1L;

    /** An error for a PE that meets the others in {@code shrink}. */
    public ProgramAbandonedError() {
        super("a failure has escaped from the program of another PE: all survivors begin it again", null, false, false);
    }
}
