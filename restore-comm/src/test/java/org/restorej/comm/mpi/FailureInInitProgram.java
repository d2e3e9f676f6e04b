package org.restorej.comm.mpi;

import org.restorej.comm.testing.mpi.MpiRank;
import org.restorej.internal.mpi.ForeignUlfm;

/** Rank 1 fails before it has called {@code MPI_Init}, in which the others wait. */
public final class FailureInInitProgram {
    private FailureInInitProgram() {}

    /** Runs. */
    public static void main(String[] args) {
        if (MpiRank.rank() == 1) {
            ForeignUlfm.killThisProcess();
        }
        Programs.run(args, 1, world -> System.out.println("came out"));
    }
}
