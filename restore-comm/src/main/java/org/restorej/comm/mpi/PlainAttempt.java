package org.restorej.comm.mpi;

import java.util.Collection;
import org.restorej.comm.OriginalRank;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.program.Attempt;

/**
 * An attempt of a program with simulated failures.
 *
 * @param communicator passed to the program
 */
record PlainAttempt(PlainMpi world, MpiCommunicator communicator) implements Attempt {
    static Attempt begin(PlainMpi world) {
        try {
            world.beginProgram();
            return new PlainAttempt(world, world.communicator());
        } catch (MpiException e) {
            throw new Mpi.CallException("duplicate", e);
        }
    }

    @Override
    public boolean ends(boolean returned) {
        try {
            return world.endProgram(returned);
        } catch (MpiException e) {
            throw new Mpi.CallException("the end of the program", e);
        }
    }

    /** Nothing to do: the exception ends the job. */
    @Override
    public void endsByException() {}

    @Override
    public boolean hasThrownOnOneOf(Collection<OriginalRank> gone) {
        return false;
    }
}
