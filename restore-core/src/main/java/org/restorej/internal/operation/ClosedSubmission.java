package org.restorej.internal.operation;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.internal.operation.SubmissionEntry.Source;
import org.restorej.internal.storage.VariableLayout;

/**
 * One PE's part of a submission, checked before any of it is sent, and with the size of each block. Each size was
 * requested once.
 *
 * @param runs of blocks; none if there is an error
 * @param bytes of all blocks
 * @param largestBytes size of the largest block
 */
record ClosedSubmission(List<SizedRun> runs, long bytes, long largestBytes) {
    /** The part of a PE without blocks. */
    static final ClosedSubmission NONE = new ClosedSubmission(List.of(), 0, 0);

    /**
     * A run of blocks.
     *
     * @param sizes as {@link VariableLayout#putSize} writes them, off-heap; null if all blocks have one size
     * @param source source of the blocks' bytes
     */
    record SizedRun(BlockRange blocks, @Nullable MemorySegment sizes, Source source) {}

    /**
     * Checks a part and collects all its errors.
     *
     * @param submitted null by mistake of the application
     * @param memory for sizes, if they differ: {@value VariableLayout#SIZE_BYTES} bytes a block
     */
    static ClosedSubmission of(@Nullable List<SubmissionEntry> submitted, StoreConfiguration.Blocks all,
            SegmentAllocator memory, CollectiveErrors found) {
        if (submitted == null) {
            found.addOwn("submission must not be null", null);
            return NONE;
        }
        Closing closing = new Closing(all, memory);
        submitted.forEach(closing::add);
        if (!closing.errors.isEmpty()) {
            found.addOwn(String.join("; ", closing.errors), closing.thrown);
            return NONE;
        }
        return new ClosedSubmission(closing.runs, closing.bytes, closing.largestBytes);
    }

    /** The sizes of these blocks, as blocks of {@value VariableLayout#SIZE_BYTES} bytes with the same ids. */
    ClosedSubmission ofSizes() {
        List<SizedRun> ofSizes = new ArrayList<>(runs.size());
        for (SizedRun run : runs) {
            MemorySegment sizes = run.sizes();
            if (sizes == null) {
                throw new IllegalStateException("all blocks have the same size: " + run.blocks());
            }
            ofSizes.add(new SizedRun(run.blocks(), null, new Source.Bytes(sizes)));
        }
        return new ClosedSubmission(ofSizes, 0, VariableLayout.SIZE_BYTES);
    }

    /** The checked entries so far. */
    private static final class Closing {
        private final StoreConfiguration.Blocks all;
        private final SegmentAllocator memory;
        private final List<SizedRun> runs = new ArrayList<>();
        private final List<String> errors = new ArrayList<>();
        private @Nullable Throwable thrown;
        private long bytes;
        private long largestBytes;

        Closing(StoreConfiguration.Blocks all, SegmentAllocator memory) {
            this.all = all;
            this.memory = memory;
        }

        private void add(SubmissionEntry entry) {
            BlockRange blocks = entry.blocks();
            BlockRange.Sizes sizes = entry.sizes();
            if (entry.source() instanceof Source.Refused(String complaint)) {
                errors.add(complaint);
            } else if (blocks.end() > all.count()) {
                errors.add("blocks must be in 0.." + (all.count() - 1) + ": " + blocks);
            } else if (all.variable() != (sizes != null)) {
                errors.add(all.variable()
                        ? "blocks of a store with variable sizes must be added with their sizes: " + blocks
                        : "blocks of a store with one size must be added without sizes: " + blocks);
            } else if (entry.source() instanceof Source.Bytes(MemorySegment given)
                    && !(given.scope().isAlive() && given.isAccessibleBy(Thread.currentThread()))) {
                errors.add("the bytes of blocks " + blocks
                        + " must be memory of an open arena that this thread may access");
            } else {
                MemorySegment taken = null;
                long total;
                if (sizes == null) {
                    total = blocks.count() * all.sizeBytes();
                    largestBytes = all.sizeBytes();
                } else {
                    taken = memory.allocate(blocks.count() * VariableLayout.SIZE_BYTES);
                    total = take(blocks, sizes, taken);
                }
                checkBytes(entry, total);
                runs.add(new SizedRun(blocks, taken, entry.source()));
                bytes += total;
            }
        }

        private void checkBytes(SubmissionEntry entry, long total) {
            if (total < 0 || !(entry.source() instanceof Source.Bytes(MemorySegment given))
                    || given.byteSize() == total) {
                return;
            }
            errors.add("the bytes of blocks " + entry.blocks() + " must be " + (entry.sizes() == null
                    ? entry.blocks().count() + " times " + all.sizeBytes()
                    : "as many as their sizes add up to, " + total) + ": byteSize=" + given.byteSize());
        }

        /** Reads the sizes. Returns their sum, or -1 if one of them is invalid. */
        private long take(BlockRange blocks, BlockRange.Sizes sizes, MemorySegment taken) {
            long total = 0;
            for (long id = blocks.first(); id < blocks.end(); id++) {
                long size;
                try {
                    size = sizes.bytesOf(id);
                } catch (Throwable failure) {
                    // Any exception of the application's function becomes an error of the submission, so that no PE
                    // waits.
                    thrown = failure;
                    errors.add("asking for the size of block " + id + " threw " + failure);
                    return -1;
                }
                if (size < 0 || size > VariableLayout.MAX_BLOCK_BYTES || total > Long.MAX_VALUE - size) {
                    errors.add("the size of block " + id + " must be in 0.." + VariableLayout.MAX_BLOCK_BYTES
                            + ", and all sizes together at most " + Long.MAX_VALUE + ": size=" + size);
                    return -1;
                }
                VariableLayout.putSize(taken, id - blocks.first(), size);
                largestBytes = Math.max(largestBytes, size);
                total += size;
            }
            return total;
        }
    }
}
