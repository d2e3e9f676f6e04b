package org.restorej.comm.local;

import java.util.SplittableRandom;

/**
 * What MPI leaves open and no correct program may rely on: whether messages are buffered, late or lost with their
 * sender.
 */
sealed interface NetworkModel {
    /** Whether a plain send of a short message completes at once because the message is copied. */
    boolean buffersShortSend();

    /** How many of the messages that a failed PE has sent, and that nobody has begun to receive, still arrive. */
    int survivingMessages(int sent);

    /** Whether a collective call that all PEs have entered completes on a PE although one of them has failed since. */
    boolean completesDespiteDeath();

    /** Whether an agreement counts the flags of a PE that entered it and failed. */
    boolean countsFlagsOfTheDead();

    /** For how many steps of its own a PE does not learn of a failure or a revocation. */
    int noticeDelaySteps();

    /** Whether that is ever more than none. */
    boolean delaysNotices();

    /** As a good network would have it: nothing is lost or late. */
    record Ideal() implements NetworkModel {
        @Override
        public boolean buffersShortSend() {
            return true;
        }

        @Override
        public int survivingMessages(int sent) {
            return sent;
        }

        @Override
        public boolean completesDespiteDeath() {
            return true;
        }

        @Override
        public boolean countsFlagsOfTheDead() {
            return true;
        }

        @Override
        public int noticeDelaySteps() {
            return 0;
        }

        @Override
        public boolean delaysNotices() {
            return false;
        }
    }

    /** All that is allowed happens, by a seed. Used by one thread at a time. */
    final class Adversarial implements NetworkModel {
        /** Long enough that a PE can finish a whole protocol step in ignorance of a failure. */
        private static final int LONGEST_DELAY_STEPS = 64;

        private final SplittableRandom random;

        Adversarial(long seed) {
            random = new SplittableRandom(seed);
        }

        @Override
        public boolean buffersShortSend() {
            return random.nextBoolean();
        }

        @Override
        public int survivingMessages(int sent) {
            return random.nextInt(sent + 1);
        }

        @Override
        public boolean completesDespiteDeath() {
            return random.nextBoolean();
        }

        @Override
        public boolean countsFlagsOfTheDead() {
            return random.nextBoolean();
        }

        @Override
        public int noticeDelaySteps() {
            return random.nextBoolean() ? 0 : random.nextInt(LONGEST_DELAY_STEPS);
        }

        @Override
        public boolean delaysNotices() {
            return true;
        }
    }
}
