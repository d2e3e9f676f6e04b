package org.restorej.comm.mpi;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.restorej.comm.Communicator;
import org.restorej.comm.Communicator.PendingAgreement;
import org.restorej.comm.Settlement;
import org.restorej.internal.program.Attempt;
import org.restorej.internal.program.ProgramGroup;

/** PEs that run a program, where processes really fail. */
final class UlfmProgramGroup implements ProgramGroup {
    /**
     * How long a PE whose program has thrown waits for others, who may call MPI themselves, and wait for this PE to
     * fail; they compute for less between two calls of a program that is restarted.
     */
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final UlfmEnd end;
    private UlfmCommunicator own;
    private boolean exceptionInAttempt;

    UlfmProgramGroup(UlfmCommunicator own, UlfmEnd end) {
        this.own = own;
        this.end = end;
    }

    @Override
    public Communicator own() {
        return own;
    }

    @Override
    public boolean shrink() {
        own = own.shrink();
        boolean exception = exceptionInAttempt;
        exceptionInAttempt = false;
        return exception;
    }

    @Override
    public Attempt begin() {
        UlfmCommunicator given = Settlement.settle(own, "beginning the program", own::beginAttempt);
        return new UlfmProgramAttempt(given);
    }

    private final class UlfmProgramAttempt implements Attempt {
        /** The program has returned here, or the decision is the others'. */
        private static final int RETURNED = 1;
        private static final int NO_EXCEPTION = 1 << 1;

        private final UlfmCommunicator given;

        UlfmProgramAttempt(UlfmCommunicator given) {
            this.given = given;
        }

        @Override
        public Communicator communicator() {
            return given;
        }

        @Override
        public boolean ends(boolean returned) {
            UlfmAttempt attempt = Objects.requireNonNull(given.attempt());
            int agreed;
            if (returned) {
                UlfmEnd.Patience patience = new UlfmEnd.Patience();
                agreed = agreed(RETURNED | NO_EXCEPTION, () -> {
                    if (patience.isOver(attempt::isQuiet)) {
                        end.leaveOthers(0);
                    }
                    return true;
                });
            } else {
                attempt.giveUp();
                UlfmAttempt.Answers answers = attempt.against();
                agreed = agreed(NO_EXCEPTION, () -> {
                    answers.look();
                    return true;
                });
            }
            exceptionInAttempt = (agreed & NO_EXCEPTION) == 0;
            return (agreed & RETURNED) != 0;
        }

        /** Others that go on with a loop shrink, and wait until this PE is gone. */
        @Override
        public void endsByException() {
            UlfmAttempt attempt = Objects.requireNonNull(given.attempt());
            attempt.giveUp();
            UlfmAttempt.Answers answers = attempt.ofException();
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
    }
}
