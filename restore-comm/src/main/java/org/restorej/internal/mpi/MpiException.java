package org.restorej.internal.mpi;

import org.jspecify.annotations.Nullable;

/** An MPI function returned an error. */
public final class MpiException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int code;
    private final int errorClass;

    /**
     * An error.
     *
     * @param errorClass MPI's class of the code
     * @param text MPI's description of the code; begins with the name of the class
     */
    public MpiException(int code, int errorClass, @Nullable String text) {
        super(text);
        this.code = code;
        this.errorClass = errorClass;
    }

    /** What the function returned. */
    public int code() {
        return code;
    }

    /** MPI's class of the code. */
    public int errorClass() {
        return errorClass;
    }

    /** What the error says about the processes of the communicator. */
    public FailureMeaning meaning() {
        return FailureMeaning.of(getMessage());
    }
}
