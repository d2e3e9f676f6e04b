package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.Program;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.Launcher;

/**
 * The way into MPI and out of it, once per process:
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
 * {@link Programs#run} does so under a launcher, and starts threads elsewhere. Programs that call
 * {@code mpi.*} themselves use {@link EmbeddedMpi}. By hand, without beginning again:
 *
 * <pre>{@code
 * public static void main(String[] args) {
 *     Communicator last = Mpi.world(args);
 *     try {
 *         last = run(last); // the communicator of those who are left
 *     } catch (SimulatedFailureError failed) {
 *         // this PE was made to fail: its process only waits for the end
 *     }
 *     Mpi.finish(last);
 * }
 * }</pre>
 *
 * <p>
 * A process that ends otherwise than by {@link #run} or {@link #finish} is a failure to the others under ULFM, and ends
 * the job elsewhere. Unless the application has a
 * {@linkplain Thread#setDefaultUncaughtExceptionHandler handler of its own}, an uncaught exception is printed with the
 * rank, and one of the thread that called {@link #world} ends the process. Under ULFM, where MPI
 * reports no exit codes to the other ranks, a process that ends otherwise than by {@link #finish} ends by a signal. No
 * process outlives its launcher.
 *
 * <p>
 * MPI is called by foreign functions: Open MPI 4 to 6, MPICH and its family (Intel MPI, Cray MPICH, MVAPICH), or any
 * MPI with the standard's binary interface. Nothing is needed but the {@code libmpi} of the launcher: {@code mpirun},
 * {@code mpiexec}, or {@code srun} with {@code --mpi=pmix} for Open MPI and {@code --mpi=pmi2} for MPICH and its
 * family. It is the one that the
 * environment variable {@code RESTOREJ_MPI_LIBRARY} names; else one that is loaded already; beside the launcher; in the
 * folder that an environment variable such as {@code MPI_HOME} names; or where the dynamic linker finds one. With the
 * system property {@value #TRANSPORT_PROPERTY}{@code =bindings} MPI is called by Open MPI's Java bindings instead, as {@link EmbeddedMpi#world} does.
 *
 * <p>
 * Processes can really fail under Open MPI 5 or newer with ULFM ({@code mpirun --with-ft ulfm}); elsewhere failures are
 * simulated.
 */
public final class Mpi {
    /** The system property that says how MPI is called: {@code native} or {@code bindings}. */
    public static final String TRANSPORT_PROPERTY = "restorej.mpi.transport";

    /** The exit code of a job whose program has ended on all PEs by an exception that all know of. */
    public static final int EXIT_CODE_LOSS = 3;

    /**
     * The exit code of a job that was stopped on all PEs alive because the application has thrown an exception in what
     * was repeated after one ({@link org.restorej.comm.ApplicationFailedException}).
     */
    public static final int EXIT_CODE_EXCEPTION = 4;

    /**
     * The exit code of a job that has ended before it was complete and has saved what it had, to be started again:
     * {@code EX_TEMPFAIL} of {@code sysexits.h}.
     */
    public static final int EXIT_CODE_CONTINUED = 75;

    private static @Nullable MpiProcess process;

    /** A program that says how it has ended. */
    @FunctionalInterface
    public interface ExitCodeProgram {
        /** Runs the program of one PE, and returns its exit code. */
        int run(Communicator world) throws Exception;
    }

    private Mpi() {}

    /**
     * Initialises MPI for {@code MPI_THREAD_SERIALIZED}, as a {@link Communicator} is used, and returns the communicator of
     * all PEs. Called by all PEs. A program that needs more of MPI initialises it itself ({@link EmbeddedMpi#onHandle}).
     *
     * @param args arguments of the program
     * @throws Mpi.UnavailableException when MPI can't be used; the message says what to do
     * @throws IllegalStateException when the program has initialised MPI itself, or called this before
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
     * Runs a program on all PEs, from the initialisation of MPI to its end. Called by all PEs, once, and instead of
     * {@link #world} and {@link #finish}.
     *
     * <p>
     * It is over when it has returned on all PEs alive. When a {@link org.restorej.comm.ProcessFailedException} or
     * {@link org.restorej.comm.CommunicatorRevokedException} escapes from it on any PE after a failure, all survivors
     * restart it, from its start and with a communicator of their own: so a failure before the first submission is
     * done, or outside of any loop, is survived, and what the program has done until then may be done twice. Where
     * others want to go on after a failure with a PE on which the program has returned, they go on without; where
     * failures are simulated, all restart.
     *
     * <p>
     * Exit codes: 0 when it has returned on all; 1 for any other exception, which is printed with the rank, and ends
     * this process (under ULFM a failure to the others, elsewhere the end of the job);
     * {@value #EXIT_CODE_LOSS} when all PEs alive have thrown an exception that all know of
     * ({@link org.restorej.comm.Collective.KnownToAll}), such as {@code IrrecoverableDataLossException}, whose
     * message is printed once; {@value #EXIT_CODE_EXCEPTION} when that is an
     * {@link org.restorej.comm.ApplicationFailedException}: the program, restarted after an exception, has ended
     * another PE by one, or a loop has stopped so; {@value #EXIT_CODE_CONTINUED} when
     * what it has done is saved, to be continued by the next job. Under ULFM a PE whose program throws outside of a loop
     * waits up to a minute for the others to learn of it. Returns for exit code 0 when no process has failed, and else doesn't return
     * (see {@link #finish}).
     *
     * @param args arguments of the program, for MPI
     * @param program given all PEs, or those left of them
     * @throws Mpi.UnavailableException when MPI can't be used; the message says what to do
     */
    public static void run(String[] args, Program program) {
        runForExitCode(args, communicator -> {
            program.run(communicator);
            return 0;
        });
    }

    /**
     * As {@link #run}, for a program that says with which exit code its process ends: the job's is the greatest one, or
     * that of the first process to end, as the launcher likes.
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
     * Ends MPI in this process when its program is over. Called by all PEs that are still there, those whose failure
     * was simulated included; blocks until all have called it.
     *
     * <p>
     * Returns normally when no process has failed. After a real failure it doesn't return, because {@code MPI_Finalize}
     * then hangs more often than not (7 of 12 runs with Open MPI 5.0.7): it waits for the other survivors, flushes
     * standard output and error, and ends the JVM with exit code 0 at once, without shutdown hooks. When a
     * process fails in the middle of {@code MPI_Finalize}, that may hang, unless the environment variable
     * {@code RESTOREJ_WAIT_LIMIT_SECONDS} limits it.
     *
     * <p>
     * When others have revoked this PE's latest communicator, or one of its processes has failed, they may wait for
     * this PE in {@link Communicator#shrink}: under ULFM it then leaves after a second, which is a failure to them;
     * where failures are simulated that ends the job.
     *
     * @param survivors the latest communicator of this PE
     */
    public static void finish(Communicator survivors) {
        finish(survivors, 0);
    }

    /**
     * As {@link #finish(Communicator)}, with an exit code for the case that it ends the JVM.
     *
     * @param survivors the latest communicator of this PE
     * @param exitCode exit code
     */
    public static synchronized void finish(Communicator survivors, int exitCode) {
        requireProcess().finish(survivors, exitCode);
    }

    /**
     * A communicator of some PEs, who go on without the others although those are alive: for programs that give PEs up
     * by choice, and to measure a recovery again and again in one job. Called by those who stay, and only by them. A
     * store that recovers with it counts those who are left out as failed.
     * Failures that are simulated on one of the two communicators are not known on the other.
     *
     * @param communicator of this process's world, without failures; stays the caller's
     * @param leaving current ranks of those who are left out
     * @throws UnsupportedOperationException where processes can really fail (ULFM)
     */
    public static Communicator without(Communicator communicator, Set<Integer> leaving) {
        if (communicator instanceof MpiCommunicator onMpi && !onMpi.survivesFailures()) {
            onMpi.requireUsable("without");
            return onMpi.without(new IntOpenHashSet(leaving));
        }
        throw new UnsupportedOperationException("only where failures are simulated can PEs be left out: "
                + (communicator instanceof MpiCommunicator ? "here they are real" : communicator.getClass().getName()));
    }

    /** One sentence: which MPI this is, and whether processes can really fail in it; else why not. */
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
     * An MPI call returned an error that is neither the failure of a process nor a revocation: a mistake in the program, in
     * the MPI installation or on the machine. The communicator must not be used any more.
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

        /** The code that the MPI call returned. */
        public int errorCode() {
            return errorCode;
        }

        /** The MPI error class of the code. */
        public int errorClass() {
            return errorClass;
        }
    }

    /** MPI can't be used by this process; the message says in one sentence what is missing and what to do. */
    public static class UnavailableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnavailableException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
