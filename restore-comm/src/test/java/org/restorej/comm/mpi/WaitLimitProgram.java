package org.restorej.comm.mpi;

import java.util.concurrent.locks.LockSupport;
import org.restorej.comm.Communicator;
import org.restorej.comm.ProcessFailedException;

/** The second of two ranks waits for the first in an agreement; the first waits for the failure of the second. */
public final class WaitLimitProgram {
    private WaitLimitProgram() {}

    /** Runs. */
    public static void main(String[] args) {
        Communicator world = Mpi.world(args);
        if (world.rank() == 1) {
            world.agree(1);
        }
        try {
            while (true) {
                world.iProbe(1);
                LockSupport.parkNanos(1_000_000);
            }
        } catch (ProcessFailedException expected) {
            System.out.println(expected.getMessage());
        }
        world.revoke();
        Communicator survivors = world.shrink();
        System.out.println("survived without " + survivors.ranks().absentRanks());
        Mpi.finish(survivors);
    }
}
