package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.files.ForwardingFileOperations;

/** What is to be protected is on the disk before anything says that it is, and so are the names of its directories. */
class ForcedFilesTest {
    private static final int RANKS = 3;

    @TempDir
    private Path folder = Path.of("");

    /** Notes what is forced, and what was before the journal was published. */
    private static final class NotingFileOperations extends ForwardingFileOperations {
        private final Map<FileChannel, Path> open = new ConcurrentHashMap<>();
        private final List<Path> forced = new ArrayList<>();
        private List<Path> forcedBeforeJournal = List.of();

        @Override
        public FileChannel openForReading(Path path) throws IOException {
            FileChannel channel = super.openForReading(path);
            open.put(channel, path);
            return channel;
        }

        @Override
        public void force(FileChannel channel) throws IOException {
            super.force(channel);
            if (open.containsKey(channel)) {
                forced.add(open.get(channel));
            }
        }

        @Override
        public void forceDirectory(Path directory) throws IOException {
            super.forceDirectory(directory);
            forced.add(directory);
        }

        @Override
        public void replace(Path source, Path target) throws IOException {
            if (target.toString().endsWith("restorej-staged")) {
                forcedBeforeJournal = List.copyOf(forced);
            }
            super.replace(source, target);
        }
    }

    @Test
    void dataFilesAndTheirNamesAreForcedBeforeTheyCountAsProtected() {
        LocalCluster.run(RANKS, world -> {
            Path node = folder.toRealPath().resolve("node" + world.rank());
            Path one = Files.createDirectories(node.resolve("one"));
            Path other = Files.createDirectories(node.resolve("other"));
            Path away = Files.createDirectories(node.resolve("away"));
            Path first = Files.write(one.resolve("first"), new byte[10]);
            Path empty = Files.write(one.resolve("empty"), new byte[0]);
            Path target = Files.write(away.resolve("target"), new byte[30]);
            Path link = Files.createSymbolicLink(other.resolve("link"), target);
            NotingFileOperations noting = new NotingFileOperations();
            try (Redset redset = Redset.builder(world).scheme(Scheme.xor()).failureGroup("host" + world.rank())
                    .directory(Files.createDirectories(node.resolve("redset"))).allow(node).operations(noting)
                    .build()) {
                redset.apply(List.of(first, empty, link));
            }
            for (Path path : List.of(first, empty, link, one, other, away)) {
                assertTrue(noting.forcedBeforeJournal.contains(path),
                        () -> path + " is forced before the journal is there: " + noting.forcedBeforeJournal);
            }
            assertEquals(1, noting.forced.stream().filter(one::equals).count(), "a directory of two files");
            return true;
        });
    }

    @Test
    void namesOfNewDirectoriesAreForced() {
        LocalCluster.run(1, world -> {
            Path store = folder.toRealPath().resolve("new").resolve("store");
            RedundancyConfiguration configuration = RedundancyConfiguration.of(new RedundancyDescriptor(1,
                    RedundancyConfiguration.GROUP_NODE, store, Scheme.single(), 1));
            NotingFileOperations noting = new NotingFileOperations();
            try (Datasets datasets = new Datasets(world, configuration, "job")) {
                assertEquals(store.resolve("job").resolve("checkpoint.1"), datasets.create(noting, 1));
                assertEquals(List.of(folder.toRealPath(), store.getParent(), store, store.resolve("job")),
                        noting.forced);
                datasets.create(noting, 2);
                assertEquals(5, noting.forced.size(), "only what has got a new name");
            }
            return true;
        });
    }
}
