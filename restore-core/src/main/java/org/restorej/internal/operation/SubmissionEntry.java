package org.restorej.internal.operation;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;

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
}
