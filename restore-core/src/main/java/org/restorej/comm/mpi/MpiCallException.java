package org.restorej.comm.mpi;

import mpi.MPIException;
import org.jspecify.annotations.Nullable;

/**
 * An MPI call returned an error that is neither the failure of a process nor a revocation: a mistake in the program, in
 * the MPI installation or on the machine. The communicator must not be used any more.
 */
public class MpiCallException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errorCode;
    private final int errorClass;

    MpiCallException(String operation, MPIException error) {
        super(describe(operation, error.getErrorCode(), error.getErrorClass(), error.getMessage()), error);
        this.errorCode = error.getErrorCode();
        this.errorClass = error.getErrorClass();
    }

    /** As a function of the C library reports it; Open MPI's own codes are their classes. */
    MpiCallException(String operation, int errorCode, String text) {
        super(describe(operation, errorCode, errorCode, text));
        this.errorCode = errorCode;
        this.errorClass = errorCode;
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
