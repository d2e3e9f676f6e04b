package org.restorej.comm.mpi;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiLibrary;
import org.restorej.internal.mpi.foreign.ForeignUlfm;

/**
 * How this process ends: makes ends other than by {@link Mpi#finish} visible to people and to the other PEs.
 *
 * <p>
 * An uncaught exception is printed with the rank, at once; that of the thread that has initialised MPI ends the
 * process, with whatever other threads it has. Open MPI 5.0 tells the others of a process that has ended by a signal,
 * but not of one with an exit code other than 0. {@code bin/lib/rank}, which runs each rank that {@code
 * bin/mpirun-java} starts, turns the one into the other. For jobs started otherwise a shutdown hook does, which knows
 * nothing of {@link Runtime#halt}.
 */
final class RankEnd {
    /** Names the file to which a rank tells {@code bin/lib/rank} that it has left MPI in order. */
    private static final String FINISHED_VARIABLE = "RESTOREJ_FINISHED";

    /** For the other shutdown hooks, which run at the same time: nobody can wait for them. */
    private static final long HOOKS_NANOS = 1_000_000_000;

    private static final int EXIT_CODE = 1;

    private final int rank;
    private final Thread initialiser = Thread.currentThread();
    private final @Nullable String finishedFile = System.getenv(FINISHED_VARIABLE);
    private volatile boolean finished;
    /** Of an MPI that survives no failure. */
    private @Nullable MpiLibrary aborted;

    /** Of the process of this rank of the world; created by the thread that initialises MPI. */
    RankEnd(int rank) {
        this.rank = rank;
    }

    /** Lets what ends this rank by an exception end the job: others may wait for it. */
    void abortJob(MpiLibrary library) {
        aborted = library;
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

    /** In one piece: other ranks may print at the same time. */
    private static void print(int rank, Thread thread, Throwable thrown) {
        StringWriter text = new StringWriter();
        text.append("rank ").append(Integer.toString(rank)).append(": exception in thread \"").append(thread.getName())
                .append("\" ");
        thrown.printStackTrace(new PrintWriter(text));
        System.err.print(text);
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
            library.abort(EXIT_CODE);
        } catch (MpiException | RuntimeException | Error e) {
            // Otherwise than MPI does it: mpirun ends the others.
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }

    /** Lets this process end by SIGKILL instead of ending with an exit code, as long as it has not finished. */
    void dieOfSignals() {
        if (finishedFile != null) {
            return;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            if (finished) {
                return;
            }
            long start = System.nanoTime();
            while (System.nanoTime() - start < HOOKS_NANOS) {
                LockSupport.parkNanos(HOOKS_NANOS);
            }
            flush();
            ForeignUlfm.killThisProcess();
        }, "failure of rank " + rank));
    }

    /** From now on this process ends as it likes. */
    void finished() {
        finished = true;
        if (finishedFile == null) {
            return;
        }
        try {
            Files.writeString(Path.of(finishedFile), "finished");
        } catch (IOException e) {
            System.getLogger(RankEnd.class.getName()).log(System.Logger.Level.WARNING,
                    "an exit code other than 0 of this rank will be lost", e);
        }
    }

    /** Ends the process at once, without shutdown hooks. */
    static void leave(int exitCode) {
        flush();
        Runtime.getRuntime().halt(exitCode);
    }

    static void flush() {
        System.out.flush();
        System.err.flush();
    }
}
