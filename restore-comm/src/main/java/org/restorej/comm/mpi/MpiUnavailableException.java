package org.restorej.comm.mpi;

import org.jspecify.annotations.Nullable;

/** MPI can't be used by this process; the message says in one sentence what is missing and what to do. */
public class MpiUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MpiUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
