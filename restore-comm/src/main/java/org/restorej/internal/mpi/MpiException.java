package org.restorej.internal.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.foreign.ForeignCall;

/** An MPI function returned an error. */
public final class MpiException extends Exception {
    private static final long serialVersionUID = 1L;

    /** MPI_MAX_ERROR_STRING is 256 in Open MPI and 512 in others; this is twice as much. */
    private static final int MAX_TEXT_BYTES = 1024;

    /**
     * The meaning of an MPI error for the processes of a communicator. Recognized by the name with which MPI's error
     * texts begin, since the numbers of error classes differ between versions.
     */
    public enum Meaning {
        /** A process on which the operation depends, or may depend, has failed. */
        PROCESS_FAILED,
        /** The communicator is revoked. */
        REVOKED,
        /** Any other error. */
        OTHER;

        static Meaning of(@Nullable String errorText) {
            // Also MPI_ERR_PROC_FAILED_PENDING: a receive from any source, which a failed process might have matched.
            if (isNamed(errorText, "ERR_PROC_FAILED")) {
                return PROCESS_FAILED;
            }
            return isNamed(errorText, "ERR_REVOKED") ? REVOKED : OTHER;
        }

        private static boolean isNamed(@Nullable String errorText, String name) {
            return errorText != null && (errorText.startsWith("MPI_" + name) || errorText.startsWith("MPIX_" + name));
        }
    }

    private final int code;
    private final int errorClass;

    /**
     * Creates an error.
     *
     * @param errorClass MPI's class of the code
     * @param text MPI's description of the code; begins with the name of the class
     */
    public MpiException(int code, int errorClass, @Nullable String text) {
        super(text);
        this.code = code;
        this.errorClass = errorClass;
    }

    /**
     * Creates the error of a code, by functions of the library.
     *
     * @param errorString MPI_Error_string(code, text, length)
     * @param errorClass MPI_Error_class(code, class)
     */
    public static MpiException of(int code, MemorySegment errorString, MemorySegment errorClass) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment text = arena.allocate(MAX_TEXT_BYTES);
            ForeignCall.call(errorString, code, text.address(), number.address());
            ForeignCall.call(errorClass, code, number.address());
            return new MpiException(code, number.get(ValueLayout.JAVA_INT, 0), text.getString(0));
        }
    }

    /** The code that the function returned. */
    public int code() {
        return code;
    }

    /** MPI's class of the code. */
    public int errorClass() {
        return errorClass;
    }

    /** The meaning of the error for the processes of the communicator. */
    public Meaning meaning() {
        return Meaning.of(getMessage());
    }
}
