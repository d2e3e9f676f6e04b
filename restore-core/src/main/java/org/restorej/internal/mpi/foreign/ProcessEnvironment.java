package org.restorej.internal.mpi.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import org.restorej.internal.foreign.ForeignCall;

/**
 * Environment variables that MPI reads when it is loaded, set in this process unless the user has.
 *
 * <p>
 * UCX, which Open MPI and MPICH may load, takes SIGSEGV for itself and ends the process on it, while HotSpot uses that
 * signal for null checks in compiled code: a program that catches a NullPointerException dies. So the list
 * {@code UCX_ERROR_SIGNALS} must be empty. Where ranks outnumber the cores of their node, Open MPI must yield while it
 * waits.
 */
public final class ProcessEnvironment {
    private ProcessEnvironment() {}

    /** Before MPI is loaded. */
    public static void prepare() {
        setDefault("UCX_ERROR_SIGNALS", "");
        if (LocalCores.areShared(System.getenv())) {
            setDefault("OMPI_MCA_mpi_yield_when_idle", "1");
        }
    }

    private static void setDefault(String variable, String value) {
        if (System.getenv(variable) != null) {
            return;
        }
        MemorySegment function = Linker.nativeLinker().defaultLookup().findOrThrow("setenv");
        try (Arena arena = Arena.ofConfined()) {
            int failed = ForeignCall.call(function, arena.allocateFrom(variable).address(),
                    arena.allocateFrom(value).address(), 0);
            if (failed != 0) {
                throw new IllegalStateException("setenv of " + variable + " failed");
            }
        }
    }
}
