package org.restorej.bench.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.restorej.bench.bytes.KnownBytes;
import org.restorej.bench.bytes.KnownFile;
import org.restorej.bench.bytes.WrongBytesException;
import org.restorej.redset.Datasets;
import org.restorej.redset.RedundancyConfiguration;
import org.restorej.redset.RedundancyDescriptor;
import org.restorej.redset.Scheme;

/**
 * What each rank runs to measure checkpoints of {@link Datasets}, as a user makes them: each has 20 new files, which
 * are protected by exclusive or, and replaces the one before. The time is that of {@code complete}, after the files were
 * written. At the end the first rank loses its own, and a restart rebuilds them. Nothing is warmed up.
 */
public final class DatasetsLife {
    /** Files of a rank's checkpoint. */
    public static final int FILES = 20;

    private final RankWorld ranks;
    private final long fileBytes;
    private final Path store;

    private DatasetsLife(RankWorld ranks, long bytes) {
        this.ranks = ranks;
        fileBytes = bytes / FILES / KnownBytes.WORD_BYTES * KnownBytes.WORD_BYTES;
        store = ranks.folder("datasets");
    }

    /** Measures. Arguments: the file for the times, and bytes of a rank. */
    public static void main(String[] args) {
        RankWorld.live(Path.of(args[0]), ranks -> new DatasetsLife(ranks, Long.parseLong(args[1])).times());
    }

    private Map<String, List<Double>> times() {
        List<Double> millis = new ArrayList<>();
        try (Datasets datasets = open()) {
            for (int id = 1; id <= FileLife.TURNS; id++) {
                int checkpoint = id;
                List<KnownFile> files = files(datasets.begin(id), id);
                files.forEach(KnownFile::write);
                List<Path> paths = files.stream().map(KnownFile::path).toList();
                millis.add(ranks.millis(() -> datasets.complete(checkpoint, paths)));
            }
        }
        Path newest = store.resolve("job").resolve("checkpoint." + FileLife.TURNS);
        if (ranks.rank() == 0) {
            delete(newest);
        }
        try (Datasets datasets = open()) {
            ranks.barrier();
            List<Path> rebuilt = datasets.restart()
                    .orElseThrow(() -> new WrongBytesException("nothing is in " + store)).files();
            if (rebuilt.size() != FILES) {
                throw new WrongBytesException("files must be " + FILES + ": " + rebuilt);
            }
            files(newest, FileLife.TURNS).forEach(KnownFile::require);
        }
        return Map.of("checkpoint", millis);
    }

    private Datasets open() {
        RedundancyDescriptor descriptor = new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE, store,
                Scheme.xor(), ranks.size());
        return new Datasets(ranks.communicator(), RedundancyConfiguration.of(descriptor), "job",
                "rank " + ranks.rank(), false);
    }

    /** The files of a checkpoint; no two of any two checkpoints have the same content. */
    private List<KnownFile> files(Path directory, int id) {
        return IntStream.range(0, FILES).mapToObj(number -> new KnownFile(directory.resolve("file." + number),
                fileBytes, ranks.rank(), ((long) id * FILES + number) * fileBytes)).toList();
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
