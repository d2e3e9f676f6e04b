package org.restorej.comm.mpi;

import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;

/** Rank 0 lets nobody fail, and the others rank 0: both sets have the sum 0. */
public final class DifferentFailuresProgram {
    private DifferentFailuresProgram() {}

    /** Runs on at least 2 ranks. */
    public static void main(String[] args) {
        Communicator world = Mpi.world(args);
        FailureSimulation.of(world).fail(world.rank() == 0 ? new int[0] : new int[]{0});
        world.shrink();
        Mpi.finish(world);
    }
}
