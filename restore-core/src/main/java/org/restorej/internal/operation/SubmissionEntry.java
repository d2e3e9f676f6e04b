package org.restorej.internal.operation;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;

/**
 * One run of blocks in a submission.
 *
 * @param blocks their ids
 * @param sizes their sizes; null if all blocks of the store have the same size
 * @param source of their bytes
 */
public record SubmissionEntry(BlockRange blocks, BlockRange.@Nullable Sizes sizes, Source source) {
    /** The source of the bytes of a run. */
    public sealed interface Source {
        /** Memory, on or off the heap. */
        record Bytes(MemorySegment segment) implements Source {}

        /** A callback that writes block by block. */
        record Writer(BlockRange.Writer writer) implements Source {}

        /**
         * None: an error was found while the submission was created, which all PEs report.
         *
         * @param complaint the error
         */
        record Refused(String complaint) implements Source {}
    }
}
