package org.restorej.bench.mpi.rival;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A file for each rank, in a directory that all ranks see: checkpoints as most programs write them.
 *
 * <p>
 * A file is named after the first byte that it holds, so that a reader finds it when it knows the ranges.
 */
public final class FilePerRank implements DataFiles {
    /** Longer ones don't fit a buffer of bytes. */
    private static final long PIECE_BYTES = 1L << 30;

    private final Path directory;
    private final List<DataRange> ranges;
    private final List<Path> written = new ArrayList<>();

    /**
     * Files.
     *
     * @param directory exists
     * @param ranges what each file has, in ascending order
     */
    public FilePerRank(Path directory, List<DataRange> ranges) {
        this.directory = directory;
        this.ranges = List.copyOf(ranges);
    }

    private Path file(DataRange range) {
        return directory.resolve("checkpoint." + range.offset());
    }

    @Override
    public void write(DataRange mine, MemorySegment bytes) throws IOException {
        Path file = file(mine);
        if (!written.contains(file)) {
            written.add(file);
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
            for (long offset = 0; offset < bytes.byteSize(); offset += PIECE_BYTES) {
                ByteBuffer piece = bytes.asSlice(offset, Math.min(PIECE_BYTES, bytes.byteSize() - offset))
                        .asByteBuffer();
                while (piece.hasRemaining()) {
                    channel.write(piece);
                }
            }
            channel.force(false);
        }
    }

    @Override
    public void read(DataRange wanted, MemorySegment bytes) throws IOException {
        for (DataRange range : ranges) {
            long first = Math.max(range.offset(), wanted.offset());
            long end = Math.min(range.end(), wanted.end());
            if (first < end) {
                read(file(range), first - range.offset(), bytes.asSlice(first - wanted.offset(), end - first));
            }
        }
    }

    private static void read(Path file, long position, MemorySegment bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (long offset = 0; offset < bytes.byteSize(); offset += PIECE_BYTES) {
                ByteBuffer piece = bytes.asSlice(offset, Math.min(PIECE_BYTES, bytes.byteSize() - offset))
                        .asByteBuffer();
                while (piece.hasRemaining()) {
                    if (channel.read(piece, position + offset + piece.position()) < 0) {
                        throw new EOFException(file + " ends at " + channel.size());
                    }
                }
            }
        }
    }

    @Override
    public void delete() throws IOException {
        for (Path file : written) {
            Files.deleteIfExists(file);
        }
    }
}
