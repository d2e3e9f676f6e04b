package org.restorej;

import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Settlement;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.plan.Coverage;
import org.restorej.internal.plan.SourceRun;
import org.restorej.internal.plan.SubmitPlanner;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.VariableLayout;
import org.restorej.internal.transfer.DamageReport;
import org.restorej.internal.transfer.TransferEngine;

/**
 * One submission, from the application's memory to staged replicas that all PEs have agreed on. What replicas are made
 * of the blocks is up to a {@link Staging}.
 *
 * <p>
 * What is wrong on one PE, an id out of range or a writer that throws, keeps nobody waiting: that PE goes on without
 * contributing, and at the end all PEs learn what each had to complain of. Blocks of different sizes come in two
 * passes: their sizes first, as blocks of {@value VariableLayout#SIZE_BYTES} bytes, then the bytes.
 */
final class SubmitOperation {
    private final String name;
    private final OperationContext context;
    private final BlockDirectory directory;
    private final long roundBytes;
    private final Staging staging;
    private final Complaint complaint = new Complaint();
    private final AtomicLong submittedBytes = new AtomicLong();

    /** Where the replicas of a submission are put until it is committed. */
    interface Staging {
        /** Memory for the sizes of blocks, where they differ. */
        BlockMemory sizes();

        /** Memory for the blocks, made when all sizes are known. */
        BlockMemory blocks();

        /** Whether the memory has room for checksums that come with the blocks. */
        boolean takesChecksums();

        /** What is wrong with the blocks that have come to this PE. */
        Optional<String> complaint(Coverage coverage);

        /** Completes sizes, with the chunks whose checksums have not come. */
        void sizesComplete(LongSet unsealedChunks);

        /** Completes the blocks. */
        void blocksComplete(LongSet unsealedChunks);

        /** Chunks of which only a part is replaced and whose old bytes don't fit their checksum. */
        LongSet damagedChunks();

        /** The new generation; called when all PEs have theirs. */
        StagedGeneration staged(DamagedReplicas damaged);

        /** Frees everything. */
        void discard();
    }

    /**
     * A submission.
     *
     * @param directory where the replicas are to be
     * @param roundBytes about how many bytes a PE submits at a time
     * @param staging takes the replicas
     */
    SubmitOperation(String name, OperationContext context, BlockDirectory directory, long roundBytes,
            Staging staging) {
        this.name = name;
        this.context = context;
        this.directory = directory;
        this.roundBytes = roundBytes;
        this.staging = staging;
    }

    /** Bytes of the blocks that a PE contributes. */
    long bytesOf(Submission submission) {
        long bytes = 0;
        for (Submission.Entry entry : submission.entries()) {
            bytes += entry.bytes(context.configuration().blockSizeBytes());
        }
        return bytes;
    }

    /** Bytes of this PE's blocks that have been sent to all their holders; any thread. */
    long submittedBytes() {
        return submittedBytes.get();
    }

    /** Runs it. Collective. When it returns, every PE alive has its part of the new generation. */
    StagedGeneration run(Submission submission) {
        SubmissionCheck.complain(submission, context.configuration(), complaint);
        List<Submission.Entry> entries = complaint.isEmpty() ? submission.entries() : List.of();
        // Outlive the exchange, which may leave messages under way that are sent from their staging.
        SubmissionRounds sizeRounds = rounds(SizeEntries.of(entries), VariableLayout.SIZE_BYTES,
                SubmissionRounds.SIZE_STAGING_BYTES);
        SubmissionRounds blockRounds = rounds(entries, context.configuration().blockSizeBytes(),
                SubmissionRounds.STAGING_BYTES);
        try {
            int flags = context.channel().settle(name, () -> {
                stage(sizeRounds, blockRounds);
                return Settlement.flags(complaint.isEmpty(), true, staging.damagedChunks().isEmpty());
            });
            if ((flags & Settlement.VALID) == 0) {
                throw complaint.refusal(name, context.channel());
            }
            return staging.staged((flags & Settlement.SOUND) != 0
                    ? directory.damaged()
                    : DamageReport.exchange(context.channel(), directory.damaged(),
                            context.originalRank(), staging.damagedChunks()));
        } catch (Throwable failure) {
            context.channel().release(staging::discard);
            throw failure;
        } finally {
            context.channel().release(sizeRounds::close);
            context.channel().release(blockRounds::close);
        }
    }

    private SubmissionRounds rounds(List<Submission.Entry> entries, long blockSizeBytes, long stagingLimit) {
        return new SubmissionRounds(entries, blockSizeBytes, pieceBlocks(), roundBytes, stagingLimit,
                context.channel().openScratch());
    }

    /** About how many blocks have the same holders: no more than a block range, nor than a permutation range. */
    private long pieceBlocks() {
        long rangeBlocks = directory.residency().placement().blocksIn(0);
        long permuted = context.configuration().permutationRangeBlocks();
        return Math.max(1, permuted == 0 ? rangeBlocks : Math.min(permuted, rangeBlocks));
    }

    /** Memory is taken in here, since a PE that has none left must tell the others. */
    private void stage(SubmissionRounds sizeRounds, SubmissionRounds blockRounds) {
        Coverage coverage = new Coverage(directory.residency(), directory.permutation(), context.originalRank());
        if (context.configuration().variable()) {
            staging.sizesComplete(stage(sizeRounds, staging.sizes(), staging.takesChecksums(), coverage, false));
            complaint.ofWhatCame(staging.complaint(coverage));
            if (context.anywhere(!complaint.isEmpty())) {
                // Without all sizes nobody knows how long the blocks are.
                return;
            }
            staging.blocksComplete(stage(blockRounds, staging.blocks(), staging.takesChecksums(), null, true));
        } else {
            staging.blocksComplete(stage(blockRounds, staging.blocks(), staging.takesChecksums(), coverage, true));
            complaint.ofWhatCame(staging.complaint(coverage));
        }
    }

    private LongSet stage(SubmissionRounds rounds, BlockMemory memory, boolean checksums, @Nullable Coverage coverage,
            boolean counted) {
        boolean seals = checksums && context.configuration().checksums();
        SubmitPlanner planner = new SubmitPlanner(directory, context.peers(), seals, coverage);
        TransferEngine engine = new TransferEngine(context.channel());
        do {
            engine.submit(planner, complaint.isEmpty() ? nextRuns(rounds) : List.of(), memory);
            if (counted && complaint.isEmpty()) {
                submittedBytes.set(rounds.submittedBytes());
            }
        } while (context.anywhere(complaint.isEmpty() && rounds.hasNext()));
        complaint
                .ofThisPe(
                        planner.withoutHolder().map(blocks -> "no PE alive has a sound replica of the blocks " + blocks
                                + " any more, so they can't be changed one by one: submit all blocks").orElse(null),
                        null);
        return planner.unsealedChunks();
    }

    private List<SourceRun> nextRuns(SubmissionRounds rounds) {
        try {
            return rounds.next();
        } catch (Throwable failure) {
            // Whatever the application's writer throws: the others are told and don't wait.
            complaint.ofThisPe("a block writer threw " + failure, failure);
            return List.of();
        }
    }
}
