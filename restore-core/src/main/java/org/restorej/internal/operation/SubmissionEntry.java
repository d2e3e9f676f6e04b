package org.restorej.internal.operation;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.internal.storage.VariableLayout;

/**
 * One run of blocks that a PE submits.
 *
 * @param blocks their ids
 * @param sizes their sizes, null where all blocks of the store have the same
 * @param source where their bytes come from
 */
public record SubmissionEntry(BlockRange blocks, BlockRange.@Nullable Sizes sizes, Source source) {
    /** Where the bytes of a run come from. */
    public sealed interface Source {
        /** Memory that has them, on or off the heap. */
        record Bytes(MemorySegment segment) implements Source {}

        /** A callback that writes them block by block. */
        record Writer(BlockRange.Writer writer) implements Source {}

        /**
         * Nowhere: the submission was found wrong while it was collected, which all PEs are told.
         *
         * @param complaint what is wrong
         */
        record Refused(String complaint) implements Source {}
    }

    /** Bytes of the blocks; linear in their number where they have to be written first. */
    long bytes(long blockSizeBytes) {
        if (source instanceof Source.Bytes(MemorySegment segment)) {
            return segment.byteSize();
        }
        BlockRange.Sizes each = sizes;
        if (each == null) {
            return blocks.count() * blockSizeBytes;
        }
        long bytes = 0;
        for (long id = blocks.first(); id < blocks.end(); id++) {
            bytes += each.bytesOf(id);
        }
        return bytes;
    }

    /** The sizes of these blocks as blocks of {@value VariableLayout#SIZE_BYTES} bytes under the same ids. */
    SubmissionEntry ofSizes() {
        BlockRange.Sizes each = sizes;
        if (each == null) {
            throw new IllegalStateException("all blocks have the same size: " + blocks);
        }
        return new SubmissionEntry(blocks, null,
                new Source.Writer((id, block) -> VariableLayout.putSize(block, 0, each.bytesOf(id))));
    }
}
