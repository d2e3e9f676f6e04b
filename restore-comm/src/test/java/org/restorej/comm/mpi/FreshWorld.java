package org.restorej.comm.mpi;

import org.restorej.comm.Communicator;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;

/**
 * A world in which nobody has died yet, where failures are only simulated: the processes that count as dead in one
 * program are alive again in the next. So one job can run many programs in which PEs die.
 */
public final class FreshWorld {
    private static final int TAG = 1;

    private final MpiComm everybody;
    private final SimulatedFailures failures;
    private final Communicator communicator;

    private FreshWorld(MpiCommunicator world) throws MpiException {
        everybody = world.mpi().ofLibrary();
        failures = new SimulatedFailures(SimulatedFailures.subset(everybody, world.ranks(), world.ranks(), TAG));
        communicator = failures.communicator();
    }

    /** A world of all processes, who all call this. */
    public static FreshWorld of(Communicator world) {
        try {
            return new FreshWorld((MpiCommunicator) world);
        } catch (MpiException e) {
            throw new Mpi.CallException("a world of its own for a program", e);
        }
    }

    /** Its communicator. */
    public Communicator communicator() {
        return communicator;
    }

    /** Returns when all processes have come to the end of the program, the dead ones included. */
    public void awaitEnd() {
        try {
            failures.process().awaitEnd(everybody);
        } catch (MpiException e) {
            throw new Mpi.CallException("the end of a program", e);
        }
    }
}
