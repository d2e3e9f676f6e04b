package org.restorej;

import it.unimi.dsi.fastutil.HashCommon;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Collective;
import org.restorej.internal.message.ComparedNumber;
import org.restorej.internal.settlement.Outcome;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.operation.Staging;
import org.restorej.internal.operation.StoreCalls;
import org.restorej.internal.operation.StoreState;
import org.restorej.internal.transfer.Channel;

/**
 * A new generation of one store that has reached all its holders and is not yet committed. Generations of several
 * stores are committed together. A store has at most one staged submission. Not thread-safe.
 */
public final class StagedSubmission {
    /** Flag of the agreement: the submissions are to be committed; without it, to be discarded. */
    private static final int COMMITS = 1 << 1;
    private static final int DISCARDS = 1 << 2;

    private static final String NOT_STAGED = "the submission is no longer staged: it was committed, discarded, or given "
            + "up by recover or close, or another thread has staged it than the first one";

    /**
     * What a thread has staged, in the order in which staging was started. That order is the same on all PEs, although
     * pending submissions may be awaited in any order.
     */
    private static final class Staged {
        private final ArrayList<StagedSubmission> submissions = new ArrayList<>();
        private final Meeting meeting = new Meeting();
        private long begun;
        /** Number of started submissions that were not received. The list has capacity for all of them. */
        private int awaited;
    }

    private static final ThreadLocal<Staged> STAGED = ThreadLocal.withInitial(Staged::new);

    private final StoreState store;
    private final Staging staging;
    /** The thread's submissions, of which this is one. */
    private final Staged owner = STAGED.get();
    /** Its position among all submissions that the thread stages. */
    private final long turn = ++owner.begun;
    private final List<StagedSubmission> alone = Collections.singletonList(this);

    /** Creates a submission whose staging starts now. */
    StagedSubmission(StoreState store, Staging staging) {
        this.store = store;
        this.staging = staging;
        forgetEnded(owner.submissions);
        owner.submissions.ensureCapacity(owner.submissions.size() + ++owner.awaited);
    }

    /** Adds it to the staged submissions when all holders have received it. Allocates nothing. */
    StagedSubmission received() {
        List<StagedSubmission> together = owner.submissions;
        forgetEnded(together);
        owner.awaited--;
        int place = together.size();
        while (place > 0 && together.get(place - 1).turn > turn) {
            place--;
        }
        together.add(place, this);
        return this;
    }

    private boolean isStaged() {
        return store.isStaged(staging);
    }

    /**
     * Commits the staged generations of several stores, or none of them. Collective. All of them then have the same
     * number, one more than the highest number that one of the stores had before.
     *
     * @param staged at least one, of different stores on the same PEs; the same on every PE, in any order, and staged
     *        by one thread
     * @return number of the new generations
     * @throws IllegalArgumentException when this PE passes none, null, or two of the same store; nothing is committed,
     *         and all remain staged
     * @throws IllegalStateException when one is no longer staged, or when another PE commits others or discards;
     *         nothing is committed or discarded
     * @throws org.restorej.comm.ProcessFailedException on every survivor, when a PE fails before the agreement;
     *         all stores keep their previous generations
     */
    @Collective
    public static long commitTogether(List<StagedSubmission> staged) {
        List<StagedSubmission> together = staged == null || staged.isEmpty() || staged.getFirst() == null
                ? STAGED.get().submissions
                : staged.getFirst().owner.submissions;
        return end("commitTogether", COMMITS, staged, together);
    }

    /** Discards this submission; the store keeps its generation. Collective, and throws as {@link #commitTogether}. */
    @Collective
    public void discard() {
        end("discard", DISCARDS, alone, owner.submissions);
    }

    /**
     * Settles on the store that was first staged of those that still are, whatever this PE was given, so that all PEs
     * use the same communicator.
     */
    private static long end(String operation, int kind, @Nullable List<StagedSubmission> chosen,
            List<StagedSubmission> together) {
        forgetEnded(together);
        if (together.isEmpty()) {
            // No PE has staged anything, so no PE waits.
            throw new IllegalStateException(NOT_STAGED);
        }
        Channel channel = together.getFirst().store.channel();
        // Nothing is allocated before this: a PE with a full heap must reach the agreement too.
        try (Meeting meeting = STAGED.get().meeting.at(channel.communicator())) {
            return settle(operation, kind, chosen, together, meeting, channel);
        } finally {
            forgetEnded(together);
        }
    }

    private static long settle(String operation, int kind, @Nullable List<StagedSubmission> chosen,
            List<StagedSubmission> together, Meeting meeting, Channel channel) {
        List<StoreCalls.Call> calls = new ArrayList<>();
        try {
            int flags = 0;
            RuntimeException refusal = null;
            List<StagedSubmission> ended = List.of();
            long number = 0;
            try {
                together.forEach(each -> calls.add(each.store.calls().begin(operation)));
                ended = checked(chosen, together);
                number = kind == COMMITS ? prepareCommit(ended) : 0;
                flags = kind | ComparedNumber.flagsOfDigest(digest(ended, together));
            } catch (RuntimeException wrong) {
                refusal = wrong;
            }
            Outcome<Integer> mine = new Outcome<>(flags, kind);
            int agreed = meeting.settle(channel, operation, () -> mine).flags();
            if (refusal != null) {
                throw refusal;
            }
            if (agreed != flags) {
                throw new IllegalStateException(operation + " must be called by all PEs, for the same submissions: "
                        + "another PE has called it for others, or with a wrong argument, or something else instead; "
                        + "all remain staged");
            }
            // All PEs have agreed. The loop allocates nothing, so a full heap can't stop this PE here.
            for (int index = 0; index < ended.size(); index++) {
                ended.get(index).end(kind);
            }
            return number;
        } finally {
            for (int index = 0; index < calls.size(); index++) {
                calls.get(index).close();
            }
        }
    }

    /** Allocates nothing, so that it works with a full heap. */
    private static void forgetEnded(List<StagedSubmission> together) {
        for (int index = together.size() - 1; index >= 0; index--) {
            if (!together.get(index).isStaged()) {
                together.remove(index);
            }
        }
    }

    private static List<StagedSubmission> checked(@Nullable List<StagedSubmission> chosen,
            List<StagedSubmission> together) {
        if (chosen == null || chosen.isEmpty()) {
            throw new IllegalArgumentException("staged must have at least one submission: staged=" + chosen);
        }
        if (chosen.stream().anyMatch(Objects::isNull)) {
            throw new IllegalArgumentException("staged must not contain null");
        }
        if (chosen.stream().map(each -> each.store).distinct().count() < chosen.size()) {
            throw new IllegalArgumentException("staged must be of different stores: one of them is there twice");
        }
        if (!together.containsAll(chosen)) {
            throw new IllegalStateException(NOT_STAGED);
        }
        return List.copyOf(chosen);
    }

    /** Of the positions of the chosen submissions among all that are staged, in whatever order. */
    private static int digest(List<StagedSubmission> chosen, List<StagedSubmission> together) {
        return chosen.stream().mapToInt(each -> HashCommon.murmurHash3(together.indexOf(each) + 1)).sum();
    }

    /** Prepares the commit and returns the number of the new generations. */
    private static long prepareCommit(List<StagedSubmission> chosen) {
        long number = 0;
        for (StagedSubmission each : chosen) {
            number = Math.max(number, each.store.generationNumber() + 1);
        }
        for (StagedSubmission each : chosen) {
            each.store.prepareStaged(number);
        }
        return number;
    }

    private void end(int kind) {
        if (kind == COMMITS) {
            store.commitStaged();
        } else {
            store.discardStaged();
        }
    }
}
