package org.restorej.comm.mpi;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.restorej.comm.Communicator;
import org.restorej.comm.RankMap;

/** MPI in this process, from its initialisation to its end. */
final class OpenMpiProcess {
    private final SimulatedFailures failures;
    private final Communicator world;

    private OpenMpiProcess(SimulatedFailures failures, Communicator world) {
        this.failures = failures;
        this.world = world;
    }

    /** Initialises MPI. Every communicator that comes of it returns its errors instead of ending the job. */
    static OpenMpiProcess start(String[] args, OpenMpi.ThreadLevel threadLevel) {
        try {
            int required = mpiLevel(threadLevel);
            int granted = MPI.InitThread(args, required);
            if (granted < required) {
                throw new MpiUnavailableException(
                        "Open MPI grants less than the thread level " + threadLevel + " asked for: level=" + granted,
                        null);
            }
            MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
            SimulatedFailures failures = new SimulatedFailures(duplicate(MPI.COMM_WORLD));
            RankMap ranks = RankMap.identity(MPI.COMM_WORLD.getSize());
            return new OpenMpiProcess(failures,
                    new SimulatedFailureCommunicator(duplicate(MPI.COMM_WORLD), ranks, failures));
        } catch (MPIException e) {
            throw new MpiCallException("initialisation of MPI", e);
        }
    }

    private static Intracomm duplicate(Intracomm intracomm) throws MPIException {
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

    Communicator world() {
        return world;
    }

    String description() {
        return firstLine(MPI.getLibVersion());
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }

    void finish(Communicator survivors, int exitCode) {
        try {
            failures.awaitEnd(MPI.COMM_WORLD);
            MPI.Finalize();
        } catch (MPIException e) {
            throw new MpiCallException("finish", e);
        }
    }
}
