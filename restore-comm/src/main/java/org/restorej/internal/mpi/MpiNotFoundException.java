package org.restorej.internal.mpi;

import org.jspecify.annotations.Nullable;

/** No MPI library can be used by this process. The message has the places that were searched, and the remedy. */
public final class MpiNotFoundException extends Exception {
    private static final long serialVersionUID = 1L;

    MpiNotFoundException(String message) {
        this(message, null);
    }

    MpiNotFoundException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
