package org.restorej.comm.mpi;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.mpi.Ancestors;
import org.restorej.internal.mpi.ExitSignal;
import org.restorej.internal.mpi.ForeignUlfm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiLibrary;
import org.restorej.internal.program.LaunchedRank;

/**
 * Controls how this process ends: reports every end other than by {@link Mpi#finish} to users and to the other PEs.
 *
 * <p>
 * An uncaught exception is printed with the rank at once. If several ranks of a node throw the same, only one prints
 * the stack trace. If it was thrown in the thread that has initialized MPI, it ends the process, whatever other threads
 * it has. Under ULFM every end other than by {@link Mpi#finish} is by a signal ({@link ExitSignal}).
 */
final class RankEnd {
    private static final int EXIT_CODE = 1;

    /** How long another rank of the node may take to print a stack trace. */
    private static final long PRINTING_NANOS = 1_000_000_000;

    private final int rank;
    private final Thread initialiser = Thread.currentThread();
    /** Set if MPI does not survive failures. */
    private final @Nullable MpiLibrary aborted;

    /**
     * Created by the thread that initializes MPI, in the process of this rank of the world.
     *
     * @param aborted library by which an exception on this rank ends the job, since others may wait for it; null under
     *        ULFM
     */
    RankEnd(int rank, @Nullable MpiLibrary aborted) {
        this.rank = rank;
        this.aborted = aborted;
    }

    /** Handles uncaught exceptions, unless the application does. */
    void reportExceptions() {
        if (Thread.getDefaultUncaughtExceptionHandler() == null) {
            Thread.setDefaultUncaughtExceptionHandler(this::uncaught);
        }
    }

    /**
     * Ends the process with an exception of its program, as if it were uncaught.
     *
     * @return never
     */
    Error end(Throwable thrown) {
        Thread thread = Thread.currentThread();
        Thread.UncaughtExceptionHandler own = Thread.getDefaultUncaughtExceptionHandler();
        try {
            if (own == null) {
                uncaught(thread, thrown);
            } else {
                own.uncaughtException(thread, thrown);
            }
        } finally {
            exit();
        }
        throw new IllegalStateException("the JVM has ended", thrown);
    }

    private void uncaught(Thread thread, Throwable thrown) {
        try {
            print(rank, thread, thrown);
        } finally {
            if (thread.equals(initialiser)) {
                exit();
            }
        }
    }

    private void exit() {
        if (aborted != null) {
            abort(aborted);
        }
        Runtime.getRuntime().exit(EXIT_CODE);
    }

    /**
     * Prints in one call, because other ranks may print at the same time. If several throw the same, one prints the
     * stack trace.
     */
    private static void print(int rank, Thread thread, Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        String where = "rank " + rank + ": exception in thread \"" + thread.getName() + "\" ";
        if (LaunchedRank.isFirstToThrow(trace.toString())) {
            System.err.print(where + trace);
            return;
        }
        System.err.println(where + thrown + ", as another rank, which prints its stack trace");
        // Gives the other rank time to print before this rank ends the job.
        LockSupport.parkNanos(PRINTING_NANOS);
    }

    /**
     * Ends the job because of an exception on a rank for which the others wait.
     *
     * @return never
     */
    static IllegalStateException abort(MpiLibrary library, int rank, Throwable thrown) {
        try {
            print(rank, Thread.currentThread(), thrown);
        } finally {
            abort(library);
        }
        return new IllegalStateException("the job has ended", thrown);
    }

    private static void abort(MpiLibrary library) {
        try {
            flush();
            try {
                LaunchedRank.noteAborted();
            } finally {
                library.abort(EXIT_CODE);
            }
        } catch (MpiException | RuntimeException | Error e) {
            // mpirun then ends the other ranks.
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }

    /** Ends this process when its launcher, or a process between the two, ends. */
    @SuppressWarnings("FutureReturnValueIgnored") // What it does ends the process.
    static void endWithLauncher() {
        for (ProcessHandle ancestor : Ancestors.untilLauncher()) {
            ancestor.onExit().thenRun(() -> {
                System.err.println("this rank ends, since what has started it is gone: process " + ancestor.pid());
                kill();
            });
        }
    }

    /** From now on every end of this process counts as a failure for the others, until {@link #finished}. */
    void beginToFail() {
        ExitSignal.begin();
    }

    /** From now on this process may end in any way. */
    void finished() {
        ExitSignal.end();
        LaunchedRank.note(LaunchedRank.ENDED);
    }

    /** Ends the process at once, without shutdown hooks. */
    static void leave(int exitCode) {
        flush();
        Runtime.getRuntime().halt(exitCode);
    }

    /** Ends the process at once, like a crash: a failure for the others, also under ULFM. */
    static void kill() {
        flush();
        ForeignUlfm.killThisProcess();
    }

    private static void flush() {
        System.out.flush();
        System.err.flush();
    }
}
