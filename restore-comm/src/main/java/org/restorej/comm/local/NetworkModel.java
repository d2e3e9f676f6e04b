package org.restorej.comm.local;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Decides what MPI leaves open and correct programs don't rely on: whether messages are buffered, delayed, or lost with
 * their sender. Without a seed nothing is lost or delayed; with a seed everything that is allowed happens. With a seed
 * not thread-safe.
 */
final class NetworkModel {
    /** Long enough that a PE can finish a whole phase of a protocol without knowing of a failure. */
    private static final int LONGEST_DELAY_STEPS = 64;

    private final @Nullable SplittableRandom random;

    NetworkModel(@Nullable Long seed) {
        random = seed == null ? null : new SplittableRandom(seed);
    }

    /** Whether a standard send of a short message is copied and completes at once. */
    boolean buffersShortSend() {
        return isGood();
    }

    private boolean isGood() {
        return random == null || random.nextBoolean();
    }

    /**
     * Number of messages of a failed PE that still arrive, of those that it has sent and that are not yet being
     * received.
     */
    int survivingMessages(int sent) {
        return random == null ? sent : random.nextInt(sent + 1);
    }

    /** Whether a collective call that all PEs have entered completes on a PE although another one has failed since. */
    boolean completesDespiteFailure() {
        return isGood();
    }

    /** Whether an agreement counts the flags of a PE that entered it and then failed. */
    boolean countsFlagsOfTheFailed() {
        return isGood();
    }

    /** Number of its own steps after which a PE learns of a failure or a revocation. */
    int noticeDelaySteps() {
        return random == null || random.nextBoolean() ? 0 : random.nextInt(LONGEST_DELAY_STEPS);
    }

    /** Whether notices may be delayed. */
    boolean delaysNotices() {
        return random != null;
    }
}
