package org.restorej;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import org.restorej.block.BlockRange;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.internal.operation.SubmissionEntry;
import org.restorej.internal.operation.SubmissionEntry.Source;
import org.restorej.internal.storage.BlockLayout;
import org.restorej.internal.storage.UniformLayout;

/**
 * Passes the bytes of the blocks that a PE submits to a sink, for files. The output of writers goes through a buffer of
 * 256 KiB, or of the largest block. Not thread-safe.
 */
final class SubmissionReader {
    private static final long BUFFER_BYTES = 1L << 18;

    private final long blockSizeBytes;
    private final Submission.Sink sink;

    SubmissionReader(long blockSizeBytes, Submission.Sink sink) {
        this.blockSizeBytes = blockSizeBytes;
        this.sink = sink;
    }

    /** Reads all entries, in ascending order of ids. */
    void read(List<SubmissionEntry> entries) throws IOException {
        for (SubmissionEntry entry : entries.stream().sorted(Comparator.comparing(SubmissionEntry::blocks)).toList()) {
            // Each has its own memory: the next one may need a longer buffer.
            try (Arena arena = NativeMemory.openShared()) {
                BlockLayout layout = entry.layout(blockSizeBytes, arena);
                switch (entry.source()) {
                    case Source.Refused(String complaint) -> throw new InvalidSubmissionException(complaint);
                    case Source.Bytes(MemorySegment given) -> handOut(layout, given);
                    case Source.Writer writer -> handOut(entry.blocks(), layout, writer, arena);
                }
            }
        }
    }

    private void handOut(BlockLayout layout, MemorySegment bytes) throws IOException {
        long together = layout instanceof UniformLayout ? Math.max(1, layout.count()) : 1;
        for (long index = 0; index < layout.count(); index += together) {
            sink.accept(together, layout.slice(bytes, index, together));
        }
    }

    private void handOut(BlockRange blocks, BlockLayout layout, Source.Writer writer, Arena arena)
            throws IOException {
        long together = layout instanceof UniformLayout ? Math.max(1, BUFFER_BYTES / blockSizeBytes) : 1;
        MemorySegment buffer = arena.allocate(Math.min(together, blocks.count()) * layout.largestBytes(), Long.BYTES);
        for (long index = 0; index < blocks.count(); index += together) {
            long count = Math.min(together, blocks.count() - index);
            MemorySegment piece = buffer.asSlice(0, layout.bytes(index, count)).fill((byte) 0);
            writer.write(BlockRange.of(blocks.first() + index, count), layout, index, piece);
            sink.accept(count, piece);
        }
    }
}
