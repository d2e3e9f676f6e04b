package org.restorej.bench.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.restorej.bench.bytes.KnownBytes;
import org.restorej.bench.bytes.WrongBytesException;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.redset.Redset;
import org.restorej.redset.Scheme;

/** One file of each rank, protected by redset with all others, and rebuilt after the first ranks have lost theirs. */
final class ProtectedFiles implements Exchange {
    private final RankWorld ranks;
    private final Path directory;
    private final Path file;
    private final long bytes;
    private final int lost;
    private final Redset redset;
    private boolean isProtected;

    /**
     * Files that are written now, and not protected yet. Collective.
     *
     * @param bytes of each rank's file
     * @param lost how many ranks lose everything before each run, which then rebuilds it; 0: each run protects
     */
    ProtectedFiles(RankWorld ranks, Scheme scheme, long bytes, int lost) {
        this.ranks = ranks;
        this.bytes = bytes;
        this.lost = lost;
        directory = ranks.directory().resolve("redset." + ranks.rank());
        file = directory.resolve("file");
        writeFile();
        redset = Redset.builder(ranks.communicator()).scheme(scheme).setSize(ranks.size()).directory(directory)
                .failureGroup("rank " + ranks.rank()).build();
    }

    private void writeFile() {
        try (Arena arena = Arena.ofShared()) {
            Files.createDirectories(directory);
            MemorySegment content = arena.allocate(bytes, 64);
            KnownBytes.fill(content, ranks.rank(), 0);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.write(content.asByteBuffer());
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public void clear() {
        if (isProtected) {
            redset.unapply();
            isProtected = false;
        }
    }

    @Override
    public void prepare() {
        if (lost == 0) {
            return;
        }
        if (!isProtected) {
            protect();
        }
        lose();
    }

    /** Protects the files. Collective. */
    void protect() {
        redset.apply(List.of(file));
        isProtected = true;
    }

    /** The first ranks lose all that they have. */
    void lose() {
        if (ranks.rank() < lost) {
            delete();
        }
    }

    /** Rebuilds what was lost. Collective. */
    void recover() {
        redset.recover();
    }

    @Override
    public void run() {
        if (lost == 0) {
            protect();
        } else {
            recover();
        }
    }

    /** After an encoding, loses something too, and rebuilds it: nothing else says that it was right. */
    @Override
    public void check() {
        if (lost == 0) {
            if (ranks.rank() == 0) {
                delete();
            }
            ranks.barrier();
            redset.recover();
        }
        try (Arena arena = Arena.ofShared(); FileChannel channel = FileChannel.open(file)) {
            if (channel.size() != bytes) {
                throw new WrongBytesException(file + " has " + channel.size() + " bytes and not " + bytes);
            }
            KnownBytes.require(channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes, arena), ranks.rank(), 0,
                    file.toString());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void delete() {
        try {
            for (Path each : redset.redundancyFiles()) {
                Files.deleteIfExists(each);
            }
            Files.deleteIfExists(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        redset.unapply();
        redset.close();
        delete();
        try {
            Files.deleteIfExists(directory);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
