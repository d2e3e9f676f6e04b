package org.restorej.bench.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.restorej.bench.bytes.KnownBytes;
import org.restorej.bench.mpi.rival.DataRange;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.bench.mpi.rival.FilePerRank;

/** Each rank reads its file and writes a copy of it into the same directory: the least that protecting can take. */
final class CopiedFile implements Exchange {
    private final Arena arena = Arena.ofShared();
    private final DataRange whole;
    private final Path originalDirectory;
    private final Path copyDirectory;
    private final FilePerRank original;
    private final FilePerRank copy;
    private final MemorySegment content;

    CopiedFile(RankWorld ranks, long bytes) {
        whole = new DataRange(0, bytes);
        content = arena.allocate(bytes, 64);
        originalDirectory = ranks.directory().resolve("original." + ranks.rank());
        copyDirectory = ranks.directory().resolve("copy." + ranks.rank());
        original = new FilePerRank(originalDirectory, List.of(whole));
        copy = new FilePerRank(copyDirectory, List.of(whole));
        KnownBytes.fill(content, 0, 0);
        try {
            Files.createDirectories(originalDirectory);
            Files.createDirectories(copyDirectory);
            original.write(whole, content);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public long bytes() {
        return whole.bytes();
    }

    @Override
    public void clear() {
        try {
            copy.delete();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        content.fill((byte) 0xEE);
    }

    @Override
    public void run() {
        try {
            original.read(whole, content);
            copy.write(whole, content);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void check() {
        content.fill((byte) 0xEE);
        try {
            copy.read(whole, content);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        KnownBytes.require(content, 0, 0, "copied file");
    }

    @Override
    public void close() {
        try {
            original.delete();
            copy.delete();
            Files.delete(originalDirectory);
            Files.delete(copyDirectory);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } finally {
            arena.close();
        }
    }
}
