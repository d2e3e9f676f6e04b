package org.restorej.comm.local;

import org.jspecify.annotations.Nullable;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;

/** One PE's part in a collective call of the local cluster; a barrier is one without contributions. */
final class CollectiveRequest extends LocalRequest {
    private final CollectiveRound round;
    private final Operation operation;
    private boolean judged;
    private boolean goesWrong;

    CollectiveRequest(LocalCommunicator communicator, CollectiveRound round, Operation operation) {
        super(communicator);
        this.round = round;
        this.operation = operation;
    }

    @Override
    protected boolean isDone() {
        round.checkAgreed();
        if (!round.isComplete()) {
            return false;
        }
        if (!judged) {
            judged = true;
            goesWrong = communicator().context().hasFailedMember()
                    && !communicator().context().run().network().completesDespiteFailure();
        }
        if (goesWrong) {
            communicator().failures().learnFailures();
        }
        return !goesWrong;
    }

    @Override
    protected @Nullable RuntimeException blockingFailure() {
        return communicator().failures().withGroup(this);
    }

    @Override
    protected void withdraw() {
        // Nothing to withdraw: contributions are copies.
    }

    @Override
    public String toString() {
        return operation + " that " + round.entered() + " of " + communicator().size() + " PEs have entered";
    }
}
