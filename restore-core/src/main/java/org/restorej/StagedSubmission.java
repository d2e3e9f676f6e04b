package org.restorej;

import java.util.ArrayList;
import java.util.List;
import org.restorej.comm.Settlement;
import org.restorej.internal.operation.Staging;
import org.restorej.internal.operation.StoreCalls;
import org.restorej.internal.operation.StoreState;
import org.restorej.internal.operation.Submissions;

/**
 * A new generation of one store that has reached all its holders and that nobody reads yet, until it is committed,
 * together with those of other stores. A store has at most one. One thread.
 */
public final class StagedSubmission {
    private final StoreState store;
    private final Submissions submissions;
    private final Staging staging;

    StagedSubmission(StoreState store, Submissions submissions, Staging staging) {
        this.store = store;
        this.submissions = submissions;
        this.staging = staging;
    }

    /**
     * Makes the staged generations of several stores new together, or none of them. Collective. All of them then have
     * the same number, one more than the highest that one of the stores had before.
     *
     * @param staged at least one, of different stores on the same PEs; the same stores in the same order on every PE
     * @return number of the new generations
     * @throws IllegalStateException when one of them is no longer staged
     * @throws org.restorej.comm.ProcessFailedException on every survivor, when a process has died before all knew that
     *         all have everything; all stores still have the generations that they had
     */
    public static long commitTogether(List<StagedSubmission> staged) {
        if (staged.isEmpty()) {
            throw new IllegalArgumentException("staged must have at least one submission: it has none");
        }
        if (staged.stream().map(each -> each.store).distinct().count() < staged.size()) {
            throw new IllegalArgumentException("staged must be of different stores: one of them is there twice");
        }
        List<StoreCalls.Call> calls = new ArrayList<>();
        try {
            for (StagedSubmission each : staged) {
                calls.add(each.store.calls().begin("commitTogether"));
            }
            return commit(staged);
        } finally {
            calls.forEach(StoreCalls.Call::close);
        }
    }

    private static long commit(List<StagedSubmission> staged) {
        long number = 0;
        for (StagedSubmission each : staged) {
            each.submissions.checkStaged(each.staging);
            number = Math.max(number, each.store.generationNumber() + 1);
        }
        staged.getFirst().store.channel().settle("commit of generation " + number,
                () -> Settlement.Outcome.of(true));
        for (StagedSubmission each : staged) {
            each.submissions.commitStaged(number);
        }
        return number;
    }

    /** Gives it up: the store keeps the generation that it has. Called by all PEs. */
    public void discard() {
        try (var _ = store.calls().begin("discard")) {
            submissions.checkStaged(staging);
            submissions.discardStaged();
        }
    }
}
