package org.restorej.bench.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.restorej.bench.bytes.KnownBytes;
import org.restorej.bench.bytes.WrongBytesException;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.redset.Datasets;
import org.restorej.redset.RedundancyConfiguration;
import org.restorej.redset.RedundancyDescriptor;
import org.restorej.redset.Scheme;

/**
 * What each rank runs to measure checkpoints of {@link Datasets}, as a user makes them: each has new files, which are
 * protected by exclusive or, and replaces the one before. The time is that of {@code complete}, after the files were
 * written. At the end the first rank loses its own, and a restart rebuilds them. Nothing is warmed up.
 */
public final class DatasetsLife {
    /** Name of the time of a checkpoint. */
    public static final String CHECKPOINT = "checkpoint";
    /** Name of the parameter that tells in how many files a rank's bytes are. */
    public static final String FILES = "files";

    private final RankWorld ranks;
    private final long fileBytes;
    private final int fileCount;
    private final Path store;

    private DatasetsLife(RankWorld ranks, long bytes, int fileCount) {
        this.ranks = ranks;
        this.fileCount = fileCount;
        fileBytes = bytes / fileCount / KnownBytes.WORD_BYTES * KnownBytes.WORD_BYTES;
        store = ranks.directory().resolve("datasets." + ranks.rank());
    }

    /**
     * Measures. Arguments: the file for the results, bytes of a rank, in how many files, and a name for how the JVM was
     * started.
     */
    public static void main(String[] args) {
        RankWorld ranks = RankWorld.open();
        long bytes = Long.parseLong(args[1]);
        LifeResults results = new LifeResults(DatasetsLife.class, ranks.size(), bytes, args[3]);
        results.measure(ranks, Path.of(args[0]), () -> {
            List<Double> millis = new DatasetsLife(ranks, bytes, Integer.parseInt(args[2])).live();
            FileLife.calls(millis).forEach((calls, times) -> results.note(CHECKPOINT, calls, times,
                    Map.of(FILES, args[2], BenchmarkKey.METHOD, "restore")));
        });
    }

    private List<Double> live() {
        List<Double> millis = new ArrayList<>();
        try (Datasets datasets = open()) {
            for (int id = 1; id <= FileLife.TURNS; id++) {
                int checkpoint = id;
                List<Path> files = write(datasets.begin(id), id);
                millis.add(ranks.millis(() -> datasets.complete(checkpoint, files)));
            }
        }
        Path newest = store.resolve("job").resolve("checkpoint." + FileLife.TURNS);
        if (ranks.rank() == 0) {
            delete(newest);
        }
        try (Datasets datasets = open()) {
            ranks.barrier();
            List<Path> files = datasets.restart().orElseThrow(() -> new WrongBytesException("nothing is in " + store))
                    .files();
            if (files.size() != fileCount) {
                throw new WrongBytesException("files must be " + fileCount + ": " + files);
            }
            for (int number = 0; number < fileCount; number++) {
                check(files.get(number), FileLife.TURNS, number);
            }
        }
        return millis;
    }

    private Datasets open() {
        RedundancyDescriptor descriptor = new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE, store,
                Scheme.xor(), ranks.size());
        return new Datasets(ranks.communicator(), RedundancyConfiguration.of(descriptor), "job",
                "rank " + ranks.rank(), false);
    }

    private List<Path> write(Path directory, int id) {
        return IntStream.range(0, fileCount).mapToObj(number -> {
            Path file = directory.resolve("file." + number);
            try (Arena arena = Arena.ofShared();
                    FileChannel channel = FileChannel.open(file,
                            StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                MemorySegment content = arena.allocate(fileBytes, 64);
                KnownBytes.fill(content, ranks.rank(), offset(id, number));
                channel.write(content.asByteBuffer());
                return file;
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }).toList();
    }

    /** No two files of any two checkpoints have the same content. */
    private long offset(int id, int number) {
        return ((long) id * fileCount + number) * fileBytes;
    }

    private void check(Path file, int id, int number) {
        try (Arena arena = Arena.ofShared(); FileChannel channel = FileChannel.open(file)) {
            KnownBytes.require(channel.map(FileChannel.MapMode.READ_ONLY, 0, fileBytes, arena), ranks.rank(),
                    offset(id, number), file.toString());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void delete(Path directory) {
        try (var entries = Files.list(directory)) {
            for (Path entry : entries.toList()) {
                Files.delete(entry);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
