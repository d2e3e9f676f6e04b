package org.restorej.comm.mpi;

import org.jspecify.annotations.Nullable;
import org.restorej.comm.RankMap;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.Ulfm;

/** An agreement of the PEs alive of a group under way, about one of its communicators or whom to leave out. */
final class SimulatedPendingAgreement implements Ulfm.PendingAgreement {
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

    /** The same on all PEs, with whom of the group they know to have failed then. */
    private Notice answer() {
        if (answer == null) {
            throw new IllegalStateException("the PEs have not agreed yet, or test has not been called since");
        }
        return answer;
    }

    /**
     * Waits for the answer.
     *
     * @param meanwhile done again and again
     */
    Notice await(Runnable meanwhile) throws MpiException {
        while (!isAnswered()) {
            meanwhile.run();
        }
        return answer();
    }

    private boolean isAnswered() throws MpiException {
        if (answer == null) {
            failures.look();
        }
        if (answer == null) {
            SimulatedProcess.awaitOthers();
        }
        return answer != null;
    }

    /**
     * {@inheritDoc} The survivors answer no PE that begins after they have heard of its failure, even if it hasn't heard
     * of that itself.
     */
    @Override
    public boolean test() throws MpiException {
        if (!isAnswered()) {
            failures.requireSelfAlive();
            return false;
        }
        if (answer().dead().intStream().anyMatch(deadRank -> ranks.currentRankOf(deadRank) >= 0)) {
            throw SimulatedComm.processFailed();
        }
        return true;
    }

    @Override
    public int agreedFlags() {
        return answer().flags();
    }

    /** It has no memory of its own. */
    @Override
    public void close() {}
}
