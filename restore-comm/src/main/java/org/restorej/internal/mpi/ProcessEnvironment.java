package org.restorej.internal.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import org.restorej.internal.foreign.ForeignCall;

/**
 * Sets environment variables that MPI reads when it is loaded, in this process, unless the user has set them.
 *
 * <p>
 * UCX, which Open MPI and MPICH may load, handles SIGSEGV and ends the process on it, while HotSpot uses that signal
 * for null checks in compiled code: a program that catches a NullPointerException would end. So the list
 * {@code UCX_ERROR_SIGNALS} must be empty. If a node has more ranks than cores, Open MPI must yield while it waits.
 *
 * <p>
 * In Open MPI with ULFM (5.0.7) an agreement learns by an event of a failure that another agreement has found, and
 * crashes if it has completed before the event is handled. Events are handled every 10 ms by default, so they must be
 * handled as often as messages.
 */
public final class ProcessEnvironment {
    private ProcessEnvironment() {}

    /** Called before MPI is loaded. */
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
