package org.restorej;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.restorej.block.BlockRange;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.internal.operation.SubmissionEntry;
import org.restorej.internal.operation.SubmissionEntry.Source;
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
            switch (entry.source()) {
                case Source.Refused(String complaint) -> throw new InvalidSubmissionException(complaint);
                case Source.Bytes(MemorySegment given) -> handOut(entry, given);
                case Source.Writer writer -> handOut(entry, writer);
            }
        }
    }

    private void handOut(SubmissionEntry entry, MemorySegment bytes) throws IOException {
        BlockRange.Sizes sizes = entry.sizes();
        BlockRange blocks = entry.blocks();
        long expected = sizes == null ? blocks.count() * blockSizeBytes : bytes.byteSize();
        long offset = 0;
        if (sizes == null && expected == bytes.byteSize()) {
            sink.accept(blocks.count(), bytes);
            return;
        }
        for (long id = blocks.first(); sizes != null && id < blocks.end(); id++) {
            long size = sizes.bytesOf(id);
            sink.accept(1, bytes.asSlice(offset, size));
            offset += size;
        }
        if (offset != bytes.byteSize()) {
            throw new InvalidSubmissionException(
                    "blocks " + blocks + " must have " + (sizes == null ? expected : offset)
                            + " bytes: bytes=" + bytes.byteSize());
        }
    }

    private void handOut(SubmissionEntry entry, Source.Writer writer) throws IOException {
        BlockRange.Sizes sizes = entry.sizes();
        BlockRange blocks = entry.blocks();
        long together = sizes == null ? Math.max(1, BUFFER_BYTES / blockSizeBytes) : 1;
        long largest = sizes == null
                ? together * blockSizeBytes
                : LongStream.range(blocks.first(), blocks.end()).map(sizes::bytesOf).max().orElse(0);
        try (Arena arena = NativeMemory.openShared()) {
            MemorySegment buffer = arena.allocate(largest, Long.BYTES);
            for (long first = blocks.first(); first < blocks.end(); first += together) {
                long count = Math.min(together, blocks.end() - first);
                long bytes = sizes == null ? count * blockSizeBytes : sizes.bytesOf(first);
                MemorySegment piece = buffer.asSlice(0, bytes).fill((byte) 0);
                writer.write(BlockRange.of(first, count), new UniformLayout(count, bytes / count), piece,
                        sizes == null);
                sink.accept(count, piece);
            }
        }
    }
}
