package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.ReStore;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.blocks.CheckpointFiles;
import org.restorej.redset.internal.files.FailingFileOperations;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.ForwardingFileOperations;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.protocol.RedsetChannel;

/** Files that come together from disks, each of which one PE sees. */
class GatheredSetsTest {
    private static final int WRITERS = 4;
    private static final int LOST = 2;
    private static final int LONG_BYTES = 1 << 20;
    private static final BitSet MISSING = BitSet.valueOf(new long[]{1 << LOST});

    @TempDir
    private Path folder = Path.of("");

    static Stream<Scheme> schemes() {
        return Stream.of(Scheme.xor(), Scheme.rs(1), Scheme.partner(1));
    }

    /** What a PE has after gathering. */
    private record Gathered(boolean receives, Set<Integer> writers, List<Path> directories) {}

    private void save(Scheme scheme) {
        LocalCluster.run(WRITERS, world -> {
            CheckpointJob job = new CheckpointJob(world, folder);
            try (RangeCheckpoint checkpoint = job.checkpoint(scheme); ReStore store = job.store(checkpoint)) {
                job.submit(store);
                checkpoint.save(1, store, job.share());
                return true;
            }
        });
    }

    /** The disks that the PEs of a later job see: those that are left, in another order. */
    private Path directory(Communicator world) {
        return disk(List.of(3, 0, 1).get(world.rank())).resolve("job/checkpoint.1");
    }

    private Path disk(int rank) {
        return folder.resolve("node" + rank);
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void onePeComputesTheLostFileFromTheFilesOfAll(Scheme scheme) {
        save(scheme);
        CheckpointJob.remove(disk(LOST));
        List<Gathered> gathered = LocalCluster.run(WRITERS - 1, world -> gather(world));
        assertEquals(1, gathered.stream().filter(Gathered::receives).count(), () -> "receivers: " + gathered);
        for (Gathered one : gathered) {
            assertEquals(one.receives(), one.writers().contains(LOST), one::toString);
            one.directories().forEach(copies -> assertFalse(Files.exists(copies), "copies are left in " + copies));
        }
    }

    private Gathered gather(Communicator world) {
        Path own = directory(world);
        try (RedsetChannel channel = new RedsetChannel(world.duplicate());
                GatheredSets sets = GatheredSets.of(channel, FileOperations.system(), List.of(own), MISSING)) {
            List<Path> places = new ArrayList<>(List.of(own));
            places.addAll(sets.directories());
            try (CheckpointFiles files = CheckpointFiles.open(FileOperations.system(), places, Set.of(),
                    CheckpointFiles.EXTENSION)) {
                // From now on the disks of others are of no use here.
                world.allReduce(new long[1], Reduction.SUM);
                files.choose(files.newest().orElseThrow());
                if (sets.isReceiver()) {
                    rename(world, true);
                    files.rebuild();
                    assertEquals(List.of(), files.damaged(files.byWriter().values()), "damaged files");
                    rename(world, false);
                }
                return new Gathered(sets.isReceiver(), Set.copyOf(files.byWriter().keySet()), sets.directories());
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    private void rename(Communicator world, boolean away) throws IOException {
        for (int disk = 0; disk < WRITERS; disk++) {
            Path visible = disk(disk);
            Path hidden = folder.resolve("hidden" + disk);
            if (!directory(world).startsWith(visible) && Files.exists(away ? visible : hidden)) {
                Files.move(away ? visible : hidden, away ? hidden : visible);
            }
        }
    }

    @Test
    void whatIsNotDamagedStaysWhereItIs() {
        save(Scheme.xor());
        LocalCluster.run(WRITERS - 1, world -> {
            try (RedsetChannel channel = new RedsetChannel(world.duplicate());
                    GatheredSets sets = GatheredSets.of(channel, FileOperations.system(),
                            List.of(directory(world)), new BitSet())) {
                assertEquals(List.of(), sets.directories());
                return true;
            }
        });
    }

    /** The first two changes make folders, the next two a file. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whatCantBeWrittenIsAnErrorOnAllPes(int change) {
        FailingFileOperations full = new FailingFileOperations(change, false);
        List<String> failures = failures(rank -> full);
        assertTrue(full.hasFailed());
        assertTrue(failures.stream().allMatch(text -> text.contains("No space left")), failures::toString);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aFileThatVanishesIsAnErrorOnAllPes() {
        AtomicInteger vanished = new AtomicInteger();
        FileOperations vanishing = new ForwardingFileOperations() {
            @Override
            public FileMetadata metadata(Path path) throws IOException {
                vanished.incrementAndGet();
                throw new NoSuchFileException("vanished");
            }
        };
        List<String> failures = failures(rank -> rank == 1 ? vanishing : FileOperations.system());
        assertEquals(1, vanished.get(), "files that vanished");
        assertTrue(failures.stream().allMatch(text -> text.contains("vanished")), failures::toString);
    }

    private List<String> failures(IntFunction<FileOperations> operations) {
        save(Scheme.xor());
        CheckpointJob.remove(disk(LOST));
        for (int rank : new int[]{0, 1, 3}) {
            lengthen(disk(rank).resolve("job/checkpoint.1/" + rank + ".blocks"));
        }
        return LocalCluster.run(WRITERS - 1, world -> {
            Path own = directory(world);
            try (RedsetChannel channel = new RedsetChannel(world.duplicate())) {
                return String.valueOf(assertThrows(RedsetException.class,
                        () -> GatheredSets.of(channel, operations.apply(world.rank()), List.of(own), MISSING))
                        .getMessage());
            }
        });
    }

    /** So that a sender waits until its message is received. */
    private static void lengthen(Path file) {
        try {
            Files.write(file, new byte[LONG_BYTES], StandardOpenOption.APPEND);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
