package org.restorej.comm.mpi;

import mpi.MPI;
import mpi.MPIException;

/** Initialises MPI by itself, and then asks for the world. */
public final class InitialisedProgram {
    private InitialisedProgram() {}

    /** Runs. */
    public static void main(String[] args) throws MPIException {
        MPI.InitThread(args, MPI.THREAD_SERIALIZED);
        try {
            EmbeddedMpi.world(args);
        } catch (IllegalStateException refused) {
            System.out.println("refused: " + refused.getMessage());
        }
        MPI.Finalize();
    }
}
