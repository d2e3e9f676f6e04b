package org.restorej.comm.mpi;

import org.restorej.comm.Communicator;

/** Rank 1 passes a wrong argument to a collective call, in which the others wait for it. */
public final class LoneMistakeProgram {
    private LoneMistakeProgram() {}

    /** Runs on at least 2 ranks. */
    public static void main(String[] args) {
        Communicator world = Mpi.world(args);
        try {
            world.broadcast(world.rank() == 1 ? "no array" : new int[1], 0);
            world.barrier();
        } catch (RuntimeException unheard) {
            System.out.println("goes on");
        }
        Mpi.finish(world);
    }
}
