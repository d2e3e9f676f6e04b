package org.restorej.comm.mpi;

import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.testing.mpi.MpiRank;

/**
 * Every rank but the last ends by itself, each in a way of its own, {@link Mpi#finish} among them, in the middle of
 * a reduction or, every other one, when the others shrink; the last one goes on alone.
 */
public final class FailureProgram {
    /** What the rank that throws throws. */
    static final String MISTAKE = "a mistake of the application";

    private FailureProgram() {}

    /**
     * Runs.
     *
     * @param args one {@link Way} for each rank but the last
     */
    public static void main(String[] args) {
        Communicator communicator = Mpi.world(args);
        int rank = communicator.rank();
        for (int dying = 0; dying < args.length; dying++) {
            if (rank == dying && dying % 2 == 0) {
                MpiRank.meansToThrow();
                Way.valueOf(args[dying]).end(communicator);
            }
            try {
                communicator.allReduce(new long[]{1}, Reduction.SUM);
            } catch (CommunicationFailedException expected) {
                System.out.println(expected.getMessage());
            }
            communicator.revoke();
            if (rank == dying) {
                MpiRank.meansToThrow();
                Way.valueOf(args[dying]).end(communicator);
            }
            communicator = shrunkWithout(communicator, dying);
        }
        System.out.println("survived without " + communicator.ranks().absentRanks());
        Mpi.finish(communicator);
    }

    /** A failure may be noticed only in the communicator that comes of the first attempt. */
    private static Communicator shrunkWithout(Communicator communicator, int dying) {
        Communicator survivors = communicator;
        while (survivors.ranks().currentRankOf(dying) >= 0) {
            survivors = survivors.shrink();
        }
        return survivors;
    }

    /** How a rank ends. */
    enum Way {
        EXIT, THROW, EXHAUST, HALT, EXIT_WELL, FINISH;

        private void end(Communicator communicator) {
            switch (this) {
                case EXIT -> System.exit(3);
                case THROW -> throw new IllegalStateException(MISTAKE);
                case EXHAUST -> throw new OutOfMemoryError("allocated " + new long[Integer.MAX_VALUE - 8].length);
                case HALT -> Runtime.getRuntime().halt(7);
                case EXIT_WELL -> System.exit(0);
                case FINISH -> Mpi.finish(communicator);
            }
        }
    }
}
