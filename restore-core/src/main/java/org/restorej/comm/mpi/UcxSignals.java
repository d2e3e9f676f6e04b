package org.restorej.comm.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/**
 * Keeps UCX, which Open MPI may load, from handling the signals that the JVM needs.
 *
 * <p>
 * UCX takes SIGSEGV for itself when it is loaded and ends the process on it, while HotSpot uses that signal for null
 * checks in compiled code: a program that catches a NullPointerException dies. {@code UCX_ERROR_SIGNALS}, a list of
 * signals, must be empty before the library is loaded. {@code bin/mpirun-java} sees to it; for programs started
 * otherwise this sets it, at the price of the process's first foreign-function handle, about 0.1 s.
 */
final class UcxSignals {
    private static final String VARIABLE = "UCX_ERROR_SIGNALS";

    private UcxSignals() {}

    /** Empties the list of signals unless the environment says something about it. Before MPI is loaded. */
    static void leaveToTheJvm() {
        if (System.getenv(VARIABLE) != null) {
            return;
        }
        Linker linker = Linker.nativeLinker();
        linker.defaultLookup().find("setenv").ifPresent(address -> {
            FunctionDescriptor signature = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
            try (Arena arena = Arena.ofConfined()) {
                int failed = (int) linker.downcallHandle(address, signature).invokeExact(arena.allocateFrom(VARIABLE),
                        arena.allocateFrom(""), 0);
                if (failed != 0) {
                    throw new IllegalStateException("setenv of " + VARIABLE + " failed");
                }
            } catch (RuntimeException | Error thrown) {
                throw thrown;
            } catch (Throwable impossible) {
                throw new IllegalStateException(impossible);
            }
        });
    }
}
