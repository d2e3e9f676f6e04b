package org.restorej.internal.mpi.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import org.restorej.internal.foreign.ForeignCall;

/** The question whether a library has the binary interface that MPI 5.0 standardises. */
final class StandardInterface {
    private StandardInterface() {}

    /**
     * MPI_Abi_get_version says 1 or more; -1 in a library with an interface of its own, and older ones don't have it.
     */
    static boolean isSpokenBy(SymbolLookup library) {
        return library.find("MPI_Abi_get_version").map(StandardInterface::majorVersion).orElse(-1) >= 1;
    }

    private static int majorVersion(MemorySegment function) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment major = arena.allocateFrom(ValueLayout.JAVA_INT, -1);
            int code = ForeignCall.call(function, major.address(), arena.allocate(ValueLayout.JAVA_INT).address());
            return code == 0 ? major.get(ValueLayout.JAVA_INT, 0) : -1;
        }
    }
}
