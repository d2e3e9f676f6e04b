package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.Program;

/**
 * The way into Open MPI and out of it, once per process:
 *
 * <pre>{@code
 * public static void main(String[] args) {
 *     OpenMpi.run(args, world -> {
 *         // the program: begun again by the survivors when a failure escapes from it
 *     });
 * }
 * }</pre>
 *
 * <p>
 * {@link org.restorej.Programs#run} does so under a launcher, and starts threads elsewhere. Programs that call
 * {@code mpi.*} themselves use {@link EmbeddedMpi}. By hand, without beginning again:
 *
 * <pre>{@code
 * public static void main(String[] args) {
 *     Communicator last = OpenMpi.world(args);
 *     try {
 *         last = run(last); // the communicator of those who are left
 *     } catch (SimulatedDeathError dead) {
 *         // this PE was made to fail: its process only waits for the end
 *     }
 *     OpenMpi.finish(last);
 * }
 * }</pre>
 *
 * <p>
 * A process that ends otherwise than by {@link #run} or {@link #finish} is dead to the others under ULFM, and ends the
 * job elsewhere. Unless the application
 * has a {@linkplain Thread#setDefaultUncaughtExceptionHandler handler of its own}, an uncaught exception is printed
 * with the rank, and one of the thread that called {@link #world} ends the process. Under ULFM, {@link Runtime#halt}
 * with an exit code other than 0 is noticed only in jobs that {@code bin/mpirun-java} has started; in others the rest
 * is turned into a SIGKILL by a shutdown hook, one second after the program's end.
 *
 * <p>
 * Programs are started by {@code bin/mpirun-java}, or by {@code mpirun} with the environment variable that
 * {@code bin/mpirun-java --print-environment} prints: it names {@code mpi.jar} and the folder of {@code libmpi_java}.
 */
public final class OpenMpi {
    /** What MPI must be prepared for; each allows more than the one before. */
    public enum ThreadLevel {
        /** The process has one thread that knows MPI, and no other calls of it. */
        SINGLE,
        /** Only the thread that called {@link #world} uses communicators. */
        FUNNELED,
        /** Any thread may use them, one at a time: what {@link Communicator} asks for, and free of charge. */
        SERIALIZED,
        /**
         * Any threads at once: for what a program does with MPI itself, since a {@link Communicator} on MPI stays with
         * one thread at a time. Costs locks in every MPI call. Refused under ULFM: {@code MPIX_Comm_agree} of Open MPI
         * 5.0.7 returned wrong flags in every run in which another thread of the process communicated meanwhile.
         */
        MULTIPLE
    }

    /** One of these is in the environment of whatever a launcher started: mpirun, prterun, or srun with PMIx. */
    private static final String[] LAUNCHER_VARIABLES = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK"};

    /** The exit code of a job whose program has ended on all PEs by an exception that all know of. */
    public static final int EXIT_CODE_LOSS = 3;

    private static final String START = "start the program with bin/mpirun-java, or set the environment variable that "
            + "bin/mpirun-java --print-environment prints";

    private static @Nullable OpenMpiProcess process;

    /** A program that says how it has ended. */
    @FunctionalInterface
    public interface ExitCodeProgram {
        /** Runs the program of one PE, and returns its exit code. */
        int run(Communicator world) throws Exception;
    }

    private OpenMpi() {}

    /**
     * Initialises MPI for {@link ThreadLevel#SERIALIZED} and returns the communicator of all PEs. Called by all PEs.
     *
     * @param args arguments of the program
     * @throws MpiUnavailableException when MPI can't be used; the message says what to do
     * @throws IllegalStateException when the program has initialised MPI itself, or called this before
     */
    public static Communicator world(String[] args) {
        return world(args, ThreadLevel.SERIALIZED);
    }

    /**
     * Initialises MPI and returns the communicator of all PEs. Called by all PEs.
     *
     * @param args arguments of the program
     * @param threadLevel what the program does with threads
     * @throws MpiUnavailableException when MPI can't be used, or grants less than this thread level
     */
    public static synchronized Communicator world(String[] args, ThreadLevel threadLevel) {
        if (process != null) {
            throw new IllegalStateException("OpenMpi.world was called before; there is one world per process");
        }
        UcxSignals.leaveToTheJvm();
        requireBindings();
        requireLauncher(System.getenv());
        process = OpenMpiProcess.start(args, threadLevel);
        return process.world();
    }

    /**
     * Runs a program on all PEs, from the initialisation of MPI to its end. Called by all PEs, once, and instead of
     * {@link #world} and {@link #finish}.
     *
     * <p>
     * It is over when it has returned on all PEs alive. When a {@link org.restorej.comm.ProcessFailedException} or
     * {@link org.restorej.comm.CommunicatorRevokedException} escapes from it on any PE after a death, all survivors
     * begin it again, from its start and with a communicator of their own: so a death before the first submission is
     * done, or outside of any loop, is survived, and what the program has done until then may be done twice. Where
     * others want to go on after a failure with a PE on which the program has returned, they go on without.
     *
     * <p>
     * Exit codes: 0 when it has returned on all; 1 for any other exception, which is printed with the rank at once, and
     * ends this process (under ULFM a death to the others, elsewhere the end of the job);
     * {@value #EXIT_CODE_LOSS} when all PEs alive have thrown an exception that all know of
     * ({@link org.restorej.comm.KnownToAll}), such as {@link org.restorej.IrrecoverableDataLossException}, whose message
     * is printed once. Returns for exit code 0 when no process has died, and else doesn't return (see {@link #finish}).
     *
     * @param args arguments of the program, for MPI
     * @param program given all PEs, or those left of them
     * @throws MpiUnavailableException when MPI can't be used; the message says what to do
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
        world(args);
        OpenMpiProcess running;
        synchronized (OpenMpi.class) {
            running = requireProcess();
        }
        int exitCode = running.run(program);
        if (exitCode != 0) {
            System.exit(exitCode);
        }
    }

    /**
     * Ends MPI in this process when its program is over. Called by all PEs that are still there, simulated dead ones
     * included; blocks until all have called it.
     *
     * <p>
     * Returns normally when no process has died. After a real death it doesn't return, because {@code MPI_Finalize}
     * then hangs more often than not (7 of 12 runs with Open MPI 5.0.7): it waits for the other survivors, flushes
     * standard output and error, and ends the JVM with exit code 0 at once, without shutdown hooks. So it does ten
     * seconds after a death in the middle of {@code MPI_Finalize}.
     *
     * <p>
     * When others have revoked this PE's latest communicator, or one of its processes has died, they may wait for this
     * PE in {@link Communicator#shrink}: under ULFM it then leaves after a second, which is a death to them; where
     * failures are simulated an {@link IllegalStateException} says so.
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
     * store that {@linkplain org.restorej.ReStore#recover recovers} with it counts those who are left out as failed.
     * Failures that are simulated on one of the two communicators are not known on the other.
     *
     * @param communicator of this process's world, without failures; stays the caller's
     * @param leaving current ranks of those who are left out
     * @throws UnsupportedOperationException where processes can really fail (ULFM)
     */
    public static Communicator without(Communicator communicator, Set<Integer> leaving) {
        if (communicator instanceof SimulatedFailureCommunicator simulating) {
            return simulating.without(new IntOpenHashSet(leaving));
        }
        throw new UnsupportedOperationException("only where failures are simulated can PEs be left out: communicator="
                + communicator.getClass().getSimpleName());
    }

    /** One sentence: which MPI this is, and whether processes can really fail in it; else why not. */
    public static synchronized String description() {
        return requireProcess().description();
    }

    private static OpenMpiProcess requireProcess() {
        if (process == null) {
            throw new IllegalStateException("OpenMpi.world must be called first");
        }
        return process;
    }

    /** Whether this process was started by an MPI launcher, so that {@link #world} can succeed. */
    public static boolean wasLaunched() {
        return wasLaunched(System.getenv());
    }

    static boolean wasLaunched(Map<String, String> environment) {
        for (String variable : LAUNCHER_VARIABLES) {
            if (environment.containsKey(variable)) {
                return true;
            }
        }
        return false;
    }

    private static void requireLauncher(Map<String, String> environment) {
        if (!wasLaunched(environment)) {
            throw new MpiUnavailableException(
                    "this program was not started by mpirun: start it with bin/mpirun-java -n RANKS", null);
        }
    }

    /** Loads the bindings and their native library, before any class is touched that refers to them. */
    static void requireBindings() {
        try {
            Class<?> mpi = Class.forName("mpi.MPI");
            mpi.getMethod("isInitialized").invoke(null);
        } catch (ClassNotFoundException e) {
            throw new MpiUnavailableException("the Java bindings of Open MPI (mpi.jar) are not on the class path: "
                    + START, e);
        } catch (UnsatisfiedLinkError e) {
            throw new MpiUnavailableException("the native library of Open MPI's Java bindings (libmpi_java) can't be "
                    + "loaded from java.library.path=" + System.getProperty("java.library.path")
                    + ": " + START, e);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new MpiUnavailableException("the class path has other classes than the Java bindings of Open MPI in "
                    + "package mpi: put the mpi.jar of the MPI installation first", e);
        }
    }
}
