package org.restorej.internal.operation;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.internal.operation.SubmissionEntry.Source;
import org.restorej.internal.storage.BlockLayout;
import org.restorej.internal.storage.UniformLayout;
import org.restorej.internal.storage.VariableLayout;

/**
 * One PE's part of a submission, checked before any of it is sent, and with the size of each block. Each size was
 * requested once.
 *
 * @param runs of blocks; none if there is an error
 */
record ClosedSubmission(List<Run> runs) {
    /** The part of a PE without blocks. */
    static final ClosedSubmission NONE = new ClosedSubmission(List.of());

    /**
     * A run of blocks.
     *
     * @param layout of these blocks
     * @param source of their bytes
     */
    record Run(BlockRange blocks, BlockLayout layout, Source source) {}

    /**
     * Checks a part and collects all its errors.
     *
     * @param submitted null by mistake of the application
     * @param memory for sizes, if they differ
     */
    static ClosedSubmission of(@Nullable List<SubmissionEntry> submitted, StoreConfiguration.Blocks all,
            SegmentAllocator memory, CollectiveErrors found) {
        if (submitted == null) {
            found.addOwn("submission must not be null", null);
            return NONE;
        }
        List<Run> runs = new ArrayList<>();
        List<String> errors = new ArrayList<>();
        Throwable thrown = null;
        for (SubmissionEntry entry : submitted) {
            try {
                checkFits(entry, all);
                runs.add(new Run(entry.blocks(), entry.layout(all.sizeBytes(), memory), entry.source()));
            } catch (InvalidSubmissionException error) {
                errors.add(String.valueOf(error.getMessage()));
                thrown = error.getCause() == null ? thrown : error.getCause();
            }
        }
        if (errors.isEmpty()) {
            return new ClosedSubmission(runs);
        }
        found.addOwn(String.join("; ", errors), thrown);
        return NONE;
    }

    private static void checkFits(SubmissionEntry entry, StoreConfiguration.Blocks all) {
        BlockRange blocks = entry.blocks();
        if (entry.source() instanceof Source.Refused(String complaint)) {
            throw new InvalidSubmissionException(complaint);
        }
        if (blocks.end() > all.count()) {
            throw new InvalidSubmissionException("blocks must be in 0.." + (all.count() - 1) + ": " + blocks);
        }
        if (all.variable() != (entry.sizes() != null)) {
            throw new InvalidSubmissionException(all.variable()
                    ? "blocks of a store with variable sizes must be added with their sizes: " + blocks
                    : "blocks of a store with one size must be added without sizes: " + blocks);
        }
        if (entry.source() instanceof Source.Bytes(MemorySegment given)
                && !(given.scope().isAlive() && given.isAccessibleBy(Thread.currentThread()))) {
            throw new InvalidSubmissionException("the bytes of blocks " + blocks
                    + " must be memory of an open arena that this thread may access");
        }
    }

    /** Bytes of all blocks. */
    long bytes() {
        return runs.stream().mapToLong(run -> run.layout().bytes()).sum();
    }

    /** Bytes of the largest block. */
    long largestBytes() {
        return runs.stream().mapToLong(run -> run.layout().largestBytes()).max().orElse(0);
    }

    /** The sizes of these blocks, as blocks of {@value VariableLayout#SIZE_BYTES} bytes with the same ids. */
    ClosedSubmission ofSizes() {
        return new ClosedSubmission(runs.stream().map(run -> new Run(run.blocks(),
                new UniformLayout(run.blocks().count(), VariableLayout.SIZE_BYTES),
                new Source.Bytes(((VariableLayout) run.layout()).sizes()))).toList());
    }
}
