package org.restorej.internal.operation;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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
     * Copies the blocks off the heap.
     *
     * @param arena owns the memory
     * @param blockSizeBytes size of the blocks if they have no sizes
     */
    public SubmissionEntry copy(Arena arena, long blockSizeBytes) {
        BlockLayout layout = layout(arena, blockSizeBytes);
        MemorySegment copied = arena.allocate(layout.bytes(), Long.BYTES);
        switch (source) {
            case Source.Refused(String complaint) -> throw new InvalidSubmissionException(complaint);
            case Source.Bytes(MemorySegment given) -> {
                if (given.byteSize() != copied.byteSize()) {
                    throw new InvalidSubmissionException("blocks " + blocks + " must have " + copied.byteSize()
                            + " bytes: bytes=" + given.byteSize());
                }
                copied.copyFrom(given);
            }
            case Source.Writer writer -> writer.write(blocks, layout, copied, sizes == null);
        }
        return new SubmissionEntry(blocks, sizes == null ? null : id -> layout.bytes(id - blocks.first(), 1),
                new Source.Bytes(copied));
    }

    private BlockLayout layout(Arena arena, long blockSizeBytes) {
        if (sizes == null) {
            return new UniformLayout(blocks.count(), blockSizeBytes);
        }
        MemorySegment taken = arena.allocate(blocks.count() * VariableLayout.SIZE_BYTES);
        for (long index = 0; index < blocks.count(); index++) {
            VariableLayout.putSize(taken, index, sizes.bytesOf(blocks.first() + index));
        }
        return new VariableLayout(taken, arena);
    }

    /** The source of the bytes of a run. */
    public sealed interface Source {
        /** Memory, on or off the heap. */
        record Bytes(MemorySegment segment) implements Source {}

        /** A callback that writes blocks. */
        record Writer(BlockRange.Writer writer) implements Source {
            /**
             * Writes consecutive blocks.
             *
             * @param layout of these blocks
             * @param bytes of all of them, zeros
             * @param atOnce whether a {@link BlockRange.RunWriter} writes them together: if they were added without
             *        sizes
             * @throws IllegalArgumentException when the writer goes beyond the bytes that it was given
             */
            public void write(BlockRange blocks, BlockLayout layout, MemorySegment bytes, boolean atOnce) {
                BlockRange written = blocks;
                try {
                    if (atOnce && !blocks.isEmpty() && writer instanceof BlockRange.RunWriter together) {
                        together.writeRun(blocks, bytes);
                        return;
                    }
                    for (long index = 0; index < blocks.count(); index++) {
                        written = BlockRange.of(blocks.first() + index, 1);
                        writer.write(written.first(), layout.slice(bytes, index, 1));
                    }
                } catch (IndexOutOfBoundsException beyond) {
                    throw wentBeyond(written, layout.bytes(written.first() - blocks.first(), written.count()), beyond);
                }
            }

            private static IllegalArgumentException wentBeyond(BlockRange written, long bytes,
                    IndexOutOfBoundsException beyond) {
                return new IllegalArgumentException("the writer of " + (written.count() == 1
                        ? "block " + written + " went beyond its "
                        : "blocks " + written + " went beyond their ") + bytes + " bytes: " + beyond.getMessage(),
                        beyond);
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
