package org.restorej.internal.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import org.restorej.internal.foreign.ForeignCall;

/**
 * Environment variables that MPI reads when it is loaded, set in this process unless the user has.
 *
 * <p>
 * UCX, which Open MPI and MPICH may load, takes SIGSEGV for itself and ends the process on it, while HotSpot uses that
 * signal for null checks in compiled code: a program that catches a NullPointerException ends. So the list
 * {@code UCX_ERROR_SIGNALS} must be empty. Where ranks outnumber the cores of their node, Open MPI must yield while it
 * waits.
 *
 * <p>
 * Open MPI with ULFM (5.0.7) tells an agreement that is pending of a failure which another agreement has brought by an
 * event, and crashes if that agreement has ended before the event is handled, which is looked for every 10 ms: so it
 * must look as often as it looks for messages.
 */
public final class ProcessEnvironment {
    private ProcessEnvironment() {}

    /** Before MPI is loaded. */
    public static void prepare() {
        setDefault("UCX_ERROR_SIGNALS", "");
        if (LocalCores.areShared(System.getenv())) {
            setDefault("OMPI_MCA_mpi_yield_when_idle", "1");
        }
        if ("1".equals(System.getenv("OMPI_MCA_mpi_ft_enable"))) {
            setDefault("OMPI_MCA_mpi_event_tick_rate", "1");
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
