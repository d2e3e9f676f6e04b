package org.restorej.comm.mpi;

import org.jspecify.annotations.Nullable;
import org.restorej.internal.mpi.MpiException;

/**
 * An MPI call returned an error that is neither the failure of a process nor a revocation: a mistake in the program, in
 * the MPI installation or on the machine. The communicator must not be used any more.
 */
public class MpiCallException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errorCode;
    private final int errorClass;

    MpiCallException(String operation, MpiException error) {
        super(describe(operation, error.code(), error.errorClass(), error.getMessage()), error);
        this.errorCode = error.code();
        this.errorClass = error.errorClass();
    }

    private static String describe(String operation, int errorCode, int errorClass, @Nullable String text) {
        return operation + " failed: " + text + " (MPI error code " + errorCode + ", class " + errorClass + ")";
    }

    /** The code that the MPI call returned. */
    public int errorCode() {
        return errorCode;
    }

    /** The MPI error class of the code. */
    public int errorClass() {
        return errorClass;
    }
}
