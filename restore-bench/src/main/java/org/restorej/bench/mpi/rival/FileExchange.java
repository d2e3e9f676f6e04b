package org.restorej.bench.mpi.rival;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.restorej.bench.bytes.KnownBytes;

/** Writes checkpoints to files, or reads from them what a PE needs: what the store does in memory. */
public final class FileExchange implements Exchange {
    private final Arena arena = Arena.ofShared();
    private final DataFiles files;
    private final DataRange range;
    private final boolean writes;
    private final MemorySegment segment;

    private FileExchange(DataFiles files, DataRange range, boolean writes) {
        this.files = files;
        this.range = range;
        this.writes = writes;
        segment = arena.allocate(Math.max(1, range.bytes()), 64).asSlice(0, range.bytes());
    }

    /** Writes a part of the data set to files. Collective. */
    public static FileExchange writing(DataFiles files, DataRange mine) {
        FileExchange exchange = new FileExchange(files, mine, true);
        KnownBytes.fill(exchange.segment, 0, mine.offset());
        return exchange;
    }

    /**
     * Reads parts of the data set from files, which this makes first. Collective.
     *
     * @param mine what this PE writes before anything is measured
     * @param wanted what it then reads
     */
    public static FileExchange reading(DataFiles files, DataRange mine, DataRange wanted) {
        try (FileExchange writer = writing(new Kept(files), mine)) {
            writer.run();
        }
        return new FileExchange(files, wanted, false);
    }

    /** Files that outlive the exchange that has written them. */
    private record Kept(DataFiles files) implements DataFiles {
        @Override
        public void write(DataRange mine, MemorySegment bytes) throws IOException {
            files.write(mine, bytes);
        }

        @Override
        public void read(DataRange wanted, MemorySegment bytes) throws IOException {
            files.read(wanted, bytes);
        }

        @Override
        public void delete() {
            // They are read by others afterwards.
        }
    }

    @Override
    public long bytes() {
        return range.bytes();
    }

    @Override
    public void clear() {
        if (!writes) {
            segment.fill((byte) 0xEE);
            return;
        }
        try {
            files.delete();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void run() {
        try {
            if (writes) {
                files.write(range, segment);
            } else {
                files.read(range, segment);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void check() {
        try (Arena copy = Arena.ofShared()) {
            MemorySegment found = segment;
            if (writes) {
                found = copy.allocate(Math.max(1, range.bytes()), 64).asSlice(0, range.bytes());
                files.read(range, found);
            }
            KnownBytes.require(found, 0, range.offset(), "file");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        try {
            files.delete();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } finally {
            arena.close();
        }
    }
}
