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
 * An attempt of a program with real failures. Records the communicators that the program has created in this process
 * from the one that it was given: a PE whose program ends by a failure must revoke them, and others may wait for it on
 * them.
 */
final class UlfmAttempt implements Attempt {
    /**
     * How long a PE whose program has thrown waits for the others, which may be in MPI calls of their own and wait for
     * this PE to fail. Assumes that a restarted program doesn't compute for longer between two calls.
     */
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    /** Flag: the program has returned here, or this PE leaves the decision to the others. */
    private static final int RETURNED = 1;
    private static final int NO_EXCEPTION = 1 << 1;

    /** With only this flag set, PEs agree that all of them shrink. Settled operations always set other flags. */
    static final int SHRINKS = 1 << 1;

    /**
     * Flags of a PE on which the application has thrown: it makes any settled operation fail, and lets the others
     * shrink.
     */
    private static final int THREW = Settlement.EXCEPTION | SHRINKS;

    private final MpiCommunicator own;
    private final MpiCommunicator given;
    private final List<MpiCommunicator> open = new ArrayList<>();
    /**
     * Of the open ones, those on which the program would shrink: the given one and groups, or their shrunk successors.
     */
    private final List<MpiCommunicator> used = new ArrayList<>();

    private boolean exception;

    /** Starts an attempt. Called by all PEs; blocks. */
    UlfmAttempt(MpiCommunicator own) {
        this.own = own;
        given = own.derived().duplicateFor(this);
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

    /**
     * Revokes the program's communicators. Waits, for a minute at most, until the others have ended or, in a loop, begin
     * to shrink, which waits for the end of this PE.
     */
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

    /** The agreed flags; 0 if this PE stops waiting for them. */
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

    /** Records that a communicator is closed; other PEs may still wait there for this PE. */
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

    /** Whether no communicator that the program uses is revoked or has a failed member. */
    private boolean isQuiet() {
        return used.stream().allMatch(MpiCommunicator::isQuiet);
    }

    /** Revokes all communicators, closed or not, so that no PE waits for messages of this one. */
    private void giveUp() {
        open.forEach(communicator -> communicator.failures().revoke(new ProgramAbandonedError()));
    }

    /** Takes part in the agreements of the other PEs while this one waits, with flags that make these fail. */
    private final class Answers {
        /**
         * Time before the first answer: usually all others have ended by then, and need none. Agreements that are
         * never completed may crash Open MPI 5.0.7 in a later shrink of another communicator (1 of 20 jobs).
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

        /** Whether the others continue without PEs that are gone: they wait for this PE to end. */
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
