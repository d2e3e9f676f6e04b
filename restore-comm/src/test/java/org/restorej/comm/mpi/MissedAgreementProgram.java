package org.restorej.comm.mpi;

import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;

/** Rank 1 misses an agreement of the others, and shrinks instead. */
public final class MissedAgreementProgram {
    private MissedAgreementProgram() {}

    /** Runs. */
    public static void main(String[] args) {
        Communicator world = Mpi.world(args);
        try (Communicator other = world.duplicate()) {
            if (world.rank() != 1) {
                System.out.println("agreed on " + other.agree(-1).flags());
            }
            Communicator all = world.shrink();
            System.out.println("went on as " + all.size() + ", " + all.allReduce(1L, Reduction.SUM) + " in all, "
                    + (all.agree(6).flags() & 6));
            Mpi.finish(all);
        }
    }
}
