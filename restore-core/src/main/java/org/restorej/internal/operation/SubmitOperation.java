package org.restorej.internal.operation;

import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.Reduction;
import org.restorej.internal.settlement.Task;
import org.restorej.internal.coding.ParityMemory;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.plan.Coverage;
import org.restorej.internal.plan.SourceRuns;
import org.restorej.internal.plan.SubmitPlanner;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.transfer.Transfer;
import org.restorej.report.StoreReport.Operation;

/**
 * Submits blocks: sends them from the application's memory into staged replicas, on which all PEs agree, and commits
 * these if requested. A {@link Staging} determines which replicas are created.
 */
public final class SubmitOperation extends CollectiveOperation<Staging> {
    /**
     * Bytes of a round of a submit in the background: small enough that no step of it takes long, large enough that a
     * round's fixed cost is small.
     */
    private static final long ROUND_BYTES = 16L << 20;

    /**
     * Bytes of a round of coded blocks, whose parity needs memory: small enough that the pool keeps that memory for the
     * next round.
     */
    private static final long CODED_ROUND_BYTES = 4L << 20;

    private final Scope scope;
    private final @Nullable List<SubmissionEntry> submitted;
    private final Staging staging;
    private final boolean commits;
    /** The commit, prepared before all PEs agree; null if the submission remains staged. */
    private @Nullable Succession succession;
    /** Errors of this PE, because of which all PEs will throw. */
    private final CollectiveErrors errors = new CollectiveErrors();
    private ClosedSubmission closed = ClosedSubmission.NONE;
    /** Records the blocks that this PE receives, until they are checked. */
    private @Nullable Coverage coverage;

    /** Which blocks are submitted, and whether in rounds. */
    public enum Scope {
        /** All blocks. */
        ALL(Operation.SUBMIT, "submit"),
        /** All blocks, in rounds. */
        ALL_IN_ROUNDS(Operation.SUBMIT, "submit"),
        /** Changed blocks only. */
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
        this.scope = scope;
        this.submitted = submitted;
        this.staging = staging;
        this.commits = commits;
    }

    /**
     * Creates a submission of all blocks, or of the changed blocks only.
     *
     * @param commits whether it is committed at its end; otherwise it remains staged
     * @param submitted this PE's contribution; if the application passed null, all PEs reject the submission
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

    /** The replicas that this PE receives. */
    public Staging staging() {
        return staging;
    }

    @Override
    void begin(PooledMemory scratch) {
        closed = ClosedSubmission.of(submitted, state.configuration().blocks(), scratch, errors);
        coverage = new Coverage(directory().replicaMap(), directory().permutation(), state.rank());
    }

    @Override
    Task<Staging> moveSizes(PooledMemory scratch) {
        SubmissionRounds rounds = rounds(closed.ofSizes(), scratch);
        return new Sending(rounds, staging.sizes(), unsealedChunks -> {
            staging.sizesComplete(unsealedChunks);
            judgeCoverage();
        });
    }

    @Override
    Task<Staging> moveBlocks(PooledMemory scratch) {
        SubmissionRounds rounds = rounds(closed, scratch);
        return new Sending(rounds, staging.blocks(), unsealedChunks -> {
            staging.blocksComplete(unsealedChunks);
            judgeCoverage();
            foundDamaged(staging.damagedChunks());
        });
    }

    /** Checks which blocks arrived. In the first pass only, since blocks arrive from the PEs that sent their sizes. */
    private void judgeCoverage() {
        if (coverage != null) {
            errors.addReceived(scope == Scope.CHANGES ? coverage.complaintOfTwice() : coverage.complaint());
            coverage = null;
        }
    }

    private long roundBytes() {
        if (state.configuration().redundancy().isCoded()) {
            return CODED_ROUND_BYTES;
        }
        return scope == Scope.ALL_IN_ROUNDS ? ROUND_BYTES : Long.MAX_VALUE;
    }

    private SubmissionRounds rounds(ClosedSubmission blocks, PooledMemory scratch) {
        return new SubmissionRounds(blocks, pieceBlocks(), roundBytes(), scratch);
    }

    /** Approximate number of successive blocks with the same holders: at most a block range and a permutation range. */
    private long pieceBlocks() {
        long rangeBlocks = directory().replicaMap().placement().blocksIn(0);
        if (state.layout().code() != null) {
            return state.layout().code().layout().cellBlocks();
        }
        long permuted = state.configuration().spread().permutationRangeBlocks();
        return Math.max(1, permuted == 0 ? rangeBlocks : Math.min(permuted, rangeBlocks));
    }

    /**
     * Sends blocks, or their sizes, in rounds, until no PE has more. The collective call at the end of a round tells
     * whether there is another one.
     */
    private final class Sending implements Task<Staging> {
        private final SubmissionRounds rounds;
        private final BlockMemory memory;
        private final Consumer<LongSet> end;
        private final SubmitPlanner planner;
        private @Nullable Task<SubmitPlanner> round;
        /** For partial sums of parity that are received in a round. */
        private @Nullable PooledMemory memoryOfRound;
        /** Whether this PE, and then whether any PE, has more to send. */
        private final long[] more = new long[1];

        /**
         * Creates the rounds without starting them.
         *
         * @param memory this PE's replicas, to be filled
         * @param end called at the end with the chunks whose checksums were not received
         */
        Sending(SubmissionRounds rounds, BlockMemory memory, Consumer<LongSet> end) {
            this.rounds = rounds;
            this.memory = memory;
            this.end = end;
            // Checksums are those of whole chunks, which a change rarely covers.
            boolean checksums = scope != Scope.CHANGES;
            planner = new SubmitPlanner(directory(), state.peers(), checksums, coverage, state.layout().code());
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
     * {@inheritDoc} Never: damaged replicas of the present generation are not read, and stay marked. But if a changed
     * block had its last replica in one of them, it would be lost in the new generation. Then all PEs throw.
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

    /** The changed blocks whose last replica was found damaged. Only chunks of changed blocks were checked. */
    private BlockRanges changedButLost() {
        return directory().lostBlocks().minus(state.readable().directory().lostBlocks());
    }

    private String withoutSoundReplica(String blocks) {
        return "no surviving PE has a sound replica of the blocks " + blocks
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
