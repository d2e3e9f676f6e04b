package org.restorej.comm.mpi;

import java.util.Set;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.Reduction;

/** Leaves one PE out, who is alive; the others go on without it, lose one of them, and meet it again in the world. */
public final class LeftOutProgram {
    private static final int LEFT_OUT = 1;

    private LeftOutProgram() {}

    /** Runs on at least 3 ranks. */
    public static void main(String[] args) {
        Communicator world = Mpi.world(args);
        try {
            if (world.rank() != LEFT_OUT) {
                goOnWithout(world);
            }
        } catch (UnsupportedOperationException refused) {
            System.out.println("refused: " + refused.getMessage());
        }
        System.out.println("again " + sum(world) + " of all");
        Mpi.finish(world);
    }

    private static void goOnWithout(Communicator world) {
        Communicator staying = Mpi.without(world, Set.of(LEFT_OUT));
        System.out.println("stays as " + staying.rank() + " of " + sum(staying) + ", absent "
                + staying.ranks().absentRanks());
        try {
            FailureSimulation.of(staying).fail(0);
            staying.revoke();
            Communicator fewer = staying.shrink();
            System.out.println("then " + sum(fewer) + " of " + fewer.size());
            fewer.close();
        } catch (SimulatedFailureError failed) {
            System.out.println("failed there");
        }
    }

    private static long sum(Communicator communicator) {
        long[] ones = {1};
        communicator.allReduce(ones, Reduction.SUM);
        return ones[0];
    }
}
