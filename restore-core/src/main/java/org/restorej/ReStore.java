package org.restorej;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.restorej.ReStoreBuilder.Fallback;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.Collective;
import org.restorej.comm.Communicator;
import org.restorej.comm.ProcessFailedException;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.internal.operation.CollectiveOperation;
import org.restorej.internal.operation.ReadDestination;
import org.restorej.internal.operation.ReadOperation;
import org.restorej.internal.operation.ReplenishOperation.Replenished;
import org.restorej.internal.operation.ReplenishOperation;
import org.restorej.internal.operation.ScrubOperation;
import org.restorej.internal.operation.Staging;
import org.restorej.internal.operation.StoreConfiguration;
import org.restorej.internal.operation.StoreState;
import org.restorej.internal.operation.SubmitOperation.Scope;
import org.restorej.internal.operation.SubmitOperation;
import org.restorej.report.StoreReport.Scrub;

/**
 * Keeps the data of an MPI program alive in the memory of its processes.
 *
 * <p>
 * The program's data are {@code B} blocks, of equal or different sizes, with ids {@code 0 .. B - 1}. {@link #submit}
 * puts a copy of each into the memory of {@code K} PEs. When PEs have failed, the survivors call {@link #recover} with
 * a communicator of their own and {@link #pull} the blocks they now need, out of memory, in milliseconds; {@link
 * #replenish} re-replicates lost copies. Where a block is follows from the failed ranks alone (Hübner et al.,
 * "ReStore: In-Memory REplicated STORagE for Rapid Recovery in Fault-Tolerant Algorithms", 2022).
 *
 * <p>
 * <b>Collective.</b> Building, submit, stage, pull, recover, replenish and scrub are called by all PEs, in the
 * same order. A process may fail at any instant: when that keeps a call from being done on every PE alive, every
 * survivor gets a {@link ProcessFailedException} (or, where nobody has failed but a PE has thrown, a {@link
 * org.restorej.comm.CommunicatorRevokedException}); the store is then as it was before on all of them, and after {@link
 * #recover} the same call can be repeated. A survivor that has met a failure outside the store and one that is inside a
 * call of the store would wait for each other: before a call of the store, the PEs must have agreed that what they did
 * before has succeeded on all, as an iteration of {@code CheckpointLoop} does at its end. What a PE alone does wrong keeps
 * nobody waiting: see {@link Collective}. Several stores may be built on one
 * communicator.
 *
 * <p>
 * <b>Memory.</b> A PE holds the blocks of {@code K} block ranges off the heap, {@code K * ceil(B / P)} blocks; twice
 * that while a new generation replaces an old one, and afterwards, since the old one's memory is kept for the next,
 * until {@link #releaseSpareMemory} or {@link #replenish}; only the changed blocks besides with {@link #submitChanges};
 * 4 bytes for each permutation range that it holds; with variable sizes 6.25 bytes a block; and less than 64 MiB of
 * buffers, or one block where that is larger, and where sizes differ 6.25 bytes for each block that is submitted. A
 * submission of all blocks takes a bit on the heap for each of {@code B / P} blocks. A pull into heap memory or a consumer takes as much again as it brings, and replenishing adds what the
 * failed PEs held. {@link #close} frees it all. What is read from the store never comes from the application's own
 * memory.
 *
 * <p>
 * <b>Threads.</b> One thread of a PE uses a store at a time, and nothing that a call of the store calls back, a block
 * writer or a fallback, calls the store. What changes something or talks to other PEs is refused otherwise, with an
 * {@link IllegalStateException} that says what is under way in which thread; the call under way goes on.
 *
 * <p>
 * <b>Integrity.</b> Each permutation range has a CRC-32C, made by the PE that submits it and checked whenever something
 * of the range is read. A replica that doesn't fit is never delivered: the read is repeated with another one, a warning
 * is logged, and the next {@link #replenish} copies a sound replica over the damaged one.
 */
public final class ReStore extends StoreView implements AutoCloseable {
    private final @Nullable Fallback fallback;

    ReStore(Meeting meeting, Communicator communicator, StoreConfiguration configuration,
            @Nullable Fallback fallback) {
        super(new StoreState(meeting, communicator, configuration));
        this.fallback = fallback;
    }

    /**
     * A builder for a store on all PEs of a communicator.
     *
     * @param communicator stays the caller's; the store makes a duplicate of it for its own messages
     */
    public static ReStoreBuilder builder(Communicator communicator) {
        return new ReStoreBuilder(communicator);
    }

    /** A builder with the settings of another one, so that who changes them leaves that one alone. */
    public static ReStoreBuilder builder(ReStoreBuilder other) {
        return other.copy();
    }

    /** Submits one range from memory on or off the heap; see {@link #submit(Submission)}. */
    @Collective
    public long submit(BlockRange blocks, MemorySegment bytes) {
        Submission submission;
        try {
            submission = new Submission().add(blocks, bytes);
        } catch (RuntimeException | OutOfMemoryError met) {
            submission = Submission.refused(met);
        }
        return submit(submission);
    }

    /** Submits one range block by block; see {@link #submit(Submission)}. */
    @Collective
    public long submit(BlockRange blocks, BlockRange.Writer writer) {
        Submission submission;
        try {
            submission = new Submission().add(blocks, writer);
        } catch (RuntimeException | OutOfMemoryError met) {
            submission = Submission.refused(met);
        }
        return submit(submission);
    }

    /**
     * Submits a new generation of all blocks. Collective; each PE contributes what it has, and together they submit
     * each id exactly once. When it returns, every PE alive has the new generation and the old one is gone; when it
     * throws, every PE alive still has the old one, and the message says so.
     *
     * @param submission this PE's part
     * @return number of the new generation
     * @throws InvalidSubmissionException on every PE, when ids are missing, out of range or submitted twice, lengths
     *         don't fit or a writer throws
     */
    @Collective
    public long submit(Submission submission) {
        try (var _ = state.begin("submit")) {
            submitting(Scope.ALL, true, submission).run();
            return generation();
        }
    }

    /**
     * Submits a new generation in which only some blocks differ from the one before; the others carry over. Collective.
     * Only the changed blocks are sent, and until all PEs have them only they take memory besides: {@code K} times
     * their bytes, over all PEs. Where sizes differ, a PE makes new copies of the block ranges that contain a changed
     * block.
     *
     * @param changed this PE's part of the changed blocks; nobody else submits the same ones
     * @return number of the new generation
     * @throws InvalidSubmissionException as {@link #submit(Submission)} does, but for missing ids; also when a changed
     *         block is lost
     * @throws IllegalStateException when nothing has been submitted
     */
    @Collective
    public long submitChanges(Submission changed) {
        try (var _ = state.begin("submitChanges")) {
            submitting(Scope.CHANGES, true, changed).run();
            return generation();
        }
    }

    /**
     * Starts to submit a new generation of all blocks, and doesn't wait for other PEs. Collective. It goes on as
     * {@link PendingOperation} says; any other call of the store first waits for the end, and throws what the
     * submit threw; {@link #recover} and {@link #close} only wait.
     *
     * @param submission this PE's part; must not change, nor its bytes, until the submit is done, nor what its writers
     *        write
     */
    @Collective
    public PendingOperation<Long> submitAsync(Submission submission) {
        try (var _ = state.begin("submitAsync")) {
            return started(submitting(Scope.ALL_IN_ROUNDS, true, submission), _ -> generation());
        }
    }

    /**
     * Brings a new generation of all blocks to their holders, without making it the one that is read: that is done by
     * {@link StagedSubmission#commitTogether}, for several stores at once. Collective. Until then the store can be
     * read, but neither submitted to nor replenished; {@link #recover} gives it up.
     */
    @Collective
    public StagedSubmission stage(Submission submission) {
        try (var _ = state.begin("stage")) {
            return staging().apply(submitting(Scope.ALL, false, submission).run());
        }
    }

    /** As {@link #stage}, of blocks that have changed; see {@link #submitChanges}. */
    @Collective
    public StagedSubmission stageChanges(Submission changed) {
        try (var _ = state.begin("stageChanges")) {
            return staging().apply(submitting(Scope.CHANGES, false, changed).run());
        }
    }

    /** Makes a staged submission of what all holders have received; its place among others is that of now. */
    private Function<Staging, StagedSubmission> staging() {
        long turn = StagedSubmission.nextTurn();
        return received -> new StagedSubmission(state, received, turn);
    }

    /**
     * Starts to submit as {@link #stage} does, and doesn't wait for other PEs. Collective; see {@link #submitAsync}.
     * Pending submissions of several stores are committed together, once each of them has been waited for.
     *
     * @param submission as of {@link #submitAsync}
     */
    @Collective
    public PendingOperation<StagedSubmission> stageAsync(Submission submission) {
        return stageAsync(Scope.ALL_IN_ROUNDS, submission);
    }

    /**
     * As {@link #stageAsync}, of changed blocks only. Collective.
     *
     * @param changed this PE's part of the changed blocks, which must not change until the submit is done
     */
    @Collective
    public PendingOperation<StagedSubmission> stageChangesAsync(Submission changed) {
        return stageAsync(Scope.CHANGES, changed);
    }

    private PendingOperation<StagedSubmission> stageAsync(Scope scope, Submission submission) {
        try (var _ = state.begin("stageAsync")) {
            return started(submitting(scope, false, submission), staging());
        }
    }

    private <R, T> PendingOperation<T> started(CollectiveOperation<R> operation, Function<R, T> value) {
        return new PendingOperation<>(state.calls().start(operation, value),
                operation instanceof SubmitOperation submit ? submit : null);
    }

    private SubmitOperation submitting(Scope scope, boolean commits, @Nullable Submission submission) {
        return SubmitOperation.of(state, scope, commits, submission == null ? null : submission.entries());
    }

    /**
     * Reads blocks. Collective; a PE that needs none calls it with {@link BlockRanges#EMPTY} and still serves others.
     *
     * @param wanted the blocks that this PE needs
     * @param destination on or off the heap, filled with the blocks in ascending order of their ids; at least as long
     *        as all of them. When a failure ends the call, its bytes are undefined, and memory off the heap must not be
     *        freed before the {@link #recover} that follows
     * @throws IrrecoverableDataLossException on every PE, when some PE wants a block that nobody has a sound replica of
     *         and that the fallback, if there is one, can't read either; every other wanted block has then been
     *        delivered. When PEs have failed before the first submission, all blocks count as lost
     * @throws IllegalArgumentException on this PE only, when an id is out of range or the destination too short
     * @throws IllegalStateException on every PE, when nothing has been submitted, nobody has failed, and some PE has no
     *         fallback or one that can't read what it wants
     */
    @Collective
    public void pull(BlockRanges wanted, MemorySegment destination) {
        try (var _ = state.begin("pull")) {
            reading(wanted, new ReadDestination.Given(destination)).run();
        }
    }

    /**
     * Reads blocks into memory that is allocated for them, of as many bytes as they have; see
     * {@link #pull(BlockRanges, MemorySegment)}.
     *
     * @param arena owns the memory; after a failure not to be closed before the next {@link #recover}
     */
    @Collective
    public PulledBlocks pull(BlockRanges wanted, Arena arena) {
        try (var _ = state.begin("pull")) {
            return new PulledBlocks(reading(wanted, new ReadDestination.Allocated(arena)).run());
        }
    }

    /**
     * Reads blocks one by one, from a buffer as large as all of them; see {@link #pull(BlockRanges, MemorySegment)}.
     *
     * @param consumer takes the blocks in ascending order of their ids, after all have arrived; not called when the
     *        pull throws
     */
    @Collective
    public void pull(BlockRanges wanted, PulledBlocks.Consumer consumer) {
        try (var _ = state.begin("pull")) {
            Arena arena = NativeMemory.openShared();
            try {
                BlockRanges asked = consumer == null ? null : wanted;
                new PulledBlocks(reading(asked, new ReadDestination.Allocated(arena)).run()).forEach(consumer);
            } finally {
                state.channel().release(arena::close);
            }
        }
    }

    private ReadOperation reading(@Nullable BlockRanges wanted, ReadDestination destination) {
        return new ReadOperation(state, ReStoreBuilder.reader(fallback, this), wanted, destination);
    }

    /**
     * Starts to pull what the next step needs, and doesn't wait for other PEs. Collective. It goes on as {@link
     * PendingOperation} says, and reads the generation that there is now; any other call of the store first waits for
     * the end, and throws what the pull threw, unless only this PE's pull threw; {@link #recover}, {@link #close} and
     * commits only wait.
     *
     * @param wanted as of {@link #pull(BlockRanges, MemorySegment)}
     * @param destination as there; not to be read, changed or freed before the pull is done. The blocks that the pull
     *        comes to are in it
     */
    @Collective
    public PendingOperation<PulledBlocks> pullAsync(BlockRanges wanted, MemorySegment destination) {
        try (var _ = state.begin("pullAsync")) {
            return started(reading(wanted, new ReadDestination.Given(destination, true)), PulledBlocks::new);
        }
    }

    /**
     * As {@link #pullAsync(BlockRanges, MemorySegment)}, into memory of an arena. Collective.
     *
     * @param wanted as of {@link #pull(BlockRanges, Arena)}
     * @param arena as there; not to be closed before the pull is done
     */
    @Collective
    public PendingOperation<PulledBlocks> pullAsync(BlockRanges wanted, Arena arena) {
        try (var _ = state.begin("pullAsync")) {
            return started(reading(wanted, new ReadDestination.Allocated(arena)), PulledBlocks::new);
        }
    }

    /**
     * Goes on with the survivors after a failure: notes which PEs have failed, and lets spares take their places.
     * Collective among the survivors; moves no data. May be called again and again, after each further failure.
     *
     * @param survivors a communicator of PEs that built the store, all alive, usually the result of
     *        {@link Communicator#shrink}; stays the caller's
     * @throws IllegalArgumentException when it has PEs that the store never knew or that have left before, naming them
     * @throws ProcessFailedException on every survivor, when one of them has failed: shrink again
     */
    @Collective
    public void recover(Communicator survivors) {
        try (var _ = state.calls().begin("recover")) {
            state.recover(survivors);
        }
    }

    /**
     * Re-replicates lost replicas, so that every block that is not lost altogether has {@code K} again, or as many as
     * PEs are alive. Collective. Copies nothing but lost replicas, to holders that the consistent-hashing ring names,
     * and sound ones over damaged ones; when a process fails meanwhile, every survivor keeps what it had before.
     *
     * @return bytes of blocks that this PE received
     */
    @Collective
    public long replenish() {
        try (var _ = state.begin("replenish")) {
            return new ReplenishOperation(state).run().receivedBytes();
        }
    }

    /**
     * Starts to replenish, and doesn't wait for other PEs. Collective. It goes on as {@link PendingOperation} says, and
     * comes to what {@link #replenish} returns; until then there are the replicas that there are now. Any other call of
     * the store first waits for the end, and throws what the replenishment threw; {@link #recover} and {@link #close}
     * only wait.
     */
    @Collective
    public PendingOperation<Long> replenishAsync() {
        try (var _ = state.begin("replenishAsync")) {
            return started(new ReplenishOperation(state), Replenished::receivedBytes);
        }
    }

    /**
     * Checks all replicas of all PEs against their checksums. Collective; takes about the time of reading them once.
     * Damaged replicas are not read any more, and replaced by the next {@link #replenish}.
     *
     * @throws IllegalStateException when nothing has been submitted
     */
    @Collective
    public Scrub scrub() {
        try (var _ = state.begin("scrub")) {
            return new ScrubOperation(state, state.submitted("scrub")).run();
        }
    }

    /**
     * Frees the memory of replaced replicas, which is otherwise kept for the next submit: for when a program submits
     * rarely and needs the memory itself meanwhile. Local, but first waits for what goes on in the background, as every
     * call does. Costs the next submit about half a second a GiB.
     */
    public void releaseSpareMemory() {
        try (var _ = state.calls().beginNext("releaseSpareMemory")) {
            state.pool().releaseSpare();
        }
    }

    /**
     * Frees the replicas, the buffers and the store's communicator. Local: waits for nobody, a submit in the background
     * excepted. After a failure without a {@link #recover} the memory stays until the process ends, or the run of a
     * {@link org.restorej.comm.local.LocalCluster}, since messages may still be under way in it.
     */
    @Override
    public void close() {
        try (var _ = state.calls().begin("close")) {
            state.close();
        }
    }
}
