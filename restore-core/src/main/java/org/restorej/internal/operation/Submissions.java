package org.restorej.internal.operation;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.restorej.StoreReport.Operation;

/** The submissions of one store: those that are committed at once, and those in two steps. One thread. */
public final class Submissions {
    /** Small enough to show progress, large enough that a round's fixed cost is a small part of it. */
    private static final long BACKGROUND_ROUND_BYTES = 16L << 20;

    private final StoreState state;
    private @Nullable Staging staged;

    public Submissions(StoreState state) {
        this.state = state;
    }

    /** What a submission is of. */
    public enum Scope {
        /** All blocks. */
        ALL,
        /** All blocks, some at a time. */
        ALL_IN_ROUNDS,
        /** Those that have changed. */
        CHANGES
    }

    /** A submission that is committed at its end. */
    public SubmitOperation committing(Scope scope, @Nullable List<SubmissionEntry> entries) {
        return submission(scope, entries,
                received -> state.replaceGeneration(received.commit(state.generation())));
    }

    /** A submission that is left staged at its end. */
    public SubmitOperation staging(Scope scope, @Nullable List<SubmissionEntry> entries) {
        return submission(scope, entries, received -> staged = received);
    }

    private SubmitOperation submission(Scope scope, @Nullable List<SubmissionEntry> entries,
            Consumer<Staging> publisher) {
        if (scope == Scope.CHANGES) {
            checkNothingStaged("submitChanges");
            Generation current = state.submitted("submitChanges");
            return new SubmitOperation(Operation.SUBMIT_CHANGES, kept("submit of changes"), state,
                    current.directory(), entries, Long.MAX_VALUE, new ChangeStaging(state, current), publisher);
        }
        checkNothingStaged("submit");
        return new SubmitOperation(Operation.SUBMIT, kept("submit"), state, state.newDirectory(), entries,
                scope == Scope.ALL ? Long.MAX_VALUE : BACKGROUND_ROUND_BYTES,
                new WholeStaging(state, state.newDirectory(), state.generationNumber() + 1), publisher);
    }

    private String kept(String operation) {
        return operation + " of generation " + (state.generationNumber() + 1) + " (generation "
                + state.generationNumber() + " is kept)";
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
