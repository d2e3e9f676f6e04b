package org.restorej.mpi;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.restorej.ReStore;
import org.restorej.RestartablePrograms;
import org.restorej.block.BlockRanges;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.mpi.Mpi;
import org.restorej.comm.testing.mpi.MpiRank;

/** A program started by {@link Mpi#run}, in which rank 1 ends or fails somewhere. */
public final class RunProgram {
    static final int EXIT_CODE = 5;

    private RunProgram() {}

    /**
     * Runs.
     *
     * @param args what rank 1 does, and where
     */
    public static void main(String[] args) {
        String what = args[0];
        AtomicInteger begun = new AtomicInteger();
        if (what.equals("code")) {
            Mpi.runForExitCode(args, world -> EXIT_CODE);
            throw new AssertionError("must have ended");
        }
        MpiRank.meansToThrow();
        Mpi.run(args, world -> {
            begun.incrementAndGet();
            if (what.equals("loss")) {
                lose(world);
            }
            double sum = RestartablePrograms.run(world, (place, communicator) -> {
                if (place.equals(args[1]) && communicator.size() == world.ranks().originalSize()) {
                    end(what, communicator);
                }
            });
            System.out.println("sum " + (sum == RestartablePrograms.SUM) + " begun " + begun + " of " + world.size());
        });
        System.out.println("main goes on");
    }

    private static void lose(Communicator world) {
        try (ReStore store = ReStore.builder(world).blocks(9).blockSizeBytes(8).replication(1).build()) {
            throw IrrecoverableDataLossException.withoutSubmission(BlockRanges.of(0, 9), store.failedRanks());
        }
    }

    private static void end(String what, Communicator communicator) {
        switch (what) {
            case "die" -> ((FailureSimulation) communicator).fail(1);
            case "leave" -> {
                ((FailureSimulation) communicator).fail(1);
                if (communicator.originalRank().value() == 0) {
                    throw new ProcessFailedException("a call of the application", List.of(OriginalRank.of(1)));
                }
                communicator.revoke();
                try {
                    communicator.shrink();
                } catch (Error abandoned) {
                    System.out.println("met " + abandoned.getMessage());
                    throw abandoned;
                }
            }
            default -> throw new IllegalArgumentException("what=" + what);
        }
    }
}
