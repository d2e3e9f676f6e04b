package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.JobLock;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.offline.OfflineRedset;
import org.restorej.redset.internal.offline.OneDirectory;

/** Two jobs that use one directory: the second is refused, and says why; a job that was killed keeps nobody away. */
class TwoJobsTest {
    private static final int RANKS = 3;
    private static final String HOLDING = "holding";

    @TempDir
    private Path folder = Path.of("");

    /** What both jobs use. */
    enum Use {
        REDSET, DATASETS
    }

    /** Protects files of these contents, and waits before it closes what has protected them. */
    private static void protect(Use use, Path folder, String content, Runnable wait) {
        LocalCluster.run(RANKS, world -> protect(use, world, folder, content, wait));
    }

    private static boolean protect(Use use, Communicator world, Path folder, String content, Runnable wait)
            throws IOException {
        switch (use) {
            case REDSET -> {
                try (Redset redset = redset(world, folder)) {
                    redset.apply(List.of(Files.writeString(folder.resolve(content + "." + world.rank()), content)));
                    wait.run();
                }
            }
            case DATASETS -> {
                try (Datasets datasets = datasets(world, folder)) {
                    datasets.restart();
                    Path file = datasets.begin(1).resolve(content + "." + world.rank());
                    datasets.complete(1, List.of(Files.writeString(file, content)));
                    wait.run();
                }
            }
        }
        return true;
    }

    private static Redset redset(Communicator world, Path folder) {
        return Redset.builder(world).failureGroup("host" + world.rank()).directory(folder).base(folder).build();
    }

    private static Datasets datasets(Communicator world, Path folder) {
        return new Datasets(world, RedundancyConfiguration.of(new RedundancyDescriptor(1,
                RedundancyConfiguration.GROUP_NODE, folder, Scheme.xor(), RANKS)), "job", "host" + world.rank(), false);
    }

    /** The first job. */
    public static void main(String[] arguments) {
        protect(Use.valueOf(arguments[0]), Path.of(arguments[1]), "first", () -> {
            System.out.println(HOLDING);
            while (true) {
                try {
                    Thread.sleep(1000);
                } catch (InterruptedException ended) {
                    throw new IllegalStateException(ended);
                }
            }
        });
    }

    private Process firstJob(Use use) throws IOException {
        Process first = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"), TwoJobsTest.class.getName(), use.name(), folder.toString())
                .redirectErrorStream(true).start();
        BufferedReader output = new BufferedReader(new InputStreamReader(first.getInputStream(),
                StandardCharsets.UTF_8));
        for (int holding = 0; holding < RANKS;) {
            String line = output.readLine();
            assertEquals(HOLDING, line);
            holding++;
        }
        return first;
    }

    @ParameterizedTest
    @EnumSource
    void theSecondIsRefusedUntilTheFirstHasEndedOrWasKilled(Use use) throws Exception {
        Process first = firstJob(use);
        try {
            RuntimeException refused = assertThrows(RuntimeException.class,
                    () -> protect(use, folder, "second", () -> {}));
            assertSays(refused.getCause() == null ? refused : refused.getCause(), folder.toString(),
                    "in use by process "
                            + first.pid(),
                    "two jobs");
        } finally {
            first.destroyForcibly().waitFor();
        }
        assertRecovered(use, "first");
        protect(use, folder, "second", () -> {});
        assertRecovered(use, "second");
    }

    /** Rank 1 loses its file, and has it again. */
    private void assertRecovered(Use use, String content) throws IOException {
        Path file = (use == Use.REDSET ? folder : folder.resolve("job/checkpoint.1")).resolve(content + ".1");
        Files.delete(file);
        LocalCluster.run(RANKS, world -> {
            if (use == Use.REDSET) {
                try (Redset redset = redset(world, folder)) {
                    assertEquals(Set.of(1), redset.recover().rebuiltRanks());
                }
            } else {
                try (Datasets datasets = datasets(world, folder)) {
                    assertEquals(1, datasets.restart().orElseThrow().id());
                }
            }
            return true;
        });
        assertEquals(content, Files.readString(file));
    }

    @Test
    void jobsOfOneJvmAreKeptApart() {
        protect(Use.REDSET, folder, "first", () -> {
            RuntimeException refused = assertThrows(RuntimeException.class,
                    () -> protect(Use.REDSET, folder, "second", () -> {}));
            assertSays(refused.getCause() == null ? refused : refused.getCause(), "in use by the thread");
        });
    }

    /** Each after all ranks together have used it. */
    @Test
    void groupsThatUseRedsetItselfAreKeptApart() {
        LocalCluster.run(4, world -> {
            List<Path> files = List.of(Files.writeString(folder.resolve("data." + world.rank()), "data"));
            try (Redset redset = redset(world, folder)) {
                redset.apply(files);
            }
            boolean second = world.rank() >= 2;
            try (Communicator group = world.split(second ? 1 : 0).orElseThrow();
                    Redset redset = redset(group, folder)) {
                if (!second) {
                    redset.apply(files);
                }
                world.barrier();
                if (second) {
                    assertSays(assertThrows(RedsetException.class, () -> redset.apply(files)), "in use by the thread");
                }
                world.barrier();
            }
            return true;
        });
    }

    /** The lock is in the directory above. */
    @Test
    void theCommandRebuildsNoCheckpointOfAJobThatRuns() throws IOException {
        Path checkpoint = folder.resolve("job/checkpoint.1");
        OfflineRedset command = OneDirectory.redset(checkpoint, PathPolicy.within(checkpoint));
        protect(Use.DATASETS, folder, "first", () -> {
            IOException refused = assertThrows(IOException.class, command::settleInterrupted);
            assertSays(refused, folder.resolve("job") + " is in use");
        });
        command.settleInterrupted().close();
    }

    /** Both have ranks from 0 on: their files would have the same names. */
    @Test
    void groupsOfOneJobAreKeptApart() {
        LocalCluster.run(4, world -> {
            try (Datasets datasets = datasets(world, folder)) {
                datasets.restart();
            }
            boolean second = world.rank() >= 2;
            try (Communicator group = world.split(second ? 1 : 0).orElseThrow()) {
                if (!second) {
                    try (Datasets datasets = datasets(group, folder)) {
                        complete(datasets, 1, group.rank());
                        world.barrier();
                        world.barrier();
                        complete(datasets, 2, group.rank());
                    }
                    world.barrier();
                    return true;
                }
                world.barrier();
                try (Datasets datasets = datasets(group, folder)) {
                    assertSays(assertThrows(RedsetException.class, datasets::restart), "in use by");
                }
                world.barrier();
                world.barrier();
                try (Datasets datasets = datasets(group, folder)) {
                    assertEquals(2, datasets.restart().orElseThrow().id());
                }
                return true;
            }
        });
    }

    private static void complete(Datasets datasets, long id, int rank) throws IOException {
        datasets.complete(id, List.of(Files.writeString(datasets.begin(id).resolve("state." + rank), "state")));
    }

    @Test
    void aProcessMayHaveItsOwnFilesTwice() throws IOException {
        LocalCluster.run(RANKS, world -> {
            try (Redset other = redset(world, folder)) {
                List<Path> data = List.of(Files.writeString(folder.resolve("data." + world.rank()), "data"));
                try (Redset one = redset(world, folder)) {
                    one.apply(data);
                    other.apply(data);
                }
                other.recover();
                return true;
            }
        });
        assertTrue(DirectoryEntries.namesOf(folder).stream().noneMatch(name -> name.endsWith(JobLock.EXTENSION)));
    }

    /** It closes while it unwinds, when its communicator answers nothing any more. */
    @ParameterizedTest
    @EnumSource
    void aRankThatHasFailedFreesItsLock(Use use) throws IOException {
        try (LocalCluster cluster = LocalCluster.builder(RANKS).build()) {
            List<LocalCluster.PeOutcome<Boolean>> outcomes = cluster
                    .run(world -> protect(use, world, folder, "data", () -> FailureSimulation.of(world).fail(1)));
            assertInstanceOf(LocalCluster.PeOutcome.Failed.class, outcomes.get(1));
        }
        try (Stream<Path> left = Files.walk(folder)) {
            assertEquals(List.of(), left.filter(path -> path.toString().endsWith(JobLock.EXTENSION)).toList());
        }
    }
}
