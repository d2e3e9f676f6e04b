package org.restorej.comm.mpi;

import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator.Agreement;
import org.restorej.comm.Communicator.PendingAgreement;
import org.restorej.comm.RankMap;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.program.Background;

/** An agreement of the PEs alive of a group under way, about one of its communicators or whom to leave out. */
final class SimulatedPendingAgreement implements PendingAgreement {
    private final SimulatedFailures failures;
    private final Notice begun;
    /** Of the communicator that it is about. */
    private final RankMap ranks;
    private @Nullable Notice answer;

    /**
     * Begun by this PE.
     *
     * @param begun what this PE tells of it
     */
    SimulatedPendingAgreement(SimulatedFailures failures, Notice begun, RankMap ranks) {
        this.failures = failures;
        this.begun = begun;
        this.ranks = ranks;
    }

    Notice begun() {
        return begun;
    }

    /** All have agreed. */
    void agreed(Notice agreed) {
        answer = agreed;
    }

    /** The same on all PEs, with whom of the group they know to be dead then. */
    Notice answer() {
        if (answer == null) {
            throw new IllegalStateException("the PEs have not agreed yet, or test has not been called since");
        }
        return answer;
    }

    @Override
    public boolean test() {
        try {
            if (answer == null) {
                failures.look();
            }
            if (answer == null) {
                SimulatedProcess.awaitOthers();
            }
        } catch (MpiException e) {
            throw new Mpi.CallException("agree", e);
        }
        if (answer == null) {
            Background.progress();
        }
        return answer != null;
    }

    @Override
    public Agreement agreement() {
        Notice agreed = answer();
        return new Agreement(agreed.flags(),
                agreed.dead().intStream().anyMatch(deadRank -> ranks.currentRankOf(deadRank) >= 0));
    }

    @Override
    public void cancel() {
        // The others wait for it, and it uses no memory of the application.
    }
}
