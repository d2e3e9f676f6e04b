package org.restorej.comm.local;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What MPI leaves open and no correct program may rely on: whether messages are buffered, late or lost with their
 * sender. Without a seed as a good network would have it, where nothing is lost or late; with one all that is allowed
 * happens. Used by one thread at a time where there is a seed.
 */
final class NetworkModel {
    /** Long enough that a PE can finish a whole protocol step in ignorance of a failure. */
    private static final int LONGEST_DELAY_STEPS = 64;

    private final @Nullable SplittableRandom random;

    NetworkModel(@Nullable Long seed) {
        random = seed == null ? null : new SplittableRandom(seed);
    }

    /** Whether a plain send of a short message completes at once because the message is copied. */
    boolean buffersShortSend() {
        return isGood();
    }

    private boolean isGood() {
        return random == null || random.nextBoolean();
    }

    /** How many of the messages that a failed PE has sent, and that nobody has begun to receive, still arrive. */
    int survivingMessages(int sent) {
        return random == null ? sent : random.nextInt(sent + 1);
    }

    /** Whether a collective call that all PEs have entered completes on a PE although one of them has failed since. */
    boolean completesDespiteFailure() {
        return isGood();
    }

    /** Whether an agreement counts the flags of a PE that entered it and failed. */
    boolean countsFlagsOfTheFailed() {
        return isGood();
    }

    /** For how many steps of its own a PE does not learn of a failure or a revocation. */
    int noticeDelaySteps() {
        return random == null || random.nextBoolean() ? 0 : random.nextInt(LONGEST_DELAY_STEPS);
    }

    /** Whether that is ever more than none. */
    boolean delaysNotices() {
        return random != null;
    }
}
