package org.restorej.comm.mpi;

import java.util.Optional;
import org.restorej.comm.ApplicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.Collective.KnownToAll;
import org.restorej.comm.RankMap;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiLibrary;
import org.restorej.internal.mpi.Ulfm;
import org.restorej.internal.mpi.foreign.ForeignUlfm;
import org.restorej.internal.mpi.foreign.LaunchedRanks;
import org.restorej.internal.program.Attempt;
import org.restorej.internal.program.Background;
import org.restorej.internal.program.ProgramRun;

/** MPI in this process, from its initialisation to its end: either with ULFM or with simulated failures. */
final class MpiProcess {
    static final String TOO_MANY_THREADS = "the thread level must be at most SERIALIZED under ULFM: MPIX_Comm_agree "
            + "of Open MPI 5.0 returns wrong flags, or doesn't return, when another thread of the process "
            + "communicates meanwhile: threadLevel=MULTIPLE";

    /** How the process leaves MPI. */
    private interface End {
        /** Returns when MPI is finalised. */
        void run(Communicator survivors, int exitCode) throws MpiException;
    }

    private final MpiCommunicator world;
    private final ProgramRun<MpiCommunicator> programRun;
    private final String description;
    private final End end;
    private final RankEnd rankEnd;

    private MpiProcess(MpiCommunicator world, Attempt.Beginning<MpiCommunicator> beginning, RankEnd rankEnd,
            String description, End end) {
        this.world = world;
        this.programRun = new ProgramRun<>(world, beginning);
        this.rankEnd = rankEnd;
        this.description = description;
        this.end = end;
    }

    /** Initialises MPI. Every communicator that comes of it returns its errors instead of ending the job. */
    @SuppressWarnings("EnumOrdinal") // The levels are in MPI's order.
    static MpiProcess start(MpiLibrary library, String[] args, Mpi.ThreadLevel threadLevel) {
        try {
            if (library.isInitialized()) {
                throw new IllegalStateException("the program has initialised MPI itself: leave that to this library, "
                        + "before every other use of MPI, and the end too; or use EmbeddedMpi");
            }
            RankEnd.endWithLauncher();
            RankNotes.write(RankNotes.INITIALIZING);
            boolean granted = library.initialize(args, threadLevel.ordinal());
            RankNotes.write(RankNotes.INITIALIZED);
            if (!granted) {
                library.end();
                throw new Mpi.UnavailableException("MPI grants less than the thread level asked for: threadLevel="
                        + threadLevel, null);
            }
            MpiComm everybody = library.world();
            requireAll(library, everybody.size());
            RankEnd rankEnd = new RankEnd(everybody.rank());
            rankEnd.reportExceptions();
            ForeignUlfm.Availability availability = ForeignUlfm.lookUp(library);
            if (availability.functions().isPresent() && threadLevel == Mpi.ThreadLevel.MULTIPLE) {
                library.end();
                throw new Mpi.UnavailableException(TOO_MANY_THREADS, null);
            }
            String description = describe(library, availability);
            return availability.functions().isPresent()
                    ? withUlfm(library, everybody, availability.functions().get(), rankEnd, description)
                    : withSimulatedFailures(library, everybody, rankEnd, description);
        } catch (MpiException e) {
            throw new Mpi.CallException("initialisation of MPI", e);
        }
    }

    /** Where each rank is alone, all replicas would be in one process. */
    private static void requireAll(MpiLibrary library, int worldSize) throws MpiException {
        Optional<String> problem = LaunchedRanks.of(System.getenv())
                .flatMap(launched -> launched.problem(worldSize, library.version()));
        if (problem.isPresent()) {
            library.end();
            throw new Mpi.UnavailableException(problem.get(), null);
        }
    }

    private static MpiProcess withUlfm(MpiLibrary library, MpiComm everybody, Ulfm ulfm, RankEnd rankEnd,
            String description) throws MpiException {
        rankEnd.beginToFail();
        WaitLimit waitLimit = WaitLimit.ofProcess(everybody.rank());
        MpiCommunicator world = new MpiCommunicator(everybody.duplicate(), RankMap.identity(everybody.size()), ulfm,
                waitLimit, null);
        warmUp(world);
        UlfmEnd end = new UlfmEnd(library, everybody.duplicate(), ulfm, rankEnd, waitLimit);
        return new MpiProcess(world, own -> new UlfmAttempt(own, end), rankEnd, description, end::run);
    }

    /** What is first called in an emergency takes 50 ms when it is cold; 1 ms of it is MPI's. */
    static void warmUp(Communicator world) {
        world.agree(1);
        world.isRevoked();
        world.failedRanks();
    }

    private static MpiProcess withSimulatedFailures(MpiLibrary library, MpiComm everybody, RankEnd rankEnd,
            String description) throws MpiException {
        rankEnd.abortJob(library);
        PlainMpi plain = new PlainMpi(library, everybody, RankMap.identity(everybody.size()));
        return new MpiProcess(plain.communicator(), _ -> PlainAttempt.begin(plain), rankEnd, description,
                (survivors, exitCode) -> {
                    plain.awaitEnd();
                    library.end();
                });
    }

    static String describe(MpiLibrary library, ForeignUlfm.Availability availability) {
        return library.version() + ": " + availability.explanation();
    }

    Communicator world() {
        return world;
    }

    /**
     * Runs a program to its end on all PEs alive, and ends MPI.
     *
     * @return the exit code
     */
    int run(Mpi.ExitCodeProgram program) {
        int exitCode;
        try {
            exitCode = programRun.run(program::run);
        } catch (SimulatedFailureError dead) {
            exitCode = 0;
        } catch (Throwable thrown) {
            if (!(thrown instanceof KnownToAll known)) {
                throw rankEnd.end(thrown);
            }
            // On all alike.
            exitCode = known.exitCode();
            if (programRun.own().rank() == 0) {
                System.err.println("the program ends on all ranks: " + thrown);
            }
            if (thrown instanceof ApplicationFailedException && thrown.getCause() != null) {
                // On the rank that has thrown it.
                thrown.getCause().printStackTrace();
            }
        }
        finish(programRun.own(), exitCode);
        return exitCode;
    }

    String description() {
        return description;
    }

    void finish(Communicator survivors, int exitCode) {
        try {
            Background.end();
            end.run(survivors, exitCode);
        } catch (MpiException e) {
            throw new Mpi.CallException("finish", e);
        }
    }
}
