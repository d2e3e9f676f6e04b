package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.Program;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.Launcher;

/**
 * Initializes and finalizes MPI, once per process:
 *
 * <pre>{@code
 * public static void main(String[] args) {
 *     Mpi.run(args, world -> {
 *         // the program: restarted by the survivors when a failure escapes from it
 *     });
 * }
 * }</pre>
 *
 * <p>
 * {@link Programs#run} does the same under a launcher, and uses threads elsewhere. Programs that call {@code mpi.*}
 * themselves use {@link EmbeddedMpi}. Without restarts:
 *
 * <pre>{@code
 * public static void main(String[] args) {
 *     Communicator last = Mpi.world(args);
 *     try {
 *         last = run(last); // the communicator of the survivors
 *     } catch (SimulatedFailureError failed) {
 *         // this PE's failure was simulated: its process only waits for the end
 *     }
 *     Mpi.finish(last);
 * }
 * }</pre>
 *
 * <p>
 * A process that ends in any other way than by {@link #run} or {@link #finish} counts as failed under ULFM, and ends
 * the job elsewhere. Under ULFM, where MPI reports no exit codes to the other ranks, it ends by a signal. An uncaught
 * exception is printed with the rank, and in the thread that called {@link #world} it ends the process, unless the
 * application has set a {@linkplain Thread#setDefaultUncaughtExceptionHandler handler}. No process outlives its
 * launcher.
 *
 * <p>
 * MPI is called by foreign functions: Open MPI 4 to 6, MPICH and its family (Intel MPI, Cray MPICH, MVAPICH), or any
 * MPI with the standard ABI. Only the {@code libmpi} of the launcher is needed. The launcher is {@code mpirun},
 * {@code mpiexec}, or {@code srun} with {@code --mpi=pmix} for Open MPI and {@code --mpi=pmi2} for MPICH and its
 * family. The library is searched in this order: the environment variable {@code RESTOREJ_MPI_LIBRARY}; a library that
 * is already loaded; beside the launcher; the folder in an environment variable such as {@code MPI_HOME}; the path of
 * the dynamic linker. With the system property {@value #TRANSPORT_PROPERTY}{@code =bindings}, MPI is called through
 * Open MPI's Java bindings instead, as by {@link EmbeddedMpi#world}.
 *
 * <p>
 * Failures of processes are real under Open MPI 5 or newer with ULFM ({@code mpirun --with-ft ulfm}); elsewhere they
 * are simulated.
 */
public final class Mpi {
    /** System property: how MPI is called, {@code native} or {@code bindings}. */
    public static final String TRANSPORT_PROPERTY = "restorej.mpi.transport";

    /** Exit code of a job whose program has thrown an exception on all PEs that all PEs know. */
    public static final int EXIT_CODE_LOSS = 3;

    /**
     * Exit code of a job that was stopped on all survivors because repeated work threw again
     * ({@link org.restorej.comm.ApplicationFailedException}).
     */
    public static final int EXIT_CODE_EXCEPTION = 4;

    /**
     * Exit code of a job that has saved its state and is to be started again: {@code EX_TEMPFAIL} of
     * {@code sysexits.h}.
     */
    public static final int EXIT_CODE_CONTINUED = 75;

    private static @Nullable MpiProcess process;

    /** A program that returns an exit code. */
    @FunctionalInterface
    public interface ExitCodeProgram {
        /** Runs the program of one PE, and returns its exit code. */
        int run(Communicator world) throws Exception;
    }

    private Mpi() {}

    /**
     * Initializes MPI for {@code MPI_THREAD_SERIALIZED} and returns the communicator of all PEs. Called by all PEs. A
     * program that needs another thread level initializes MPI itself ({@link EmbeddedMpi#onHandle}).
     *
     * @param args arguments of the program
     * @throws Mpi.UnavailableException when MPI can't be used; the message has the remedy
     * @throws IllegalStateException when the program has initialized MPI itself, or has called this before
     */
    public static Communicator world(String[] args) {
        return world(MpiProcess.isByBindings(), args);
    }

    static synchronized Communicator world(boolean byBindings, String[] args) {
        if (process != null) {
            throw new IllegalStateException("MPI was entered before; there is one world per process");
        }
        requireLauncher(Launcher.ofProcess());
        process = MpiProcess.start(byBindings, args);
        return process.world();
    }

    /**
     * Runs a program on all PEs, from the initialization of MPI to its end. Called by all PEs, once, instead of
     * {@link #world} and {@link #finish}.
     *
     * <p>
     * The program ends when it has returned on all survivors. If it throws a
     * {@link org.restorej.comm.ProcessFailedException} or {@link org.restorej.comm.CommunicatorRevokedException} on any
     * PE after a failure, all survivors restart it from its beginning, with a communicator of their own. So a failure
     * before the first submission, or outside of any loop, is survived, but earlier work may be done twice. If the
     * program has already returned on a PE, the others continue without that PE; if failures are simulated, all
     * restart.
     *
     * <p>
     * Exit codes:
     * <ul>
     * <li>0: it has returned on all PEs.
     * <li>1: any other exception, which is printed with the rank. It ends this process, and elsewhere than under ULFM
     * the job.
     * <li>{@value #EXIT_CODE_LOSS}: all survivors have thrown an exception that all of them know
     * ({@link org.restorej.comm.Collective.KnownToAll}), such as {@code IrrecoverableDataLossException}; its message is
     * printed once.
     * <li>{@value #EXIT_CODE_EXCEPTION}: that exception is an {@link org.restorej.comm.ApplicationFailedException}:
     * repeated work threw again, in a restarted program or in a loop.
     * <li>{@value #EXIT_CODE_CONTINUED}: the state is saved, to be continued by the next job.
     * </ul>
     * Under ULFM a PE whose program throws outside of a loop waits up to a minute for the others to learn of it.
     * Returns for exit code 0 if no process has failed; otherwise it doesn't return (see {@link #finish}).
     *
     * @param args arguments of the program, for MPI
     * @param program gets all PEs, or the survivors
     * @throws Mpi.UnavailableException when MPI can't be used; the message has the remedy
     */
    public static void run(String[] args, Program program) {
        runForExitCode(args, communicator -> {
            program.run(communicator);
            return 0;
        });
    }

    /**
     * Runs a program that returns the exit code of its process; see {@link #run}. The exit code of the job is the
     * maximum, or that of the first process to end, depending on the launcher.
     *
     * @param program returns an exit code, 0 to 255
     */
    public static void runForExitCode(String[] args, ExitCodeProgram program) {
        runForExitCode(MpiProcess.isByBindings(), args, program);
    }

    static void runForExitCode(boolean byBindings, String[] args, ExitCodeProgram program) {
        world(byBindings, args);
        MpiProcess running;
        synchronized (Mpi.class) {
            running = requireProcess();
        }
        int exitCode = running.run(program);
        if (exitCode != 0) {
            System.exit(exitCode);
        }
    }

    /**
     * Ends MPI in this process after its program. Called by all PEs that have not failed, and by those whose failure
     * was simulated; blocks until all have called it.
     *
     * <p>
     * Returns if no process has failed. After a real failure it doesn't return, because {@code MPI_Finalize} then hangs
     * more often than not (7 of 12 runs with Open MPI 5.0.7): it waits for the other survivors, flushes standard output
     * and error, and ends the JVM with exit code 0, without shutdown hooks. If a process fails inside
     * {@code MPI_Finalize}, the others may hang, unless the environment variable {@code RESTOREJ_WAIT_LIMIT_SECONDS} is
     * set.
     *
     * <p>
     * If this PE's latest communicator is revoked or has a failed process, others may wait for this PE in
     * {@link Communicator#shrink}. Under ULFM it then leaves after a second, which counts as a failure for them; if
     * failures are simulated, the job ends.
     *
     * @param survivors the latest communicator of this PE
     */
    public static void finish(Communicator survivors) {
        finish(survivors, 0);
    }

    /**
     * Ends MPI in this process, with an exit code for the case that it ends the JVM; see {@link #finish(Communicator)}.
     *
     * @param survivors the latest communicator of this PE
     * @param exitCode exit code
     */
    public static synchronized void finish(Communicator survivors, int exitCode) {
        requireProcess().finish(survivors, exitCode);
    }

    /**
     * Creates a communicator of some PEs, which continue without the others although those have not failed: to remove
     * PEs deliberately, and to measure recoveries repeatedly in one job. Called only by the PEs that stay. A store that
     * recovers with it treats the PEs that leave as failed. A failure that is simulated on one of the two communicators
     * is not known on the other.
     *
     * @param communicator of this process's world, without failures; stays the caller's
     * @param leaving current ranks of the PEs that leave
     * @throws UnsupportedOperationException if failures are real (ULFM)
     */
    public static Communicator without(Communicator communicator, Set<Integer> leaving) {
        if (communicator instanceof MpiCommunicator onMpi && !onMpi.survivesFailures()) {
            onMpi.requireUsable("without");
            return onMpi.without(new IntOpenHashSet(leaving));
        }
        throw new UnsupportedOperationException("only where failures are simulated can PEs be left out: "
                + (communicator instanceof MpiCommunicator ? "here they are real" : communicator.getClass().getName()));
    }

    /** A sentence with the MPI version, and whether failures are real, or why not. */
    public static synchronized String description() {
        return requireProcess().description();
    }

    private static MpiProcess requireProcess() {
        if (process == null) {
            throw new IllegalStateException("Mpi.world must be called first");
        }
        return process;
    }

    /** Whether this process was started by an MPI launcher, so that {@link #world} can succeed. */
    public static boolean wasLaunched() {
        return Launcher.ofProcess().startsMpi();
    }

    private static void requireLauncher(Launcher launcher) {
        if (launcher == Launcher.SLURM) {
            throw new Mpi.UnavailableException("srun has started this program without MPI: say srun --mpi=pmix "
                    + "for Open MPI, or --mpi=pmi2 for MPICH and its family (srun --mpi=list tells what there is)",
                    null);
        }
        if (!launcher.startsMpi()) {
            throw new Mpi.UnavailableException("this program was not started by an MPI launcher: start it with "
                    + "bin/mpirun-java -n RANKS, mpirun -n RANKS java, or in Slurm srun --mpi=pmix java (Open MPI) or "
                    + "srun --mpi=pmi2 java (MPICH and its family)", null);
        }
    }

    /**
     * An MPI call returned an error other than a failure of a process or a revocation: an error in the program, in the
     * MPI installation or on the machine. The communicator must not be used any more.
     */
    public static class CallException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final int errorCode;
        private final int errorClass;

        CallException(String operation, MpiException error) {
            super(describe(operation, error.code(), error.errorClass(), error.getMessage()), error);
            this.errorCode = error.code();
            this.errorClass = error.errorClass();
        }

        private static String describe(String operation, int errorCode, int errorClass, @Nullable String text) {
            return operation + " failed: " + text + " (MPI error code " + errorCode + ", class " + errorClass + ")";
        }

        /** The error code that the MPI call returned. */
        public int errorCode() {
            return errorCode;
        }

        /** The MPI error class of the code. */
        public int errorClass() {
            return errorClass;
        }
    }

    /** MPI can't be used by this process; the message has the reason and the remedy. */
    public static class UnavailableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnavailableException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
