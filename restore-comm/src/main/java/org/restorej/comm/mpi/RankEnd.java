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
 * How this process ends: makes ends other than by {@link Mpi#finish} visible to people and to the other PEs.
 *
 * <p>
 * An uncaught exception is printed with the rank, at once, and what ranks of a node throw alike in full by one of them; that of the thread that has initialised MPI ends the
 * process, with whatever other threads it has. Under ULFM every end that is not in order is one by a signal
 * ({@link ExitSignal}).
 */
final class RankEnd {
    private static final int EXIT_CODE = 1;

    /** How long another rank of the node may take to print a stack trace. */
    private static final long PRINTING_NANOS = 1_000_000_000;

    private final int rank;
    private final Thread initialiser = Thread.currentThread();
    /** Of an MPI that survives no failure. */
    private final @Nullable MpiLibrary aborted;

    /**
     * Of the process of this rank of the world; created by the thread that initialises MPI.
     *
     * @param aborted the job of which what ends this rank by an exception ends: others may wait for it
     */
    RankEnd(int rank, @Nullable MpiLibrary aborted) {
        this.rank = rank;
        this.aborted = aborted;
    }

    /** Takes care of uncaught exceptions, unless the application does. */
    void reportExceptions() {
        if (Thread.getDefaultUncaughtExceptionHandler() == null) {
            Thread.setDefaultUncaughtExceptionHandler(this::uncaught);
        }
    }

    /**
     * Ends the process with what has come of its program, as if nobody had caught it.
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

    /** In one piece: other ranks may print at the same time. What several throw alike, one of them prints in full. */
    private static void print(int rank, Thread thread, Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        String where = "rank " + rank + ": exception in thread \"" + thread.getName() + "\" ";
        if (LaunchedRank.isFirstToThrow(trace.toString())) {
            System.err.print(where + trace);
            return;
        }
        System.err.println(where + thrown + ", as another rank, which prints its stack trace");
        // It may be about to, and this rank about to end the job.
        LockSupport.parkNanos(PRINTING_NANOS);
    }

    /**
     * Ends the job because of what a rank has met that the others wait for.
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
            // Otherwise than MPI does it: mpirun ends the others.
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }

    /** This process doesn't outlive its launcher, nor what lies between the two. */
    @SuppressWarnings("FutureReturnValueIgnored") // What it does ends the process.
    static void endWithLauncher() {
        for (ProcessHandle ancestor : Ancestors.untilLauncher()) {
            ancestor.onExit().thenRun(() -> {
                System.err.println("this rank ends, since what has started it is gone: process " + ancestor.pid());
                kill();
            });
        }
    }

    /** From now on every end of this process is a failure to the others, until it has finished. */
    void beginToFail() {
        ExitSignal.begin();
    }

    /** From now on this process ends as it likes. */
    void finished() {
        ExitSignal.end();
        LaunchedRank.note(LaunchedRank.ENDED);
    }

    /** Ends the process at once, without shutdown hooks. */
    static void leave(int exitCode) {
        flush();
        Runtime.getRuntime().halt(exitCode);
    }

    /** Ends the process at once, as a crash would: to the others a failure, also under ULFM. */
    static void kill() {
        flush();
        ForeignUlfm.killThisProcess();
    }

    private static void flush() {
        System.out.flush();
        System.err.flush();
    }
}
