package org.restorej.internal.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.restorej.internal.foreign.ForeignCall;

/**
 * What an MPI library says of its error codes.
 *
 * @param text MPI_Error_string(code, text, length)
 * @param errorClass MPI_Error_class(code, class)
 */
public record ErrorTexts(MemorySegment text, MemorySegment errorClass) {
    /** MPI_MAX_ERROR_STRING is 256 in Open MPI, 512 elsewhere; twice that can't be too little. */
    private static final int MAX_TEXT_BYTES = 1024;

    /** The error of a code. */
    public MpiException exception(int code) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment said = arena.allocate(MAX_TEXT_BYTES);
            ForeignCall.call(text, code, said.address(), number.address());
            ForeignCall.call(errorClass, code, number.address());
            return new MpiException(code, number.get(ValueLayout.JAVA_INT, 0), said.getString(0));
        }
    }
}
