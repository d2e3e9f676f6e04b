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
import org.restorej.internal.operation.LostBlockReader;
import org.restorej.internal.operation.ReadOperation;
import org.restorej.internal.operation.ReplenishOperation.Replenished;
import org.restorej.internal.operation.ReplenishOperation;
import org.restorej.internal.operation.ScrubOperation;
import org.restorej.internal.operation.StoreConfiguration;
import org.restorej.internal.operation.StoreState;
import org.restorej.internal.operation.SubmitOperation.Scope;
import org.restorej.internal.operation.SubmitOperation;
import org.restorej.report.StoreReport.Scrub;

/**
 * Keeps replicas of the data of an MPI program in the memory of its ranks, so that the data survive failures.
 *
 * <p>
 * The data are {@code B} blocks with ids {@code 0 .. B - 1}, of equal or different sizes. {@link #submit} copies each
 * block into the memory of {@code K} PEs. A <em>PE</em> is a rank of an MPI job or, without MPI, a thread. After a
 * failure the survivors call {@link #recover} with a communicator without the failed PEs, and {@link #pull} the blocks
 * that they now need, in milliseconds. {@link #replenish} re-replicates lost replicas. The holders of a block are
 * computed from the failed ranks alone (Hübner et al., "ReStore: In-Memory REplicated STORagE for Rapid Recovery in
 * Fault-Tolerant Algorithms", 2022).
 *
 * <p>
 * <b>Collective.</b> Building, submit, stage, pull, recover, replenish and scrub are called by all PEs in the same
 * order. A PE may fail at any time. If a call then can't be completed on all survivors, every survivor gets a
 * {@link ProcessFailedException} or, if a PE has thrown and none has failed, a
 * {@link org.restorej.comm.CommunicatorRevokedException}. The store is then unchanged on all survivors, and the call
 * can be repeated after {@link #recover}. An invalid argument on one PE doesn't block the other PEs: see
 * {@link Collective}.
 *
 * <p>
 * Before a call of the store, the PEs must have agreed that their work outside the store has succeeded on all of them,
 * as {@code CheckpointLoop} does at the end of each iteration. Otherwise a PE that handles a failure and a PE inside
 * the store's call may wait for each other. Several stores may be built on one communicator.
 *
 * <p>
 * <b>Memory.</b> Off the heap, a PE holds:
 * <ul>
 * <li>the blocks of {@code K} block ranges, {@code K * ceil(B / P)} blocks; twice as much from the second submission
 * on, because the memory of the previous generation is kept for the next one until {@link #releaseSpareMemory} or
 * {@link #replenish}. {@link #submitChanges} adds only the changed blocks;
 * <li>4 bytes for each permutation range that it holds;
 * <li>with variable sizes, 6.25 bytes for each block that it holds and, during a submission, that it submits;
 * <li>less than 64 MiB of buffers, or one block if that is larger.
 * </ul>
 * On the heap, submitting all blocks takes {@code B / P} bits. A pull into heap memory or into a consumer needs a
 * buffer of the size of the result, and replenishing adds what the failed PEs held. {@link #close} frees everything.
 * What is read from the store is never the application's own memory.
 *
 * <p>
 * <b>Threads.</b> One thread of a PE uses a store at a time, and callbacks of the store (a block writer or a fallback)
 * must not call it. A call that violates this throws an {@link IllegalStateException} with the operation and thread
 * that are under way, which continue.
 *
 * <p>
 * <b>Integrity.</b> Each permutation range has a CRC-32C, computed by the PE that submits it and checked at each read.
 * A damaged replica is never delivered: the read is repeated from another one, a warning is logged, and the next
 * {@link #replenish} replaces the damaged replica.
 */
public final class ReStore extends StoreView implements AutoCloseable {
    private final @Nullable Fallback fallback;

    ReStore(Meeting meeting, Communicator communicator, StoreConfiguration configuration,
            @Nullable Fallback fallback) {
        super(new StoreState(meeting, communicator, configuration));
        this.fallback = fallback;
    }

    /**
     * Creates a builder for a store on all PEs of a communicator.
     *
     * @param communicator stays the caller's; the store duplicates it for its own messages
     */
    public static ReStoreBuilder builder(Communicator communicator) {
        return new ReStoreBuilder(communicator);
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
     * Submits a new generation of all blocks. Collective. Each PE contributes its blocks, and together they submit each
     * id exactly once. When it returns, every survivor has the new generation, which replaces the previous one. When it
     * throws, every survivor still has the previous one, and the message says so.
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
     * Submits a new generation that differs from the previous one in some blocks; the others carry over. Collective.
     * Only the changed blocks are sent. Until the commit they take additional memory: {@code K} times their bytes, over
     * all PEs. For stores that have replicas of blocks of one size.
     *
     * @param changed this PE's part of the changed blocks; no other PE submits the same ones
     * @return number of the new generation
     * @throws InvalidSubmissionException as {@link #submit(Submission)} does, except for missing ids; also when a
     *         changed block is lost
     * @throws IllegalStateException when nothing has been submitted, and where blocks are coded or differ in size
     */
    @Collective
    public long submitChanges(Submission changed) {
        try (var _ = state.begin("submitChanges")) {
            submitting(Scope.CHANGES, true, changed).run();
            return generation();
        }
    }

    /**
     * Starts to submit a new generation of all blocks, without waiting for other PEs. Collective. For its progress see
     * {@link PendingOperation}. Any other call of the store first waits for its end and throws what the submit threw;
     * {@link #recover} and {@link #close} only wait.
     *
     * @param submission this PE's part; neither it, nor its bytes, nor what its writers write may change until the
     *        submit is done
     */
    @Collective
    public PendingOperation<Long> submitAsync(Submission submission) {
        try (var _ = state.begin("submitAsync")) {
            return started(submitting(Scope.ALL_IN_ROUNDS, true, submission), _ -> generation());
        }
    }

    /**
     * Brings a new generation of all blocks to their holders without committing it.
     * {@link StagedSubmission#commitTogether} commits those of several stores at once. Collective. Until then the store
     * still reads the previous generation, and can neither be submitted to nor replenished; {@link #recover} discards
     * the staged generation.
     */
    @Collective
    public StagedSubmission stage(Submission submission) {
        try (var _ = state.begin("stage")) {
            return staged(submitting(Scope.ALL, false, submission));
        }
    }

    /** Stages a new generation in which some blocks have changed; see {@link #stage} and {@link #submitChanges}. */
    @Collective
    public StagedSubmission stageChanges(Submission changed) {
        try (var _ = state.begin("stageChanges")) {
            return staged(submitting(Scope.CHANGES, false, changed));
        }
    }

    private StagedSubmission staged(SubmitOperation operation) {
        StagedSubmission staged = new StagedSubmission(state, operation.staging());
        operation.run();
        return staged.received();
    }

    /**
     * Starts to {@link #stage} without waiting for other PEs. Collective; see {@link #submitAsync}. Pending submissions
     * of several stores can be committed together after each has been awaited.
     *
     * @param submission as in {@link #submitAsync}
     */
    @Collective
    public PendingOperation<StagedSubmission> stageAsync(Submission submission) {
        try (var _ = state.begin("stageAsync")) {
            SubmitOperation operation = submitting(Scope.ALL_IN_ROUNDS, false, submission);
            StagedSubmission staged = new StagedSubmission(state, operation.staging());
            return started(operation, _ -> staged.received());
        }
    }

    private <R, T> PendingOperation<T> started(CollectiveOperation<R> operation, Function<R, T> value) {
        return new PendingOperation<>(state.calls().start(operation, value));
    }

    private SubmitOperation submitting(Scope scope, boolean commits, @Nullable Submission submission) {
        return SubmitOperation.of(state, scope, commits, submission == null ? null : submission.entries());
    }

    /**
     * Reads blocks. Collective; a PE that needs none passes {@link BlockRanges#EMPTY} and still serves others.
     *
     * @param wanted the blocks that this PE needs
     * @param destination on or off the heap, filled with the blocks in ascending order of their ids; at least as long
     *        as all of them. When a failure ends the call, its bytes are undefined, and memory off the heap must not
     *        be freed before the next {@link #recover}
     * @throws IrrecoverableDataLossException on every PE, when a PE requests a block of which no sound replica is left
     *         and that the fallback, if there is one, can't read; all other requested blocks have then been delivered.
     *         If PEs fail before the first submission, all blocks count as lost
     * @throws IllegalArgumentException on this PE only, when an id is out of range or the destination too short
     * @throws IllegalStateException on every PE, when nothing has been submitted, no PE has failed, and some PE has no
     *         fallback or one that can't read the requested blocks
     */
    @Collective
    public void pull(BlockRanges wanted, MemorySegment destination) {
        try (var _ = state.begin("pull")) {
            ReadOperation.into(state, fallbackReader(), wanted, destination).run();
        }
    }

    /**
     * Reads blocks into newly allocated memory of exactly their size; see {@link #pull(BlockRanges, MemorySegment)}.
     *
     * @param arena owns the memory; after a failure it must not be closed before the next {@link #recover}
     */
    @Collective
    public PulledBlocks pull(BlockRanges wanted, Arena arena) {
        try (var _ = state.begin("pull")) {
            return new PulledBlocks(ReadOperation.allocating(state, fallbackReader(), wanted, arena).run());
        }
    }

    /**
     * Reads blocks into a buffer of their size and passes them one by one; see
     * {@link #pull(BlockRanges, MemorySegment)}.
     *
     * @param consumer takes the blocks in ascending order of their ids, after all have arrived; not called if the pull
     *        throws
     */
    @Collective
    public void pull(BlockRanges wanted, PulledBlocks.Consumer consumer) {
        try (var _ = state.begin("pull")) {
            Arena arena = NativeMemory.openShared();
            try {
                BlockRanges asked = consumer == null ? null : wanted;
                new PulledBlocks(ReadOperation.allocating(state, fallbackReader(), asked, arena).run())
                        .forEach(consumer);
            } finally {
                state.channel().release(arena::close);
            }
        }
    }

    private LostBlockReader fallbackReader() {
        return ReStoreBuilder.reader(fallback, this);
    }

    /**
     * Continues with the survivors after a failure: records which PEs have failed, and lets spares take their ranks.
     * Collective among the survivors; moves no data. Called again after each further failure.
     *
     * @param survivors a communicator of PEs that built the store and have not failed, usually the result of
     *        {@link Communicator#shrink}; stays the caller's
     * @throws IllegalArgumentException when it has PEs that have not built the store or that have left it, naming them
     * @throws ProcessFailedException on every survivor, when one of them has failed: shrink again
     */
    @Collective
    public void recover(Communicator survivors) {
        try (var _ = state.calls().begin("recover")) {
            state.recover(survivors);
        }
    }

    /**
     * Re-replicates lost and damaged replicas, so that every block that is not lost has {@code K} again, or as many as
     * there are survivors. Collective. Copies only these replicas, to holders that the consistent-hashing ring selects.
     * If a PE fails meanwhile, every survivor keeps the replicas that it had before.
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
     * Starts to {@link #replenish}, without waiting for other PEs. Collective. For its progress see
     * {@link PendingOperation}; until its end the current replicas are used. Any other call of the store first waits
     * for its end and throws what it threw; {@link #recover} and {@link #close} only wait.
     *
     * @return the pending operation, with the result of {@link #replenish}
     */
    @Collective
    public PendingOperation<Long> replenishAsync() {
        try (var _ = state.begin("replenishAsync")) {
            return started(new ReplenishOperation(state), Replenished::receivedBytes);
        }
    }

    /**
     * Checks all replicas of all PEs against their checksums. Collective; takes about as long as reading them once.
     * Damaged replicas are no longer read, and the next {@link #replenish} replaces them.
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
     * Frees the memory of previous generations and the copy buffer, which are otherwise kept for the next submission.
     * For programs that submit rarely and need the memory meanwhile. Local, but first waits for the store's background
     * operations. The next submission takes about half a second a GiB longer.
     */
    public void releaseSpareMemory() {
        try (var _ = state.calls().beginNext("releaseSpareMemory")) {
            state.pool().releaseSpare();
        }
    }

    /**
     * Frees the replicas, the buffers and the store's communicator. Local: waits only for a submit in the background.
     * After a failure without a {@link #recover} messages may still be in flight, so the memory stays allocated until
     * the end of the process, or of the run of a {@link org.restorej.comm.local.LocalCluster}.
     */
    @Override
    public void close() {
        try (var _ = state.calls().begin("close")) {
            state.close();
        }
    }
}
