package org.restorej.loop;

import org.restorej.comm.Collective;
import org.restorej.comm.mpi.Mpi;

/**
 * Ends a job before it is complete: its time is over, a user has requested it, or blocks are lost. The same program,
 * started again, resumes from the last save. Thrown on all PEs, by this and every later call of the loop; the exit code
 * is 75.
 */
public final class ToBeContinuedException extends RuntimeException implements Collective.KnownToAll {
    private static final long serialVersionUID = 1L;

    ToBeContinuedException(String message) {
        super(message);
    }

    @Override
    public int exitCode() {
        return Mpi.EXIT_CODE_CONTINUED;
    }
}
