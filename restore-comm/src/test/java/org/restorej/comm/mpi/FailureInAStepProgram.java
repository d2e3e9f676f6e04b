package org.restorej.comm.mpi;

import java.lang.foreign.Arena;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.Request;
import org.restorej.internal.program.Background;

/**
 * Ranks hear of a failure in a step of what they have in the background, while they are in the call that fails somebody,
 * and give up long messages there. Rank 1 is one of them; rank 2 fails.
 */
public final class FailureInAStepProgram {
    /** Argument: rank 1 survives, and has a message to another survivor, too. */
    static final String SURVIVES = "survives";

    /** Argument: ranks 1 and 2 fail together, and have a message to each other. */
    static final String FAILS_TOO = "fails too";

    private static final long BYTES = 1 << 20;
    private static final int TAG = 7;
    /** For the others to be in their steps when this one comes to the call, by which all have come. */
    private static final long PAUSE_MILLIS = 300;

    private FailureInAStepProgram() {}

    /** Runs on three ranks. */
    public static void main(String[] args) throws InterruptedException {
        Communicator world = Mpi.world(args);
        Communicator messages = world.duplicate();
        boolean together = args[0].equals(FAILS_TOO);
        if (world.rank() == 0) {
            Thread.sleep(PAUSE_MILLIS);
        } else if (together) {
            giveUpInAStep(messages, send(messages, 3 - world.rank()));
        } else if (world.rank() == 1) {
            giveUpInAStep(messages, send(messages, 2), send(messages, 0));
        }
        try {
            FailureSimulation.of(world).fail(together ? new int[]{1, 2} : new int[]{2});
            System.out.println("survived as " + world.shrink().rank());
        } catch (SimulatedFailureError dead) {
            System.out.println("died");
        }
        Mpi.finish(world);
    }

    private static Request send(Communicator messages, int destination) {
        return messages.iSsend(Arena.ofAuto().allocate(BYTES), destination, TAG);
    }

    private static void giveUpInAStep(Communicator messages, Request toFailing, Request... others) {
        Background.ofThread().add(new Runnable() {
            @Override
            public void run() {
                Background.ofThread().remove(this);
                try {
                    toFailing.await();
                } catch (ProcessFailedException expected) {
                    messages.revoke();
                    for (Request other : others) {
                        other.cancel();
                    }
                    System.out.println("gave up");
                } catch (IllegalStateException waitedInVain) {
                    System.out.println(waitedInVain.getMessage());
                }
            }
        });
    }
}
