package org.restorej.internal.operation;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.StoreReport.Operation;

/** The submissions of one store: those that are done at once, in the background, and in two steps. One thread. */
public final class Submissions {
    /** Small enough to show progress, large enough that a round's fixed cost is a small part of it. */
    private static final long BACKGROUND_ROUND_BYTES = 16L << 20;

    private final StoreState state;
    private @Nullable Staging staged;
    private @Nullable BackgroundSubmit pending;

    public Submissions(StoreState state) {
        this.state = state;
    }

    /** A submission of all blocks, to be run. */
    public SubmitOperation ofAll(@Nullable List<SubmissionEntry> entries) {
        return ofAll(entries, Long.MAX_VALUE);
    }

    private SubmitOperation ofAll(@Nullable List<SubmissionEntry> entries, long roundBytes) {
        checkNothingStaged("submit");
        return new SubmitOperation(Operation.SUBMIT, kept("submit"), state, state.newDirectory(), entries,
                roundBytes,
                new WholeStaging(state, state.newDirectory(), state.generationNumber() + 1));
    }

    /** A submission of changed blocks, to be run. */
    public SubmitOperation ofChanges(@Nullable List<SubmissionEntry> entries) {
        checkNothingStaged("submitChanges");
        Generation current = state.submitted("submitChanges");
        return new SubmitOperation(Operation.SUBMIT_CHANGES, kept("submit of changes"), state, current.directory(),
                entries, Long.MAX_VALUE,
                new ChangeStaging(state, current));
    }

    private String kept(String operation) {
        return operation + " of generation " + (state.generationNumber() + 1) + " (generation "
                + state.generationNumber() + " is kept)";
    }

    /** Starts a submission of all blocks that goes on in the background. */
    public BackgroundSubmit start(@Nullable List<SubmissionEntry> entries) {
        return started(ofAll(entries, BACKGROUND_ROUND_BYTES), Operation.SUBMIT);
    }

    /** As {@link #start}, and leaves what it has brought staged; of all blocks, or of those that have changed. */
    public BackgroundSubmit startStaging(@Nullable List<SubmissionEntry> entries, boolean onlyChanges) {
        return onlyChanges
                ? started(ofChanges(entries).toStage(), Operation.SUBMIT_CHANGES)
                : started(ofAll(entries, BACKGROUND_ROUND_BYTES).toStage(), Operation.SUBMIT);
    }

    private BackgroundSubmit started(SubmitOperation operation, Operation kind) {
        BackgroundSubmit started = new BackgroundSubmit(this, operation, state.monitor().begin(kind));
        pending = started;
        started.start();
        return started;
    }

    /** Waits for what is under way, and throws what that throws. */
    public void awaitPending() {
        if (pending != null) {
            pending.outcome();
        }
    }

    /** Waits for what is under way; a failure is only the handle's to tell. */
    public void endPending() {
        if (pending != null) {
            end(pending);
        }
    }

    /** Waits for a submit in the background, and commits what it has staged, once. */
    void end(BackgroundSubmit submit) {
        if (pending == submit) {
            pending = null;
            submit.publish(state);
        }
    }

    /** Keeps a generation that all PEs have received, until it is committed or discarded. */
    public void stage(Staging received) {
        staged = received;
    }

    public boolean isStaged(Staging submission) {
        return staged == submission;
    }

    public void checkNothingStaged(String operation) {
        if (staged != null) {
            throw StoreState.refusedByAll(
                    operation + " needs the staged submission to be committed or discarded first");
        }
    }

    /** Makes the staged generation the one that is read, under a number that is higher than the present one. */
    public void commitStaged(long number) {
        Staging given = staged;
        if (given != null) {
            staged = null;
            state.replaceGeneration(given.commit(state.generation()).numbered(number));
        }
    }

    public void discardStaged() {
        Staging given = staged;
        if (given != null) {
            staged = null;
            state.channel().release(given::discard);
        }
    }

    /** Bytes of this PE's replicas that are staged. */
    public long stagedBytes() {
        return staged == null ? 0 : staged.bytes();
    }
}
