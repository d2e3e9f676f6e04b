package org.restorej.internal.operation;

import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.Reduction;
import org.restorej.internal.settlement.Task;
import org.restorej.internal.coding.ParityMemory;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.plan.Coverage;
import org.restorej.internal.plan.Pass;
import org.restorej.internal.plan.SourceRuns;
import org.restorej.internal.plan.SubmitPlanner;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.storage.VariableLayout;
import org.restorej.internal.transfer.Transfer;
import org.restorej.report.StoreReport.Operation;

/**
 * One submission, from the application's memory to staged replicas that all PEs have agreed on. What replicas are made
 * of the blocks is up to a {@link Staging}.
 */
public final class SubmitOperation extends CollectiveOperation<Staging> {
    /** Of a submit in the background: small enough to show progress, and a round's fixed cost is a small part of it. */
    private static final long ROUND_BYTES = 16L << 20;

    /** Of coded blocks, whose parity takes memory in a round: little enough that the pool keeps it for the next one. */
    private static final long CODED_ROUND_BYTES = 4L << 20;

    private final @Nullable List<SubmissionEntry> submitted;
    private final long roundBytes;
    private final Staging staging;
    private final boolean commits;
    /** Ready when all PEs agree; null where it is to be left staged. */
    private @Nullable Succession succession;
    private final AtomicLong submittedBytes = new AtomicLong();
    private volatile long totalBytes;
    /** What is wrong on this PE, for all PEs to throw. */
    private final CollectiveErrors errors = new CollectiveErrors();
    private ClosedSubmission closed = ClosedSubmission.NONE;
    /** Counts what comes here, until that has been judged. */
    private @Nullable Coverage coverage;

    /** What a submission is of. */
    public enum Scope {
        /** All blocks. */
        ALL(Operation.SUBMIT, "submit"),
        /** All blocks, some at a time. */
        ALL_IN_ROUNDS(Operation.SUBMIT, "submit"),
        /** Those that have changed. */
        CHANGES(Operation.SUBMIT_CHANGES, "submit of changes");

        private final Operation operation;
        private final String text;

        Scope(Operation operation, String text) {
            this.operation = operation;
            this.text = text;
        }
    }

    private SubmitOperation(Scope scope, StoreState state, BlockDirectory directory,
            @Nullable List<SubmissionEntry> submitted, Staging staging, boolean commits) {
        super(scope.operation, scope.text + " of generation " + (state.generationNumber() + 1) + " (generation "
                + state.generationNumber() + " is kept)", state, directory);
        this.submitted = submitted;
        roundBytes = roundBytes(scope, state);
        this.staging = staging;
        this.commits = commits;
    }

    /**
     * A submission of all blocks or of changed ones.
     *
     * @param commits whether it is committed at its end, and not left staged
     * @param submitted what this PE contributes, null by mistake of the application
     */
    public static SubmitOperation of(StoreState state, Scope scope, boolean commits,
            @Nullable List<SubmissionEntry> submitted) {
        if (scope == Scope.CHANGES) {
            state.checkTakesChanges();
            state.checkNothingStaged("submitChanges");
            Generation current = state.submitted("submitChanges");
            return new SubmitOperation(scope, state, current.directory(), submitted, new ChangeStaging(state, current),
                    commits);
        }
        state.checkNothingStaged("submit");
        BlockDirectory directory = state.newDirectory();
        return new SubmitOperation(scope, state, directory, submitted, new WholeStaging(state, directory), commits);
    }

    /** Where this PE puts what it receives. */
    public Staging staging() {
        return staging;
    }

    /** Bytes of the blocks that this PE contributes; any thread. */
    public long totalBytes() {
        return totalBytes;
    }

    /** Bytes of this PE's blocks that have been sent to all their holders; any thread. */
    public long submittedBytes() {
        return submittedBytes.get();
    }

    @Override
    void begin(PooledMemory scratch) {
        closed = ClosedSubmission.of(submitted, state.configuration().blocks(), scratch, errors);
        totalBytes = closed.bytes();
        coverage = new Coverage(directory().replicaMap(), directory().permutation(), state.rank());
    }

    @Override
    Task<Staging> moveSizes(PooledMemory scratch) {
        SubmissionRounds rounds = rounds(closed.ofSizes(), VariableLayout.SIZE_BYTES, scratch);
        return new Sending(Pass.SIZES, rounds, staging.sizes(), unsealedChunks -> {
            staging.sizesComplete(unsealedChunks);
            judgeCoverage();
        });
    }

    @Override
    Task<Staging> moveBlocks(PooledMemory scratch) {
        SubmissionRounds rounds = rounds(closed, state.configuration().blocks().sizeBytes(), scratch);
        return new Sending(Pass.BLOCKS, rounds, staging.blocks(), unsealedChunks -> {
            staging.blocksComplete(unsealedChunks);
            judgeCoverage();
            foundDamaged(staging.damagedChunks());
        });
    }

    /** Once: the blocks have come from where their sizes have come from. */
    private void judgeCoverage() {
        if (coverage != null) {
            errors.addReceived(staging.error(coverage));
            coverage = null;
        }
    }

    private static long roundBytes(Scope scope, StoreState state) {
        if (state.configuration().redundancy().isCoded()) {
            return CODED_ROUND_BYTES;
        }
        return scope == Scope.ALL_IN_ROUNDS ? ROUND_BYTES : Long.MAX_VALUE;
    }

    private SubmissionRounds rounds(ClosedSubmission blocks, long blockSizeBytes, PooledMemory scratch) {
        return new SubmissionRounds(blocks, blockSizeBytes, pieceBlocks(), roundBytes, scratch);
    }

    /** About how many blocks have the same holders: no more than a block range, nor than a permutation range. */
    private long pieceBlocks() {
        long rangeBlocks = directory().replicaMap().placement().blocksIn(0);
        if (state.layout().code() != null) {
            return state.layout().code().layout().cellBlocks();
        }
        long permuted = state.configuration().spread().permutationRangeBlocks();
        return Math.max(1, permuted == 0 ? rangeBlocks : Math.min(permuted, rangeBlocks));
    }

    /**
     * Sends blocks, or their sizes, in rounds, until no PE has more: the collective call that ends a round also tells
     * whether there is another one.
     */
    private final class Sending implements Task<Staging> {
        private final Pass pass;
        private final SubmissionRounds rounds;
        private final BlockMemory memory;
        private final Consumer<LongSet> end;
        private final SubmitPlanner planner;
        private @Nullable Task<SubmitPlanner> round;
        /** Of partial sums of parity that come in a round. */
        private @Nullable PooledMemory memoryOfRound;
        /** Whether this PE, and then whether any, has more to send. */
        private final long[] more = new long[1];

        /**
         * Rounds of which none has begun.
         *
         * @param memory this PE's replicas, to be filled
         * @param end called when all has come, with the chunks whose checksums have not come
         */
        Sending(Pass pass, SubmissionRounds rounds, BlockMemory memory, Consumer<LongSet> end) {
            this.pass = pass;
            this.rounds = rounds;
            this.memory = memory;
            this.end = end;
            boolean checksums = staging.takesChecksums() && state.configuration().redundancy().checksums();
            planner = pass == Pass.SIZES
                    ? SubmitPlanner.ofSizes(directory(), state.peers(), checksums, coverage)
                    : new SubmitPlanner(directory(), state.peers(), checksums, coverage, state.layout().code());
        }

        @Override
        public boolean progress() {
            do {
                Task<SubmitPlanner> current = round == null ? nextRound() : round;
                round = current;
                if (!current.progress()) {
                    return false;
                }
                round = null;
                endRound();
                if (pass == Pass.BLOCKS && errors.isEmpty()) {
                    submittedBytes.set(rounds.submittedBytes());
                }
            } while (more[0] > 0);
            planner.withoutHolder().ifPresent(blocks -> errors.addOwn(withoutSoundReplica(blocks), null));
            end.accept(planner.unsealedChunks());
            return true;
        }

        private Task<SubmitPlanner> nextRound() {
            SourceRuns runs = errors.isEmpty() ? nextRuns(rounds) : SourceRuns.NONE;
            more[0] = errors.isEmpty() && rounds.hasNext() ? 1 : 0;
            if (memory instanceof ParityMemory parts) {
                PooledMemory opened = state.channel().openScratch();
                parts.beginRound(opened);
                memoryOfRound = opened;
            }
            return Transfer.submit(state.channel(), planner, runs, memory,
                    () -> state.channel().communicator().iAllReduce(more, Reduction.MAX));
        }

        private void endRound() {
            if (memory instanceof ParityMemory parts && memoryOfRound != null) {
                parts.endRound();
                state.channel().release(memoryOfRound);
            }
        }

        @Override
        public Staging result() {
            return staging;
        }
    }

    private SourceRuns nextRuns(SubmissionRounds rounds) {
        try {
            return rounds.next();
        } catch (SubmissionRounds.NotReadException failure) {
            errors.addOwn(String.valueOf(failure.getMessage()), failure.getCause());
            return SourceRuns.NONE;
        } catch (Throwable failure) {
            errors.addOwn("blocks could not be read: " + failure, failure);
            return SourceRuns.NONE;
        }
    }

    @Override
    boolean isValid() {
        return errors.isEmpty();
    }

    @Override
    Task<String> faults() {
        return errors.onAllPes(state.channel().communicator());
    }

    @Override
    RuntimeException invalid(String faults) {
        return errors.withCause(new InvalidSubmissionException(name + " refused: " + faults));
    }

    /**
     * What is damaged of the present generation is not read for it, and stays marked. But a changed block whose last
     * sound replica was thought to be there would be lost in the new generation: all PEs throw.
     */
    @Override
    boolean repeatsAfterDamage() {
        BlockRanges lost = changedButLost();
        if (!lost.isEmpty()) {
            noteDamage();
            throw new InvalidSubmissionException(name + " refused: " + withoutSoundReplica(lost.toString()));
        }
        return false;
    }

    /** The chunks of changed blocks that are lost by the damage that was found: only those have been looked at. */
    private BlockRanges changedButLost() {
        return directory().lostBlocks().minus(state.readable().directory().lostBlocks());
    }

    private String withoutSoundReplica(String blocks) {
        return "no PE alive has a sound replica of the blocks " + blocks
                + " any more, so they can't be changed one by one: submit all blocks";
    }

    @Override
    void discard() {
        staging.discard();
    }

    @Override
    void prepareEnd(Staging result) {
        result.markDamaged(damaged());
        if (commits) {
            succession = result.prepare(state.generation(), state.generationNumber() + 1);
        }
    }

    @Override
    Staging end(Staging result, boolean completeOnAll) {
        return result;
    }

    @Override
    void publish(Staging result) {
        if (succession == null) {
            state.stage(result);
        } else {
            state.commit(succession);
        }
    }
}
