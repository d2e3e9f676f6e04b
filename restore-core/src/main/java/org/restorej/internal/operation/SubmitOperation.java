package org.restorej.internal.operation;

import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.restorej.InvalidSubmissionException;
import org.restorej.StoreReport.Operation;
import org.restorej.comm.Reduction;
import org.restorej.comm.Task;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.plan.Coverage;
import org.restorej.internal.plan.SourceRuns;
import org.restorej.internal.plan.SubmitPlanner;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.storage.VariableLayout;
import org.restorej.internal.transfer.Transfer;

/**
 * One submission, from the application's memory to staged replicas that all PEs have agreed on. What replicas are made
 * of the blocks is up to a {@link Staging}.
 */
public final class SubmitOperation extends CollectiveOperation<Staging> {
    private final @Nullable List<SubmissionEntry> submitted;
    private final long roundBytes;
    private final Staging staging;
    private final Consumer<Staging> publisher;
    private final AtomicLong submittedBytes = new AtomicLong();
    /** What is wrong on this PE, for all PEs to throw. */
    private final CollectiveErrors errors = new CollectiveErrors();
    private List<SubmissionEntry> entries = List.of();
    /** Counts what comes here, until that has been judged. */
    private @Nullable Coverage coverage;

    /**
     * A submission of all blocks or of changed ones.
     *
     * @param directory where the replicas are to be
     * @param submitted what this PE contributes, null by mistake of the application
     * @param roundBytes about how many bytes a PE submits at a time
     * @param staging takes the replicas
     * @param publisher puts them into the store when all PEs have theirs; can't fail
     */
    SubmitOperation(Operation kind, String name, StoreState state, BlockDirectory directory,
            @Nullable List<SubmissionEntry> submitted, long roundBytes, Staging staging, Consumer<Staging> publisher) {
        super(kind, name, state, directory);
        this.submitted = submitted;
        this.roundBytes = roundBytes;
        this.staging = staging;
        this.publisher = publisher;
    }

    /** Bytes of the blocks that this PE contributes. */
    public long totalBytes() {
        long bytes = 0;
        for (SubmissionEntry entry : submitted == null ? List.<SubmissionEntry>of() : submitted) {
            bytes += entry.bytes(state.configuration().blockSizeBytes());
        }
        return bytes;
    }

    /** Bytes of this PE's blocks that have been sent to all their holders; any thread. */
    public long submittedBytes() {
        return submittedBytes.get();
    }

    @Override
    void begin() {
        SubmissionCheck.check(submitted, state.configuration(), errors);
        entries = submitted != null && errors.isEmpty() ? submitted : List.of();
        coverage = new Coverage(directory().replicaMap(), directory().permutation(), state.rank());
    }

    @Override
    Task<Staging> moveSizes(PooledMemory scratch) {
        SubmissionRounds rounds = rounds(entries.stream().map(SubmissionEntry::ofSizes).toList(),
                VariableLayout.SIZE_BYTES, SubmissionRounds.SIZE_BUFFER_BYTES, scratch);
        return new Sending(rounds, staging.sizes(), false, unsealedChunks -> {
            staging.sizesComplete(unsealedChunks);
            judgeCoverage();
        });
    }

    @Override
    Task<Staging> moveBlocks(PooledMemory scratch) {
        SubmissionRounds rounds = rounds(entries, state.configuration().blockSizeBytes(),
                SubmissionRounds.BUFFER_BYTES, scratch);
        return new Sending(rounds, staging.blocks(), true, unsealedChunks -> {
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

    private SubmissionRounds rounds(List<SubmissionEntry> runs, long blockSizeBytes, long bufferLimit,
            PooledMemory scratch) {
        return new SubmissionRounds(runs, blockSizeBytes, pieceBlocks(), roundBytes, bufferLimit, scratch);
    }

    /** About how many blocks have the same holders: no more than a block range, nor than a permutation range. */
    private long pieceBlocks() {
        long rangeBlocks = directory().replicaMap().placement().blocksIn(0);
        long permuted = state.configuration().permutationRangeBlocks();
        return Math.max(1, permuted == 0 ? rangeBlocks : Math.min(permuted, rangeBlocks));
    }

    /**
     * Sends blocks, or their sizes, in rounds, until no PE has more: the collective call that ends a round also tells
     * whether there is another one.
     */
    private final class Sending implements Task<Staging> {
        private final SubmissionRounds rounds;
        private final BlockMemory memory;
        private final boolean counted;
        private final Consumer<LongSet> end;
        private final SubmitPlanner planner = new SubmitPlanner(directory(), state.peers(),
                staging.takesChecksums() && state.configuration().checksums(), coverage);
        private @Nullable Task<SubmitPlanner> round;
        /** Whether this PE, and then whether any, has more to send. */
        private final long[] more = new long[1];

        /**
         * Rounds of which none has begun.
         *
         * @param memory this PE's replicas, to be filled
         * @param counted whether what is sent counts as submitted
         * @param end called when all has come, with the chunks whose checksums have not come
         */
        Sending(SubmissionRounds rounds, BlockMemory memory, boolean counted, Consumer<LongSet> end) {
            this.rounds = rounds;
            this.memory = memory;
            this.counted = counted;
            this.end = end;
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
                if (counted && errors.isEmpty()) {
                    submittedBytes.set(rounds.submittedBytes());
                }
            } while (more[0] > 0);
            planner.withoutHolder().ifPresent(blocks -> errors.addOwn("no PE alive has a sound replica of the blocks "
                    + blocks + " any more, so they can't be changed one by one: submit all blocks", null));
            end.accept(planner.unsealedChunks());
            return true;
        }

        private Task<SubmitPlanner> nextRound() {
            SourceRuns runs = errors.isEmpty() ? nextRuns(rounds) : SourceRuns.NONE;
            more[0] = errors.isEmpty() && rounds.hasNext() ? 1 : 0;
            return Transfer.submit(state.channel(), planner, runs, memory,
                    () -> state.channel().communicator().iAllReduce(more, Reduction.MAX));
        }

        @Override
        public Staging result() {
            return staging;
        }
    }

    private SourceRuns nextRuns(SubmissionRounds rounds) {
        try {
            return rounds.next();
        } catch (Throwable failure) {
            // Whatever the application's writer throws: the others are told and don't wait.
            errors.addOwn("a block writer threw " + failure, failure);
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

    /** What is damaged of the present generation is not read for it, and stays marked. */
    @Override
    boolean repeatsAfterDamage() {
        return false;
    }

    @Override
    void discard() {
        staging.discard();
    }

    @Override
    Staging end(Staging result, boolean completeOnAll) {
        result.markDamaged(damaged());
        return result;
    }

    @Override
    void publish(Staging result) {
        publisher.accept(result);
    }
}
