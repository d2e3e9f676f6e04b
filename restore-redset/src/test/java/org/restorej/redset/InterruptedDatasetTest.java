package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.ReStore;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FailingFileOperations;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.files.FileOperations;

/** Checkpoints in the middle of whose protection all processes were killed. */
class InterruptedDatasetTest {
    private static final int RANKS = 3;
    private static final String CHECKPOINT = "job/checkpoint.5";

    @TempDir
    private Path folder = Path.of("");

    private Path directory(Path root, int rank) {
        return root.resolve("node" + rank).resolve(CHECKPOINT);
    }

    /** All are killed at a change of any disk; returns whether they were. */
    private boolean protectAndDie(Path root, int failAt) {
        FailingFileOperations dying = new FailingFileOperations(failAt, true);
        LocalCluster.run(RANKS, world -> {
            Path directory = directory(root, world.rank());
            try (Redset redset = Redset.builder(world).directory(Files.createDirectories(directory)).namePrefix("rank.")
                    .scheme(Scheme.xor()).setSize(RANKS).failureGroup("node" + world.rank()).operations(dying)
                    .build()) {
                redset.apply(List.of(Files.write(directory.resolve("state"), new byte[]{1, 2, 3})));
                return true;
            } catch (RedsetException killed) {
                return false;
            } catch (IOException failure) {
                throw new AssertionError(failure);
            }
        });
        return dying.hasFailed();
    }

    private static Datasets datasets(Communicator world, Path root) {
        return new Datasets(world, RedundancyConfiguration.of(new RedundancyDescriptor(1,
                RedundancyConfiguration.GROUP_NODE, root.resolve("node" + world.rank()), Scheme.xor(), 2)), "job",
                "node" + world.rank(), false);
    }

    /** Whether any of the first ranks has a file whose name ends so. */
    private boolean has(Path root, int ranks, String end) {
        try {
            for (int rank = 0; rank < ranks; rank++) {
                if (DirectoryEntries.namesOf(directory(root, rank)).stream().anyMatch(name -> name.endsWith(end))) {
                    return true;
                }
            }
            return false;
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    /** The directories of the first two ranks, as far as they have journals. */
    private String journals(Path root) {
        return IntStream.range(0, 2).mapToObj(rank -> directory(root, rank)).filter(this::hasJournal)
                .map(Path::toString).collect(Collectors.joining(" "));
    }

    private boolean hasJournal(Path directory) {
        try {
            return DirectoryEntries.namesOf(directory).stream()
                    .anyMatch(name -> name.matches(".*restorej-(staged|decided)"));
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    @Test
    void whatWasDecidedIsNeverTakenForNothing() {
        int onlyJournals = 0;
        boolean killed = true;
        for (int failAt = 0; killed; failAt++) {
            Path root = folder.resolve("run" + failAt);
            killed = protectAndDie(root, failAt);
            boolean wasDecided = has(root, RANKS, ".restorej-decided");
            boolean seen = Stream.of("decided", "staged").anyMatch(stage -> has(root, 2, ".restorej-" + stage));
            if (seen && !has(root, RANKS, ".redset")) {
                onlyJournals += wasDecided ? 1 : 0;
                LocalCluster.run(2, world -> {
                    try (Datasets datasets = datasets(world, root)) {
                        RedsetException refused = assertThrows(RedsetException.class, datasets::restart);
                        assertSays(refused, "3 ranks were killed", ".restorej-", "and here are 2",
                                "bin/restore redset rebuild " + journals(root));
                    }
                    return true;
                });
            }
            boolean expected = wasDecided || has(root, RANKS, ".redset");
            List<Boolean> restarted = LocalCluster.run(RANKS, world -> {
                try (Datasets datasets = datasets(world, root)) {
                    return datasets.restart().isPresent();
                }
            });

            assertEquals(List.of(expected, expected, expected), restarted, "killed at change " + failAt);
        }
        assertTrue(onlyJournals > 0, "no run was killed between the decision and the first move");
    }

    @Test
    void blocksThatOnlyAJournalProtectsAreNotTakenForNothing() {
        LocalCluster.run(1, world -> {
            CheckpointJob job = CheckpointJob.on(world);
            job.saveAsAnotherJob(RANKS, 5);
            for (int rank = 0; rank < RANKS; rank++) {
                leaveOnlyAJournal(job.disk(rank).resolve(CHECKPOINT), rank);
            }
            try (RangeCheckpoint checkpoint = job.restarted(RANKS); ReStore store = job.store(checkpoint)) {
                checkpoint.load(store);
                Files.delete(job.file(1, 5, "1.blocks"));
                RedsetException refused = assertThrows(RedsetException.class, () -> checkpoint.load(store));
                assertSays(refused, "restorej-staged", "bin/restore redset rebuild", "3 ranks", "here are 1");
            } catch (IOException failure) {
                throw new AssertionError(failure);
            }
            job.end();
            return true;
        });
    }

    private static void leaveOnlyAJournal(Path directory, int rank) {
        try {
            for (Path path : DirectoryEntries.of(directory)) {
                if (String.valueOf(path.getFileName()).startsWith("rank.")) {
                    Files.delete(path);
                }
            }
            try (FileCommit commit = new FileCommit(FileOperations.system(), directory, "rank." + rank + ".")) {
                commit.stage(new UUID(1, 2), RANKS, List.of(directory.resolve("rank." + rank + ".redset")));
            }
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }
}
