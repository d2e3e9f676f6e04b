package org.restorej.comm.mpi;

import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.Request;

/** Enters barriers until somebody dies; then the survivors go on without, and end. */
public final class BarrierProgram {
    private BarrierProgram() {}

    /** Runs until a rank is killed. */
    public static void main(String[] args) {
        Communicator world = Mpi.world(args);
        System.out.println("working");
        try {
            while (true) {
                Request barrier = world.iBarrier();
                while (!barrier.test()) {
                    Thread.onSpinWait();
                }
            }
        } catch (CommunicationFailedException e) {
            System.out.println(e.getMessage());
            world.revoke();
        }
        Communicator survivors = world.shrink();
        System.out.println("survived without " + survivors.ranks().absentRanks());
        Mpi.finish(survivors);
    }
}
