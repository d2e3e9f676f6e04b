package org.restorej.comm.mpi;

import java.util.Objects;
import org.restorej.comm.Communicator;
import org.restorej.comm.Settlement;
import org.restorej.internal.mpi.FailureMeaning;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.Ulfm;
import org.restorej.internal.program.Attempt;
import org.restorej.internal.program.ProgramGroup;

/** PEs that run a program, where processes really die. */
final class UlfmProgramGroup implements ProgramGroup {
    private final UlfmEnd end;
    private UlfmCommunicator own;

    UlfmProgramGroup(UlfmCommunicator own, UlfmEnd end) {
        this.own = own;
        this.end = end;
    }

    @Override
    public Communicator own() {
        return own;
    }

    @Override
    public void shrink() {
        own = own.shrink();
    }

    @Override
    public Attempt begin() {
        UlfmCommunicator given = Settlement.settle(own, "beginning the program", own::beginAttempt);
        return new UlfmProgramAttempt(own, given, end);
    }

    private record UlfmProgramAttempt(UlfmCommunicator own, UlfmCommunicator communicator, UlfmEnd end)
            implements
                Attempt {
        @Override
        public boolean ends(boolean returned) {
            UlfmAttempt attempt = Objects.requireNonNull(communicator.attempt());
            if (returned) {
                UlfmEnd.Patience patience = end.new Patience();
                return decided(1, () -> patience.look(attempt::isQuiet, 0));
            }
            attempt.giveUp();
            UlfmAttempt.Answers answers = attempt.new Answers();
            return decided(0, answers::look);
        }

        private boolean decided(int flags, Runnable meanwhile) {
            Ulfm.PendingAgreement vote = null;
            try {
                vote = own.startAgreement(flags);
                while (!vote.test()) {
                    meanwhile.run();
                }
            } catch (MpiException e) {
                if (vote == null || e.meaning() != FailureMeaning.PROCESS_FAILED) {
                    throw new MpiCallException("the end of the program", e);
                }
            }
            try (Ulfm.PendingAgreement ended = vote) {
                return (ended.agreedFlags() & 1) != 0;
            }
        }
    }
}
