package org.restorej.internal.mpi;

import org.jspecify.annotations.Nullable;

/** There is no MPI library that this process can use. The message says what was looked for, and what to do. */
public final class MpiNotFoundException extends Exception {
    private static final long serialVersionUID = 1L;

    MpiNotFoundException(String message) {
        this(message, null);
    }

    MpiNotFoundException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
