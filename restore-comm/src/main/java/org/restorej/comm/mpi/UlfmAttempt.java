package org.restorej.comm.mpi;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.Communicator.PendingAgreement;
import org.restorej.comm.OriginalRank;
import org.restorej.internal.settlement.Settlement;
import org.restorej.internal.program.Attempt;
import org.restorej.internal.program.ProgramAbandonedError;

/**
 * Of a program where processes really fail. Knows the communicators that the program has made of the one that it was
 * given, in this process: what a PE must take back when a failure escapes from its program, and where others may wait
 * for it.
 */
final class UlfmAttempt implements Attempt {
    /**
     * How long a PE whose program has thrown waits for others, who may call MPI themselves, and wait for this PE to
     * fail; they compute for less between two calls of a program that is restarted.
     */
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    /** The program has returned here, or the decision is the others'. */
    private static final int RETURNED = 1;
    private static final int NO_EXCEPTION = 1 << 1;

    /** With this flag alone PEs agree that all of them shrink. Settled operations have others, whatever they agree on. */
    static final int SHRINKS = 1 << 1;

    /** Of a PE on which the application has thrown: it fails whatever is settled, and lets the others shrink. */
    private static final int THREW = Settlement.EXCEPTION | SHRINKS;

    private final MpiCommunicator own;
    private final MpiCommunicator given;
    private final List<MpiCommunicator> open = new ArrayList<>();
    /** Of these, those on which the program would shrink: the given one and groups, or what these have shrunk to. */
    private final List<MpiCommunicator> used = new ArrayList<>();

    private boolean exception;

    /** Begins one. Called by all PEs; blocks. */
    UlfmAttempt(MpiCommunicator own) {
        this.own = own;
        given = own.duplicateFor(this);
        usedByProgram(given);
    }

    @Override
    public Communicator communicator() {
        return given;
    }

    @Override
    public boolean ends(boolean returned) {
        int agreed;
        if (returned) {
            Patience patience = new Patience();
            agreed = agreed(RETURNED | NO_EXCEPTION, () -> {
                if (patience.isOver(this::isQuiet)) {
                    RankEnd.kill();
                }
                return true;
            });
        } else {
            giveUp();
            Answers answers = new Answers(0);
            agreed = agreed(NO_EXCEPTION, () -> {
                answers.look();
                return true;
            });
        }
        exception = (agreed & NO_EXCEPTION) == 0;
        return (agreed & RETURNED) != 0;
    }

    /** Others that go on with a loop shrink, and wait until this PE is gone. */
    @Override
    public void endsByException() {
        giveUp();
        Answers answers = new Answers(THREW);
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        agreed(RETURNED, () -> {
            answers.look();
            return !answers.othersShrink() && System.nanoTime() < deadline;
        });
    }

    /** What all have agreed on; 0 when this PE doesn't wait for that any more. */
    private int agreed(int flags, BooleanSupplier goesOn) {
        PendingAgreement vote = own.iAgree(flags);
        while (!vote.test()) {
            if (!goesOn.getAsBoolean()) {
                return 0;
            }
        }
        return vote.agreement().flags();
    }

    @Override
    public boolean hasThrownOnOneOf(Collection<OriginalRank> gone) {
        return exception;
    }

    void opened(MpiCommunicator communicator) {
        open.add(communicator);
    }

    void freed(MpiCommunicator communicator) {
        open.remove(communicator);
        used.remove(communicator);
    }

    /** It is used no more, but others may still wait there for this PE. */
    void closed(MpiCommunicator communicator) {
        used.remove(communicator);
    }

    void usedByProgram(MpiCommunicator communicator) {
        used.add(communicator);
    }

    void replaced(MpiCommunicator before, MpiCommunicator survivors) {
        if (used.remove(before)) {
            used.add(survivors);
        }
    }

    /** Whether nothing of what the program has used last is revoked, or has lost somebody. */
    private boolean isQuiet() {
        return used.stream().allMatch(MpiCommunicator::isQuiet);
    }

    /** Revokes everything, closed or not, so that nobody waits in vain for what this PE would have sent. */
    private void giveUp() {
        open.forEach(communicator -> communicator.failures().revoke(new ProgramAbandonedError()));
    }

    /** Takes part in what others agree on meanwhile, against everything. */
    private final class Answers {
        /**
         * Mostly all others have come to the end, too, and nobody needs an answer; and in 1 of 20 jobs Open MPI 5.0.7
         * has crashed in a shrink of one communicator after agreements on others that were never completed.
         */
        private static final long FIRST_LOOK_NANOS = 200_000_000;

        private final long startNanos = System.nanoTime();
        private final Map<MpiCommunicator, @Nullable PendingAgreement> pending = new LinkedHashMap<>();

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
                PendingAgreement current = answer == null ? communicator.startAgreement(flags) : answer;
                if (!current.test()) {
                    return current;
                }
                othersShrink |= current.agreement().flags() == SHRINKS;
                return null;
            });
        }
    }
}
