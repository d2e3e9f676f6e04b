package org.restorej.internal.operation;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.internal.storage.VariableLayout;

/** Finds what is wrong with one PE's part of a submission before anything of it is sent. */
final class SubmissionCheck {
    private final StoreConfiguration configuration;
    private final List<String> errors = new ArrayList<>();
    private @Nullable Throwable thrown;

    private SubmissionCheck(StoreConfiguration configuration) {
        this.configuration = configuration;
    }

    /**
     * Notes all that is wrong.
     *
     * @param submitted null by mistake of the application
     */
    static void check(@Nullable List<SubmissionEntry> submitted, StoreConfiguration configuration,
            CollectiveErrors found) {
        if (submitted == null) {
            found.addOwn("submission must not be null", null);
            return;
        }
        SubmissionCheck check = new SubmissionCheck(configuration);
        submitted.forEach(check::check);
        if (!check.errors.isEmpty()) {
            found.addOwn(String.join("; ", check.errors), check.thrown);
        }
    }

    private void check(SubmissionEntry entry) {
        if (entry.source() instanceof SubmissionEntry.Source.Refused(String complaint)) {
            errors.add(complaint);
            return;
        }
        BlockRange blocks = entry.blocks();
        if (blocks.end() > configuration.blocks()) {
            errors.add("blocks must be in 0.." + (configuration.blocks() - 1) + ": " + blocks);
            return;
        }
        if (configuration.variable() != (entry.sizes() != null)) {
            errors.add(configuration.variable()
                    ? "blocks of a store with variable sizes must be added with their sizes: " + blocks
                    : "blocks of a store with one size must be added without sizes: " + blocks);
            return;
        }
        if (entry.source() instanceof SubmissionEntry.Source.Bytes(MemorySegment bytes)) {
            checkBytes(entry, bytes);
        } else if (entry.sizes() != null) {
            totalBytes(blocks, entry.sizes());
        }
    }

    private void checkBytes(SubmissionEntry entry, MemorySegment bytes) {
        BlockRange blocks = entry.blocks();
        if (!bytes.scope().isAlive() || !bytes.isAccessibleBy(Thread.currentThread())) {
            errors.add("the bytes of blocks " + blocks + " must be memory that is alive and that this thread may use");
            return;
        }
        BlockRange.Sizes sizes = entry.sizes();
        if (sizes == null) {
            if (bytes.byteSize() != blocks.count() * configuration.blockSizeBytes()) {
                errors.add("the bytes of blocks " + blocks + " must be " + blocks.count() + " times "
                        + configuration.blockSizeBytes() + ": byteSize=" + bytes.byteSize());
            }
            return;
        }
        long total = totalBytes(blocks, sizes);
        if (total >= 0 && bytes.byteSize() != total) {
            errors.add("the bytes of blocks " + blocks + " must be as many as their sizes add up to, " + total
                    + ": byteSize=" + bytes.byteSize());
        }
    }

    /** The sum of the sizes, or -1 when one of them is wrong. */
    private long totalBytes(BlockRange blocks, BlockRange.Sizes sizes) {
        long total = 0;
        for (long id = blocks.first(); id < blocks.end(); id++) {
            long size;
            try {
                size = sizes.bytesOf(id);
            } catch (Throwable failure) {
                // Whatever the application's function throws: the others are told and don't wait.
                thrown = failure;
                errors.add("asking for the size of block " + id + " threw " + failure);
                return -1;
            }
            if (size < 0 || size > VariableLayout.MAX_BLOCK_BYTES || total > Long.MAX_VALUE - size) {
                errors.add("the size of block " + id + " must be in 0.." + VariableLayout.MAX_BLOCK_BYTES
                        + ", and all sizes together at most " + Long.MAX_VALUE + ": size=" + size);
                return -1;
            }
            total += size;
        }
        return total;
    }
}
