package org.restorej.comm.mpi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator.PendingAgreement;
import org.restorej.comm.Settlement;

/**
 * The communicators that a program has made of the one that it was given, in this process: what a PE must take back
 * when a failure escapes from its program, and where others may wait for it.
 */
final class UlfmAttempt {
    /** With this flag alone PEs agree that all of them shrink. Settled operations have others, whatever they agree on. */
    static final int SHRINKS = 1 << 1;

    /** Of a PE on which the application has thrown: it fails whatever is settled, and lets the others shrink. */
    private static final int THREW = Settlement.EXCEPTION | SHRINKS;

    private final List<UlfmCommunicator> open = new ArrayList<>();
    /** Of these, those on which the program would shrink: the given one and groups, or what these have shrunk to. */
    private final List<UlfmCommunicator> used = new ArrayList<>();

    void opened(UlfmCommunicator communicator) {
        open.add(communicator);
    }

    void freed(UlfmCommunicator communicator) {
        open.remove(communicator);
        used.remove(communicator);
    }

    void usedByProgram(UlfmCommunicator communicator) {
        used.add(communicator);
    }

    void replaced(UlfmCommunicator before, UlfmCommunicator survivors) {
        if (used.remove(before)) {
            used.add(survivors);
        }
    }

    /** Whether nothing of what the program has used last is revoked, or has lost somebody. */
    boolean isQuiet() {
        return used.stream().allMatch(UlfmCommunicator::isQuiet);
    }

    /** Revokes everything, so that nobody waits in vain for what this PE would have sent. */
    void giveUp() {
        open.forEach(UlfmCommunicator::revokeInAnyCase);
    }

    /** A PE that has given up all that the others could agree on. */
    Answers against() {
        return new Answers(0);
    }

    /** A PE on which the application has thrown. */
    Answers ofException() {
        return new Answers(THREW);
    }

    /** Takes part in what others agree on meanwhile, against everything. */
    final class Answers {
        /**
         * Mostly all others have come to the end, too, and nobody needs an answer; and in 1 of 20 jobs Open MPI 5.0.7
         * has crashed in a shrink of one communicator after agreements on others that were never completed.
         */
        private static final long FIRST_LOOK_NANOS = 200_000_000;

        private final long startNanos = System.nanoTime();
        private final Map<UlfmCommunicator, @Nullable PendingAgreement> pending = new LinkedHashMap<>();

        private final int flags;
        private boolean othersShrink;

        private Answers(int flags) {
            this.flags = flags;
            open.forEach(communicator -> pending.put(communicator, null));
        }

        /** Whether the others go on without those who are gone: they wait for this PE to be. */
        boolean othersShrink() {
            return othersShrink;
        }

        void look() {
            if (System.nanoTime() - startNanos < FIRST_LOOK_NANOS) {
                return;
            }
            pending.replaceAll((communicator, answer) -> {
                PendingAgreement current = answer == null ? communicator.iAgreeInAnyCase(flags) : answer;
                if (!current.test()) {
                    return current;
                }
                othersShrink |= current.agreement().flags() == SHRINKS;
                return null;
            });
        }
    }
}
