package org.restorej.internal.operation;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.internal.storage.BlockLayout;
import org.restorej.internal.storage.UniformLayout;
import org.restorej.internal.storage.VariableLayout;

/**
 * One run of blocks in a submission.
 *
 * @param blocks their ids
 * @param sizes their sizes; null if all blocks of the store have the same size
 * @param source of their bytes
 */
public record SubmissionEntry(BlockRange blocks, BlockRange.@Nullable Sizes sizes, Source source) {
    /**
     * The places of the blocks, one after another. Requests the size of each block once.
     *
     * @param blockSizeBytes size of the blocks if they have no sizes
     * @param memory for the sizes
     * @throws InvalidSubmissionException when a size is invalid, when the function of sizes throws, with its exception
     *         as the cause, and when the given memory hasn't as many bytes
     */
    public BlockLayout layout(long blockSizeBytes, SegmentAllocator memory) {
        BlockLayout layout = sizes == null
                ? new UniformLayout(blocks.count(), blockSizeBytes)
                : new VariableLayout(taken(sizes, memory), memory);
        if (source instanceof Source.Bytes(MemorySegment given) && given.byteSize() != layout.bytes()) {
            throw new InvalidSubmissionException("the bytes of blocks " + blocks + " must be " + (sizes == null
                    ? blocks.count() + " times " + blockSizeBytes
                    : "as many as their sizes add up to, " + layout.bytes()) + ": byteSize=" + given.byteSize());
        }
        return layout;
    }

    private MemorySegment taken(BlockRange.Sizes requested, SegmentAllocator memory) {
        MemorySegment taken = memory.allocate(blocks.count() * VariableLayout.SIZE_BYTES);
        long total = 0;
        for (long index = 0; index < blocks.count(); index++) {
            long id = blocks.first() + index;
            long size = size(requested, id);
            if (size < 0 || size > VariableLayout.MAX_BLOCK_BYTES || total > Long.MAX_VALUE - size) {
                throw new InvalidSubmissionException("the size of block " + id + " must be in 0.."
                        + VariableLayout.MAX_BLOCK_BYTES + ", and all sizes together at most " + Long.MAX_VALUE
                        + ": size=" + size);
            }
            VariableLayout.putSize(taken, index, size);
            total += size;
        }
        return taken;
    }

    private static long size(BlockRange.Sizes requested, long id) {
        try {
            return requested.bytesOf(id);
        } catch (Throwable thrown) {
            // Any exception of the application's function becomes an error of the submission, so that no PE waits.
            InvalidSubmissionException error = new InvalidSubmissionException("asking for the size of block " + id
                    + " threw " + thrown);
            error.initCause(thrown);
            throw error;
        }
    }

    /**
     * Copies the blocks off the heap.
     *
     * @param arena owns the memory
     * @param blockSizeBytes size of the blocks if they have no sizes
     */
    public SubmissionEntry copy(Arena arena, long blockSizeBytes) {
        BlockLayout layout = layout(blockSizeBytes, arena);
        MemorySegment copied = arena.allocate(layout.bytes(), Long.BYTES);
        switch (source) {
            case Source.Refused(String complaint) -> throw new InvalidSubmissionException(complaint);
            case Source.Bytes(MemorySegment given) -> copied.copyFrom(given);
            case Source.Writer writer -> writer.write(blocks, layout, 0, copied);
        }
        return new SubmissionEntry(blocks, sizes == null ? null : id -> layout.bytes(id - blocks.first(), 1),
                new Source.Bytes(copied));
    }

    /** The source of the bytes of a run. */
    public sealed interface Source {
        /** Memory, on or off the heap. */
        record Bytes(MemorySegment segment) implements Source {}

        /** A callback that writes blocks. */
        record Writer(BlockRange.Writer writer) implements Source {
            /** As long as the copy buffer of a submit: copies and files may have longer ranges. */
            private static final long MAX_RUN_BYTES = 32L << 20;

            /**
             * Writes consecutive blocks; if they have one size, a {@link BlockRange.RunWriter} writes them together.
             *
             * @param layout that contains them
             * @param first index of the first one in the layout
             * @param bytes of these blocks, zeros
             * @throws IllegalArgumentException when the writer goes beyond the bytes that it was given
             */
            public void write(BlockRange blocks, BlockLayout layout, long first, MemorySegment bytes) {
                if (writer instanceof BlockRange.RunWriter together && layout instanceof UniformLayout) {
                    writeInRuns(together, blocks, bytes);
                    return;
                }
                long start = layout.offset(first);
                long from = 0;
                long to = 0;
                long index = 0;
                try {
                    for (; index < blocks.count(); index++) {
                        from = to;
                        to = layout.offset(first + index + 1) - start;
                        writer.write(blocks.first() + index, bytes.asSlice(from, to - from));
                    }
                } catch (IndexOutOfBoundsException beyond) {
                    throw new IllegalArgumentException("the writer of block " + (blocks.first() + index)
                            + " went beyond its " + (to - from) + " bytes: " + beyond.getMessage(), beyond);
                }
            }

            private static void writeInRuns(BlockRange.RunWriter together, BlockRange blocks, MemorySegment bytes) {
                long blockBytes = blocks.isEmpty() ? 1 : bytes.byteSize() / blocks.count();
                long most = Math.max(1, MAX_RUN_BYTES / blockBytes);
                for (long index = 0; index < blocks.count(); index += most) {
                    BlockRange run = BlockRange.of(blocks.first() + index, Math.min(most, blocks.count() - index));
                    MemorySegment ofRun = bytes.asSlice(index * blockBytes, run.count() * blockBytes);
                    try {
                        together.writeRun(run, ofRun);
                    } catch (IndexOutOfBoundsException beyond) {
                        throw new IllegalArgumentException("the writer of blocks " + run + " went beyond their "
                                + ofRun.byteSize() + " bytes: " + beyond.getMessage(), beyond);
                    }
                }
            }
        }

        /**
         * None: an error was found while the submission was created, which all PEs report.
         *
         * @param complaint the error
         */
        record Refused(String complaint) implements Source {}
    }
}
