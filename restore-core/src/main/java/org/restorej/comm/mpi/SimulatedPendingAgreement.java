package org.restorej.comm.mpi;

import org.jspecify.annotations.Nullable;
import org.restorej.comm.Agreement;
import org.restorej.comm.PendingAgreement;
import org.restorej.comm.RankMap;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.program.Background;

/** An agreement of the PEs alive of a group under way, about one of its communicators. */
final class SimulatedPendingAgreement implements PendingAgreement {
    private final SimulatedFailures failures;
    private final SimulatedAgreement reduction;
    /** Of the communicator that it is about. */
    private final RankMap ranks;
    private @Nullable Agreement agreement;

    SimulatedPendingAgreement(SimulatedFailures failures, SimulatedAgreement reduction, RankMap ranks) {
        this.failures = failures;
        this.reduction = reduction;
        this.ranks = ranks;
    }

    @Override
    public boolean test() {
        try {
            if (agreement == null && failures.isComplete(reduction)) {
                agreement = new Agreement(reduction.flags(), failures.someHaveFailed(reduction, ranks));
            }
        } catch (MpiException e) {
            throw new MpiCallException("agree", e);
        }
        if (agreement == null) {
            Background.progress();
        }
        return agreement != null;
    }

    @Override
    public Agreement agreement() {
        if (agreement == null) {
            throw new IllegalStateException("the PEs have not agreed yet, or test has not been called since");
        }
        return agreement;
    }

    @Override
    public void cancel() {
        UnfinishedOperations.keep(reduction.reduction());
    }
}
