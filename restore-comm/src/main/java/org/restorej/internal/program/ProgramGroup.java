package org.restorej.internal.program;

import org.restorej.comm.Communicator;

/** The PEs that run a program, as one of them sees them. */
public interface ProgramGroup {
    /** A communicator of those alive as far as known, which the program doesn't know. */
    Communicator own();

    /**
     * Replaces it by that of the survivors. Called by all of them; blocks.
     *
     * @return whether the application had {@linkplain Attempt#endsByException thrown an exception} on a PE that is left
     *         out; the same on all
     */
    boolean shrink();

    /**
     * Begins an attempt. Called by all PEs; blocks. The same PEs succeed and fail: none or all.
     *
     * @throws RuntimeException when a process has died, as communicators throw it
     */
    Attempt begin();
}
