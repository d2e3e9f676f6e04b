package org.restorej.loop;

import org.restorej.comm.Collective;
import org.restorej.comm.mpi.Mpi;

/**
 * A job ends before it is complete, because its time is over, somebody has asked for that, or blocks are lost. What
 * was saved last, the same program goes on from when it is started again. Thrown on all PEs, by this call of the
 * loop and each further one; the exit code is 75.
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
