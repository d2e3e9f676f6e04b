package org.restorej.comm.mpi;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.restorej.comm.Communicator;
import org.restorej.comm.KnownToAll;
import org.restorej.comm.RankMap;
import org.restorej.comm.SimulatedDeathError;
import org.restorej.internal.program.ProgramGroup;
import org.restorej.internal.program.ProgramRun;

/** MPI in this process, from its initialisation to its end: either with ULFM or with simulated failures. */
final class OpenMpiProcess {
    static final String TOO_MANY_THREADS = "the thread level must be at most SERIALIZED under ULFM: MPIX_Comm_agree "
            + "of Open MPI 5.0 returns wrong flags, or doesn't return, when another thread of the process "
            + "communicates meanwhile: threadLevel=MULTIPLE";

    /** How the process leaves MPI. */
    private interface End {
        /** Returns when MPI is finalised. */
        void run(Communicator survivors, int exitCode) throws MPIException;
    }

    private final Communicator world;
    private final ProgramGroup group;
    private final String description;
    private final End end;
    private final RankEnd rankEnd;

    private OpenMpiProcess(Communicator world, ProgramGroup group, RankEnd rankEnd, String description, End end) {
        this.world = world;
        this.group = group;
        this.rankEnd = rankEnd;
        this.description = description;
        this.end = end;
    }

    /** Initialises MPI. Every communicator that comes of it returns its errors instead of ending the job. */
    static OpenMpiProcess start(String[] args, OpenMpi.ThreadLevel threadLevel) {
        try {
            if (MPI.isInitialized()) {
                throw new IllegalStateException("the program has initialised MPI itself: leave that to OpenMpi.world, "
                        + "which must come before every other use of MPI, and the end to OpenMpi.finish; or use "
                        + "EmbeddedMpi.on");
            }
            int required = mpiLevel(threadLevel);
            int granted = MPI.InitThread(args, required);
            if (granted < required) {
                throw new MpiUnavailableException(
                        "Open MPI grants less than the thread level " + threadLevel + " asked for: level=" + granted,
                        null);
            }
            MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
            RankEnd rankEnd = new RankEnd(MPI.COMM_WORLD.getRank());
            rankEnd.reportExceptions();
            Ulfm.Availability availability = Ulfm.lookUp();
            if (availability.functions().isPresent() && threadLevel == OpenMpi.ThreadLevel.MULTIPLE) {
                MPI.Finalize();
                throw new MpiUnavailableException(
                        TOO_MANY_THREADS,
                        null);
            }
            String description = describe(availability);
            return availability.functions().isPresent()
                    ? withUlfm(availability.functions().get(), rankEnd, description)
                    : withSimulatedFailures(rankEnd, description);
        } catch (MPIException e) {
            throw new MpiCallException("initialisation of MPI", e);
        }
    }

    private static OpenMpiProcess withUlfm(Ulfm ulfm, RankEnd rankEnd, String description) throws MPIException {
        rankEnd.dieOfSignals(ulfm);
        UlfmIntracomm everybody = UlfmIntracomm.world();
        RankMap ranks = RankMap.identity(everybody.getSize());
        UlfmCommunicator world = new UlfmCommunicator(everybody.duplicate(), ranks, ulfm,
                WaitLimit.ofProcess(everybody.getRank(), ulfm));
        warmUp(world);
        UlfmEnd end = new UlfmEnd(everybody.duplicate(), ulfm, rankEnd);
        return new OpenMpiProcess(world, new UlfmProgramGroup(world, end), rankEnd, description, end::run);
    }

    /** What is first called in an emergency takes 50 ms when it is cold; 1 ms of it is MPI's. */
    static void warmUp(Communicator world) {
        world.agree(1);
        world.isRevoked();
        world.failedRanks();
    }

    private static OpenMpiProcess withSimulatedFailures(RankEnd rankEnd, String description) throws MPIException {
        SimulatedFailures failures = new SimulatedFailures(duplicate(MPI.COMM_WORLD));
        RankMap ranks = RankMap.identity(MPI.COMM_WORLD.getSize());
        SimulatedFailureCommunicator world = new SimulatedFailureCommunicator(duplicate(MPI.COMM_WORLD), ranks,
                failures);
        return new OpenMpiProcess(world, new SimulatedProgramGroup(world), rankEnd, description,
                (survivors, exitCode) -> {
                    failures.process().awaitEnd(MPI.COMM_WORLD);
                    MPI.Finalize();
                });
    }

    static Intracomm duplicate(Intracomm intracomm) throws MPIException {
        Intracomm copy = intracomm.dup();
        copy.setErrhandler(MPI.ERRORS_RETURN);
        return copy;
    }

    private static int mpiLevel(OpenMpi.ThreadLevel threadLevel) {
        return switch (threadLevel) {
            case SINGLE -> MPI.THREAD_SINGLE;
            case FUNNELED -> MPI.THREAD_FUNNELED;
            case SERIALIZED -> MPI.THREAD_SERIALIZED;
            case MULTIPLE -> MPI.THREAD_MULTIPLE;
        };
    }

    static String describe(Ulfm.Availability availability) {
        return firstLine(MPI.getLibVersion()) + ": " + availability.explanation();
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }

    Communicator world() {
        return world;
    }

    /**
     * Runs a program to its end on all PEs alive, and ends MPI.
     *
     * @return the exit code
     */
    int run(OpenMpi.ExitCodeProgram program) {
        int exitCode;
        try {
            exitCode = ProgramRun.run(group, program::run);
        } catch (SimulatedDeathError dead) {
            exitCode = 0;
        } catch (Throwable thrown) {
            if (!(thrown instanceof KnownToAll)) {
                throw rankEnd.end(thrown);
            }
            // On all alike.
            exitCode = OpenMpi.EXIT_CODE_LOSS;
            if (group.own().rank() == 0) {
                System.err.println("the program ends on all ranks: " + thrown);
            }
        }
        finish(group.own(), exitCode);
        return exitCode;
    }

    String description() {
        return description;
    }

    void finish(Communicator survivors, int exitCode) {
        try {
            end.run(survivors, exitCode);
        } catch (MPIException e) {
            throw new MpiCallException("finish", e);
        }
    }
}
