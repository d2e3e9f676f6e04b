package org.restorej.comm.mpi;

import java.io.IOException;
import java.lang.foreign.Arena;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.testing.mpi.MpiRank;

/** Rank 0 gives up a gather, closes its communicator and collects garbage; then rank 1 comes to the gather. */
public final class AbandonedGatherProgram {
    private static final long BYTES = 4_000_000;
    private static final String COLLECTED = "collected";

    private AbandonedGatherProgram() {}

    /** Runs on three ranks. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Communicator world = Mpi.world(args);
        Communicator revoked = world.duplicate();
        switch (world.rank()) {
            case 0 -> {
                giveUp(revoked);
                revoked.close();
                collectGarbage();
                MpiRank.report(COLLECTED, "");
            }
            case 1 -> {
                // Without a call of MPI, by which it would hear of the revocation and not begin.
                while (!MpiRank.isTold(COLLECTED)) {
                    Thread.sleep(5);
                }
                // From now on MPI writes to what rank 0 has given up.
                giveUp(revoked);
            }
            default -> revoked.revoke();
        }
        world.barrier();
        collectGarbage();
        System.out.println("alive");
        Mpi.finish(world);
    }

    private static void giveUp(Communicator communicator) {
        try (Arena arena = Arena.ofShared()) {
            communicator.allGather(arena.allocate(BYTES), arena.allocate(BYTES * communicator.size()));
            throw new AssertionError("the communicator is revoked");
        } catch (CommunicatorRevokedException expected) {
            System.out.println("given up");
        }
    }

    private static void collectGarbage() {
        for (int i = 0; i < 10; i++) {
            System.gc();
        }
    }
}
