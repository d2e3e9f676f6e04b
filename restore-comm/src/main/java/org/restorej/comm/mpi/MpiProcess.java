package org.restorej.comm.mpi;

import java.lang.reflect.InvocationTargetException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.restorej.comm.ApplicationFailedException;
import org.restorej.comm.Collective.KnownToAll;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.RankMap;
import org.restorej.internal.mpi.ForeignLibraries;
import org.restorej.internal.mpi.ForeignUlfm;
import org.restorej.internal.mpi.Launcher;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiLibrary;
import org.restorej.internal.mpi.MpiNotFoundException;
import org.restorej.internal.mpi.MpiOperation;
import org.restorej.internal.mpi.ProcessEnvironment;
import org.restorej.internal.mpi.Ulfm;
import org.restorej.internal.mpi.bindings.BindingsLibrary;
import org.restorej.internal.program.Background;
import org.restorej.internal.program.LaunchedRank;
import org.restorej.internal.program.ProgramRun;

/**
 * MPI in this process, from its initialization, here or by the program, to its end; with ULFM or with simulated
 * failures.
 *
 * <p>
 * Under ULFM a process leaves when all other survivors have reached their end, unless they need it to fail. It waits in
 * an agreement on a communicator that is used for nothing else, so that it doesn't take part in the others' agreements.
 * If its own communicator has been revoked or has a failed process, the others are about to shrink it and would wait
 * for this process forever: it then leaves, which counts as a failure for them. {@code MPI_Finalize} is called only if
 * no process has failed. A failure inside it made it hang in 1 of 8 jobs (Open MPI 5.0.7); {@link WaitLimit} can limit
 * that.
 */
final class MpiProcess {
    private static final String BINDINGS_REMEDY = "make them available with bin/bootstrap --bindings and start the program "
            + "with bin/mpirun-java, or set the environment variable that bin/mpirun-java --print-environment prints; "
            + "or call MPI by foreign functions (class Mpi), for which no bindings are needed";

    private static final String TOO_MANY_THREADS = "the thread level must be at most SERIALIZED under ULFM: "
            + "MPIX_Comm_agree of Open MPI 5.0 returns wrong flags, or doesn't return, when another thread of the "
            + "process communicates meanwhile: threadLevel=MULTIPLE";

    private final MpiLibrary library;
    private final String description;
    private final Ulfm ulfm;
    private final MpiComm everybody;
    private final MpiCommunicator world;
    private final WaitLimit waitLimit;
    private final RankEnd rankEnd;
    private final ProgramRun<MpiCommunicator> programRun;

    /**
     * Starts on an initialized MPI.
     *
     * @param processes communicator of this process; stays the caller's
     */
    private MpiProcess(MpiLibrary library, MpiComm processes) throws MpiException {
        ForeignUlfm.Availability availability = ForeignUlfm.lookUp(library);
        boolean survives = availability.functions().isPresent();
        if (survives && library.allowsManyThreads()) {
            throw new Mpi.UnavailableException(TOO_MANY_THREADS, null);
        }
        this.library = library;
        description = library.version() + ": " + availability.explanation();
        rankEnd = new RankEnd(processes.rank(), survives ? null : library);
        everybody = processes.duplicate();
        if (availability.functions().isEmpty()) {
            PlainMpi plain = new PlainMpi(library, everybody, RankMap.identity(everybody.size()));
            ulfm = plain;
            waitLimit = WaitLimit.NONE;
            world = plain.communicator();
            programRun = new ProgramRun<>(world, _ -> PlainAttempt.begin(plain));
        } else {
            ulfm = availability.functions().get();
            rankEnd.beginToFail();
            waitLimit = WaitLimit.ofProcess(everybody.rank());
            world = new MpiCommunicator(everybody.duplicate(), RankMap.identity(everybody.size()), ulfm, waitLimit,
                    null);
            // The first call of these takes 50 ms, 1 ms of it in MPI, so they are called before a failure.
            world.agree(1);
            world.isRevoked();
            world.failedRanks();
            programRun = new ProgramRun<>(world, UlfmAttempt::new);
        }
    }

    /** Whether the system property selects the Java bindings. */
    static boolean isByBindings() {
        String name = System.getProperty(Mpi.TRANSPORT_PROPERTY, "");
        if (!name.isEmpty() && !name.equals("native") && !name.equals("bindings")) {
            throw new IllegalArgumentException(
                    Mpi.TRANSPORT_PROPERTY + " must be native or bindings: " + Mpi.TRANSPORT_PROPERTY + "=" + name);
        }
        return name.equals("bindings");
    }

    /** The library of the Java bindings, loaded and not initialized. */
    static BindingsLibrary ofBindings() {
        ProcessEnvironment.prepare();
        requireBindings();
        return new BindingsLibrary();
    }

    /** A search for an MPI library. */
    interface Search {
        MpiLibrary run() throws MpiNotFoundException;
    }

    /** The library that a search finds, loaded and not initialized. */
    static MpiLibrary found(Search search) {
        ProcessEnvironment.prepare();
        try {
            return search.run();
        } catch (MpiNotFoundException e) {
            throw new Mpi.UnavailableException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Loads the bindings and their native library, before any class is loaded that refers to them. */
    private static void requireBindings() {
        try {
            Class<?> mpi = Class.forName("mpi.MPI");
            mpi.getMethod("isInitialized").invoke(null);
        } catch (ClassNotFoundException e) {
            throw new Mpi.UnavailableException("the Java bindings of Open MPI (mpi.jar) are not on the class path: "
                    + BINDINGS_REMEDY, e);
        } catch (UnsatisfiedLinkError e) {
            throw new Mpi.UnavailableException("the native library of Open MPI's Java bindings (libmpi_java) can't be "
                    + "loaded from java.library.path=" + System.getProperty("java.library.path")
                    + ": " + BINDINGS_REMEDY, e);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new Mpi.UnavailableException("the class path has other classes than the Java bindings of Open MPI in "
                    + "package mpi: put the mpi.jar of the MPI installation first", e);
        }
    }

    /** Initializes MPI. All communicators return errors instead of ending the job. */
    static MpiProcess start(boolean byBindings, String[] args) {
        MpiLibrary library = byBindings ? ofBindings() : found(ForeignLibraries::load);
        try {
            if (library.isInitialized()) {
                throw new IllegalStateException("the program has initialised MPI itself: leave that to this library, "
                        + "before every other use of MPI, and the end too; or use EmbeddedMpi");
            }
            RankEnd.endWithLauncher();
            LaunchedRank.note(LaunchedRank.INITIALIZING);
            boolean granted = library.initialize(args, MpiLibrary.THREAD_SERIALIZED);
            LaunchedRank.note(LaunchedRank.INITIALIZED);
            try {
                if (!granted) {
                    throw new Mpi.UnavailableException("MPI grants less than the thread level MPI_THREAD_SERIALIZED",
                            null);
                }
                MpiComm all = library.world();
                // If each rank is alone, all replicas would be in one process.
                Optional<String> problem = Launcher.problem(System.getenv(), all.size(), library.version());
                if (problem.isPresent()) {
                    throw new Mpi.UnavailableException(problem.get(), null);
                }
                MpiProcess process = new MpiProcess(library, all);
                process.rankEnd.reportExceptions();
                return process;
            } catch (Mpi.UnavailableException unusable) {
                library.end();
                throw unusable;
            }
        } catch (MpiException e) {
            throw new Mpi.CallException("initialisation of MPI", e);
        }
    }

    /** Provides a communicator of a program. */
    interface Own {
        MpiComm take() throws MpiException;
    }

    /** Starts on a communicator of a program that has initialized MPI. */
    static MpiProcess on(MpiLibrary library, Own own) {
        try {
            if (!library.isInitialized() || library.isFinalized()) {
                throw new IllegalStateException("the program must have initialised MPI, and not have finalised it: "
                        + "MPI_Initialized says " + library.isInitialized());
            }
            RankEnd.endWithLauncher();
            return new MpiProcess(library, own.take());
        } catch (MpiException e) {
            throw new Mpi.CallException("making a communicator of one of the program", e);
        }
    }

    MpiCommunicator world() {
        return world;
    }

    /** The MPI version, and whether failures are real. */
    String description() {
        return description;
    }

    /**
     * Runs a program to its end on all survivors, and ends MPI.
     *
     * @return the exit code
     */
    int run(Mpi.ExitCodeProgram program) {
        int exitCode;
        try {
            exitCode = programRun.run(program::run);
        } catch (SimulatedFailureError failed) {
            exitCode = 0;
        } catch (Throwable thrown) {
            if (!(thrown instanceof KnownToAll known)) {
                throw rankEnd.end(thrown);
            }
            // The same on all PEs.
            exitCode = known.exitCode();
            if (isFirstAlive(programRun.own())) {
                System.err.println("the program ends on all ranks: " + thrown);
            }
            if (thrown instanceof ApplicationFailedException && thrown.getCause() != null) {
                // Only on the rank that has thrown it.
                thrown.getCause().printStackTrace();
            }
        }
        finish(programRun.own(), exitCode);
        return exitCode;
    }

    /** Whether no lower rank survives, as far as this one knows. */
    private static boolean isFirstAlive(Communicator communicator) {
        Set<OriginalRank> failed = communicator.failedRanks();
        return IntStream.range(0, communicator.rank())
                .allMatch(rank -> failed.contains(OriginalRank.of(communicator.ranks().originalRankOf(rank))));
    }

    /** See {@link Mpi#finish(Communicator, int)}. */
    void finish(Communicator survivors, int exitCode) {
        try {
            boolean whole = awaitEnd(survivors, RankEnd::kill);
            if (whole) {
                try (WaitLimit _ = waitLimit.begin("MPI_Finalize", RankMap.identity(everybody.size()))) {
                    library.end();
                }
            }
            rankEnd.finished();
            if (!whole) {
                RankEnd.leave(exitCode);
            }
        } catch (MpiException e) {
            throw new Mpi.CallException("finish", e);
        }
    }

    /** See {@link EmbeddedMpi#end}. */
    boolean leave(Communicator latest) {
        boolean[] isNeededGone = new boolean[1];
        try {
            boolean whole = awaitEnd(latest, () -> isNeededGone[0] = true);
            if (!isNeededGone[0]) {
                rankEnd.finished();
            }
            return whole;
        } catch (MpiException e) {
            throw new Mpi.CallException("end", e);
        }
    }

    /**
     * Waits for the others, unless they need this PE to fail.
     *
     * @param latest latest communicator of this process
     * @param leave called when this PE stops waiting
     * @return whether no process has really failed and all have reached the end
     */
    private boolean awaitEnd(Communicator latest, Runnable leave) throws MpiException {
        Background.end();
        if (ulfm instanceof PlainMpi plain) {
            plain.awaitEnd();
            return true;
        }
        try {
            boolean whole = ulfm.failedRanks(everybody, world.ranks()).isEmpty() && latest.failedRanks().isEmpty();
            MpiOperation agreement = new MpiOperation();
            ulfm.startAgreement(everybody, agreement, whole ? 1 : 0);
            Patience patience = new Patience();
            while (!agreement.poll()) {
                if (patience.isOver(() -> !latest.isRevoked() && latest.failedRanks().isEmpty())) {
                    leave.run();
                    return false;
                }
            }
            return agreement.agreedFlags() == 1;
        } catch (MpiException e) {
            if (e.meaning() != MpiException.Meaning.PROCESS_FAILED) {
                throw e;
            }
            return false;
        }
    }
}
