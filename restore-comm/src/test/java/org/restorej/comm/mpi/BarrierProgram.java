package org.restorej.comm.mpi;

import org.restorej.comm.ApplicationFailedException;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.Request;

/** Enters barriers until a rank fails; then the survivors go on without it, and end: by an exception of all. */
public final class BarrierProgram {
    private BarrierProgram() {}

    /** Runs until a rank is killed. */
    public static void main(String[] args) {
        Mpi.run(args, BarrierProgram::run);
    }

    private static void run(Communicator world) {
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
        throw new ApplicationFailedException("nothing is left to do");
    }
}
