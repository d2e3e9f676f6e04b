package org.restorej;

import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;

/** The submissions of one store: those that are done at once, in the background, and in two steps. One thread. */
final class StoreWriter {
    /** Small enough to show progress, large enough that a round's fixed cost is a small part of it. */
    private static final long BACKGROUND_ROUND_BYTES = 16L << 20;

    private final StoreState state;
    private @Nullable StagedSubmission staged;
    private @Nullable PendingSubmit pending;

    StoreWriter(StoreState state) {
        this.state = state;
    }

    long submit(Submission submission) {
        return state.observe(StoreOperation.SUBMIT, () -> commit(whole(Long.MAX_VALUE).run(submission)));
    }

    long submitChanges(Submission changed) {
        SubmitOperation operation = changes();
        return state.observe(StoreOperation.SUBMIT_CHANGES, () -> commit(operation.run(changed)));
    }

    PendingSubmit submitAsync(Submission submission) {
        Communicator communicator = state.channel().communicator();
        PendingSubmit started = new PendingSubmit(this, whole(BACKGROUND_ROUND_BYTES), submission,
                state.monitor().begin(StoreOperation.SUBMIT), communicator.allowsConcurrentUse());
        pending = started;
        started.start();
        return started;
    }

    StagedSubmission stage(Submission submission) {
        SubmitOperation operation = whole(Long.MAX_VALUE);
        StagedSubmission received = new StagedSubmission(this,
                state.observe(StoreOperation.SUBMIT, () -> operation.run(submission)));
        staged = received;
        return received;
    }

    StagedSubmission stageChanges(Submission changed) {
        SubmitOperation operation = changes();
        StagedSubmission received = new StagedSubmission(this,
                state.observe(StoreOperation.SUBMIT_CHANGES, () -> operation.run(changed)));
        staged = received;
        return received;
    }

    private SubmitOperation whole(long roundBytes) {
        checkNothingStaged("submit");
        OperationContext context = state.context();
        return new SubmitOperation(kept("submit"), context, state.newDirectory(), roundBytes,
                new WholeStaging(context, state.newDirectory(), state.generationNumber() + 1));
    }

    private SubmitOperation changes() {
        checkNothingStaged("submitChanges");
        Generation current = state.submitted("submitChanges");
        OperationContext context = state.context();
        return new SubmitOperation(kept("submit of changes"), context, current.directory(), Long.MAX_VALUE,
                new ChangeStaging(context, current));
    }

    private String kept(String operation) {
        return operation + " of generation " + (state.generationNumber() + 1) + " (generation "
                + state.generationNumber() + " is kept)";
    }

    private long commit(StagedGeneration received) {
        state.replaceGeneration(received.commit().over(state.generation()));
        return state.generationNumber();
    }

    StoreState state() {
        return state;
    }

    void checkStaged(StagedSubmission submission) {
        if (staged != submission) {
            throw new IllegalStateException(
                    "the submission is no longer staged: it was committed, discarded, or given up "
                            + "by recover or close");
        }
    }

    void commit(StagedSubmission submission, long number) {
        staged = null;
        state.replaceGeneration(submission.generation().commit().over(state.generation()).numbered(number));
    }

    void discardStaged() {
        StagedSubmission given = staged;
        if (given != null) {
            staged = null;
            state.channel().release(given.generation().discard());
        }
    }

    void checkNothingStaged(String operation) {
        if (staged != null) {
            throw new IllegalStateException(
                    operation + " needs the staged submission to be committed or discarded first");
        }
    }

    /** Bytes of this PE's replicas that are staged. */
    long stagedBytes() {
        return staged == null ? 0 : staged.generation().bytes();
    }

    /** Waits for what is under way, and throws what that throws. */
    void awaitPending() {
        if (pending != null) {
            pending.outcome();
        }
    }

    /** Waits for what is under way; a failure is only the handle's to tell. */
    void endPending() {
        if (pending != null) {
            finish(pending);
        }
    }

    /** Notes the outcome of a submit in the background, once. */
    void finish(PendingSubmit submit) {
        if (pending == submit) {
            pending = null;
            StagedGeneration outcome = submit.join();
            state.calls().backgroundEnded();
            if (outcome != null) {
                submit.committedAs(commit(outcome));
            }
            submit.observation().note(state.snapshot(), submit.failure());
        }
    }
}
