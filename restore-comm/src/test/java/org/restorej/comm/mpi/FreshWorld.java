package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntSets;
import org.restorej.comm.Communicator;
import org.restorej.internal.mpi.MpiException;

/**
 * A world in which nobody has failed yet, where failures are only simulated: the processes that count as failed in one
 * program are alive again in the next. So one job can run many programs in which PEs fail.
 */
public final class FreshWorld {
    private final PlainMpi world;
    private final Communicator communicator;

    private FreshWorld(MpiCommunicator all) throws MpiException {
        world = all.plain().without(all.mpi(), all.ranks(), IntSets.EMPTY_SET);
        communicator = world.communicator();
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

    /** Returns when all processes have come to the end of the program, the failed ones included. */
    public void awaitEnd() {
        try {
            world.awaitEnd();
        } catch (MpiException e) {
            throw new Mpi.CallException("the end of a program", e);
        }
    }
}
