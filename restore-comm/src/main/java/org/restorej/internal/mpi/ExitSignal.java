package org.restorej.internal.mpi;

import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import org.restorej.internal.foreign.ForeignCall;

/**
 * Turns every exit of this process into an end by a signal, until its program has ended regularly. Open MPI 5 and 6
 * report the end of a process by a signal to the other ranks, but not a non-zero exit code.
 *
 * <p>
 * The C library calls {@code raise} when the process calls {@code exit}: after the end of {@code main}, in
 * {@link System#exit} after its shutdown hooks, and in {@link Runtime#halt}. Exit functions run in reverse order of
 * registration, so MPI's own don't run. A registration can't be withdrawn, but the signal can be ignored.
 */
public final class ExitSignal {
    /** SIGSTKFLT: neither the JVM nor tools use it, and it ends a process without a core dump. */
    private static final int SIGNAL = 16;

    private static final long DEFAULT_ACTION = 0;
    private static final long IGNORED = 1;

    private static final MemorySegment SET_ACTION = function("signal");

    private static boolean registered;

    private ExitSignal() {}

    private static MemorySegment function(String name) {
        return Linker.nativeLinker().defaultLookup().findOrThrow(name);
    }

    /** From now on any exit counts as a failure for the other ranks. */
    public static synchronized void begin() {
        ForeignCall.call(SET_ACTION, SIGNAL, DEFAULT_ACTION);
        if (!registered) {
            registered = true;
            if (ForeignCall.call(function("__cxa_atexit"), function("raise").address(), SIGNAL, 0) != 0) {
                throw new IllegalStateException("__cxa_atexit failed");
            }
        }
    }

    /** From now on this process exits with its exit code. */
    public static void end() {
        ForeignCall.call(SET_ACTION, SIGNAL, IGNORED);
    }
}
