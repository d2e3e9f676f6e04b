package org.restorej.internal.mpi;

import org.jspecify.annotations.Nullable;

/**
 * What an MPI error says about the processes of a communicator. Told by the name that MPI's error texts begin with: the
 * number of a class is not part of MPI's interface, and is not the same in all versions.
 */
public enum FailureMeaning {
    /** A process that the operation depends on, or may depend on, is dead. */
    PROCESS_FAILED,
    /** The communicator is revoked. */
    REVOKED,
    /** Nothing: some other error. */
    OTHER;

    static FailureMeaning of(@Nullable String errorText) {
        // Also MPI_ERR_PROC_FAILED_PENDING: a message from any source, which a dead process might have sent.
        if (isNamed(errorText, "ERR_PROC_FAILED")) {
            return PROCESS_FAILED;
        }
        return isNamed(errorText, "ERR_REVOKED") ? REVOKED : OTHER;
    }

    private static boolean isNamed(@Nullable String errorText, String name) {
        return errorText != null && (errorText.startsWith("MPI_" + name) || errorText.startsWith("MPIX_" + name));
    }
}
