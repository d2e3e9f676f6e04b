package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeFailedException;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.LoopStorage;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.ForwardingFileOperations;
import org.restorej.testing.Deep;

/** Folders that are full, gone or damaged: the loop goes on in memory, and a later job takes the newest that is sound. */
class LoopFilesTroubleTest {
    private static final int PES = 4;
    private static final int KEPT = 2;

    @TempDir
    private Path folder = Path.of("");

    private Path node(int rank) {
        return folder.resolve("node" + rank);
    }

    /** Each PE is a node with a disk of its own. */
    private LoopFiles onNode(int rank, Scheme scheme, FileOperations operations) {
        RedundancyDescriptor descriptor = new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE, node(rank),
                scheme, PES);
        return LoopFiles.in(new RedundancyConfiguration(List.of(descriptor), Map.of(), Map.of(), KEPT), "job",
                operations).host("node" + rank).degradeSmallSets(true);
    }

    private List<LoopJob.Result> run(int pes, long until, Function<Communicator, LoopStorage> level) {
        return LocalCluster.run(pes, world -> new LoopJob(until).with(
                loop -> loop.persist(level.apply(world), CheckpointInterval.iterations(1))).run(world));
    }

    private List<LoopJob.Result> run(int pes, long until, Scheme scheme) {
        return run(pes, until, world -> onNode(world.rank(), scheme, FileOperations.system()));
    }

    private static void assertGoesOn(long from, long until, List<LoopJob.Result> results) {
        for (LoopJob.Result result : results) {
            assertEquals(LoopJob.expected(until), result.sums());
            assertEquals(from, result.firstIteration(), "first iteration");
        }
    }

    /** A disk of one PE that is full while it is so said. */
    private static final class Disk extends ForwardingFileOperations {
        private boolean full;

        @Override
        public void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
            if (full) {
                throw new IOException("No space left on device");
            }
            super.write(channel, bytes, position);
        }
    }

    @Test
    void aDiskThatIsFullForAWhileCostsCheckpointsButNotTheJob() {
        List<LoopJob.Result> results = LocalCluster.run(PES, world -> {
            Disk disk = new Disk();
            return new LoopJob(6).with(loop -> loop.persist(onNode(world.rank(), Scheme.xor(), disk),
                    CheckpointInterval.iterations(1)))
                    .before((comm, iteration) -> disk.full = world.rank() == 1 && iteration < 5).run(world);
        });
        assertGoesOn(0, 6, results);
        assertGoesOn(6, 7, run(PES, 7, Scheme.xor()));
    }

    @Test
    void aFolderThatCannotBeMadeOnOnePeIsNamedAndTheJobGoesOnInMemory() throws IOException {
        Files.writeString(node(2), "no directory");
        assertGoesOn(0, 3, run(PES, 3, Scheme.single()));
        Files.delete(node(2));
        assertGoesOn(0, 2, run(PES, 2, Scheme.single()));
        assertGoesOn(2, 3, run(PES, 3, Scheme.single()));
    }

    @Test
    void aFolderThatGoesAwayIsMadeAgain() {
        List<LoopJob.Result> results = LocalCluster.run(PES, world -> new LoopJob(4).with(loop -> loop.persist(
                onNode(world.rank(), Scheme.xor(), FileOperations.system()), CheckpointInterval.iterations(1)))
                .before((comm, iteration) -> {
                    if (iteration == 2) {
                        DirectoryEntries.deleteTree(node(world.rank()));
                    }
                }).run(world));
        assertGoesOn(0, 4, results);
        assertGoesOn(4, 5, run(PES, 5, Scheme.xor()));
    }

    @ParameterizedTest
    @ValueSource(ints = {PES, 3, 6})
    void aNodeWithAnEmptyDiskIsRebuiltFromTheOthers(int pes) throws IOException {
        run(PES, 3, Scheme.xor());
        // Of fewer PEs none sees the last node's disk.
        DirectoryEntries.deleteTree(node(pes < PES ? PES - 1 : 1));
        assertGoesOn(3, 4, run(pes, 4, world -> onNode(Math.min(world.rank(), PES - 1), Scheme.xor(),
                FileOperations.system())));
    }

    /** Nor is it taken. */
    @Test
    void aDamagedCheckpointIsNotKeptInPlaceOfASoundOne() throws IOException {
        run(PES, 3, Scheme.single());
        flip(3);
        assertGoesOn(2, 3, run(PES, 3, Scheme.single()));
        flip(4);
        assertGoesOn(2, 4, run(PES, 4, Scheme.single()));
    }

    private void flip(long id) throws IOException {
        Path damaged = node(2).resolve("job/checkpoint." + id + "/2.store0");
        FileDamage.flip(damaged, (int) Files.size(damaged) / 2);
    }

    /** Survivors of a failure know it, too. */
    @Test
    void aDamagedCheckpointIsNotKeptInPlaceOfASoundOneAfterAFailure() throws IOException {
        run(PES, 3, Scheme.single());
        flip(3);
        try (LocalCluster cluster = LocalCluster.builder(PES).build()) {
            List<LocalCluster.PeOutcome<LoopJob.Result>> outcomes = cluster.run(world -> new LoopJob(3)
                    .with(loop -> loop.persist(onNode(world.rank(), Scheme.single(), FileOperations.system()),
                            CheckpointInterval.iterations(1)))
                    .lastPeFailsBefore(2).run(world));
            assertGoesOn(2, 3, outcomes.subList(0, PES - 1).stream()
                    .map(outcome -> assertInstanceOf(LocalCluster.PeOutcome.Returned.class, outcome, outcome::toString))
                    .map(returned -> (LoopJob.Result) returned.value()).toList());
        }
        assertTrue(Files.exists(node(0).resolve("job/checkpoint.4")));
        assertTrue(Files.exists(node(0).resolve("job/checkpoint.2")), "the only other sound one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"XOR", "RS", "PARTNER"})
    void aSchemeThatTheRanksCannotHaveIsRefusedUnlessThereIsSomethingToRead(String name) {
        Scheme scheme = switch (name) {
            case "RS" -> Scheme.rs(2);
            case "PARTNER" -> Scheme.partner(1);
            default -> Scheme.xor();
        };
        Function<Communicator, LoopStorage> strict = world -> onNode(world.rank(), scheme, FileOperations.system())
                .degradeSmallSets(false);
        PeFailedException refused = assertThrows(PeFailedException.class, () -> run(1, 2, strict));
        IllegalArgumentException cause = assertInstanceOf(IllegalArgumentException.class, refused.getCause());
        assertSays(cause, "configuration.descriptors[0] must suit", scheme + " needs sets of at least", "ranks=1",
                "let small sets degrade");
        for (int pes : new int[]{PES, 1, 1, PES}) {
            // All see all files, so that one rank can read them.
            Function<Communicator, LoopStorage> shared = world -> LoopFiles.in(RedundancyConfiguration.of(
                    new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE, folder.resolve("shared"), scheme,
                            PES)),
                    "job").host("node" + world.rank());
            try (LogLines log = new LogLines(OpenLoopFiles.class)) {
                long from = pes == PES && !Files.exists(folder.resolve("shared")) ? 0 : 2;
                assertGoesOn(from, from + 2, run(pes, from + 2, shared));
                assertEquals(pes == 1 ? 1 : 0, log.lines().size(), log.lines()::toString);
            }
        }
    }

    /** With the scheme of the first checkpoint they would be lost where the second one isn't. */
    @Test
    void blocksThatDoNotChangeAreProtectedAsTheCheckpointsThatNeedThem() throws IOException {
        Function<Communicator, LoopStorage> twoSchemes = world -> {
            Path store = node(world.rank());
            return LoopFiles.in(RedundancyConfiguration.of(
                    new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE, store, Scheme.single(), PES),
                    new RedundancyDescriptor(2, RedundancyConfiguration.GROUP_NODE, store, Scheme.partner(1), PES)),
                    "job").host("node" + world.rank());
        };
        for (long iteration = 0; iteration < 4; iteration += 2) {
            assertGoesOn(iteration, iteration + 2, run(PES, iteration + 2, twoSchemes));
            DirectoryEntries.deleteTree(node(1));
        }
        assertGoesOn(4, 5, run(PES, 5, twoSchemes));
    }

    @Test
    void damagedBlocksThatDoNotChangeAreNoticedAndWrittenAgain() {
        List<LoopJob.Result> results = LocalCluster.run(PES, world -> new LoopJob(6).with(loop -> loop.persist(
                onNode(world.rank(), Scheme.single(), FileOperations.system()), CheckpointInterval.iterations(1)))
                .before((comm, iteration) -> {
                    if (iteration == 3 && comm.rank() == 2) {
                        Files.delete(node(2).resolve("job.constant/checkpoint.1/2.store1"));
                    }
                }).run(world));
        assertGoesOn(0, 6, results);
        assertGoesOn(6, 7, run(PES, 7, Scheme.single()));
    }

    @Test
    void withoutAnySoundManifestTheOneBeforeIsTaken() throws IOException {
        run(PES, 3, Scheme.single());
        for (int rank = 0; rank < PES; rank++) {
            Files.writeString(node(rank).resolve("job/checkpoint.3/" + rank + ".loop"), "half");
        }
        assertGoesOn(2, 4, run(PES, 4, Scheme.single()));
    }

    @Test
    void whatWasNeverCompletedDoesNotCount() throws IOException {
        run(PES, 2, Scheme.xor());
        for (int rank = 0; rank < PES; rank++) {
            Path there = node(rank).resolve("job/checkpoint.2");
            Path half = Files.createDirectories(node(rank).resolve("job/checkpoint.9"));
            try (Stream<Path> files = Files.list(there)) {
                for (Path file : files.filter(path -> path.toString().contains(".store")).toList()) {
                    Files.copy(file, half.resolve(file.getFileName()));
                }
            }
        }
        assertGoesOn(2, 3, run(PES, 3, Scheme.xor()));
    }

    /** Of a job that was killed before it had protected them, on a node that the job of the checkpoint had not. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void filesOfAnotherJobWithTheSameNumberAreNotMixedIn(boolean earlier) throws IOException {
        if (earlier) {
            leaveUnprotected();
        }
        run(PES, 1, Scheme.single());
        if (!earlier) {
            leaveUnprotected();
        }
        // The first one sees what the other job has left, and would read it.
        assertGoesOn(1, 3, run(PES + 1, 3, world -> onNode(world.rank() == 0 ? PES : world.rank() - 1, Scheme.single(),
                FileOperations.system())));
    }

    /** Files of a checkpoint 1, of iteration 3, of the first rank of a job on other nodes. */
    private void leaveUnprotected() throws IOException {
        LocalCluster.run(PES, world -> new LoopJob(3).with(loop -> loop.persist(onNode(PES + world.rank(),
                Scheme.single(), FileOperations.system()), CheckpointInterval.iterations(3))).run(world));
        for (String name : List.of("job", "job.constant")) {
            try (Stream<Path> files = Files.list(node(PES).resolve(name + "/checkpoint.1"))) {
                for (Path file : files.filter(path -> !path.toString().matches(".*\\.(loop|store\\d)")).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Test
    void whereEverythingIsDamagedTheJobEndsWithAMessageInsteadOfBeginningAgain() throws IOException {
        run(PES, 1, Scheme.single());
        FileDamage.flip(node(0).resolve("job/checkpoint.1/0.store0"), 100);
        PeFailedException failed = assertThrows(PeFailedException.class, () -> run(PES, 2, Scheme.single()));
        assertTrue(String.valueOf(failed.getCause()).contains("checkpoint 1"), failed::getMessage);
    }

    @Test
    void eightPesGoOnAsFive() {
        goOnAs(5);
    }

    @Deep
    @ParameterizedTest
    @ValueSource(ints = {3, 13})
    void eightPesGoOnAs(int pes) {
        goOnAs(pes);
    }

    private void goOnAs(int pes) {
        LoopFiles shared = LoopFiles.in(folder, "job");
        run(8, 2, world -> shared);
        assertGoesOn(2, 3, run(pes, 3, world -> shared));
        assertGoesOn(3, 4, run(8, 4, world -> shared));
    }

    @Test
    void codedBlocksAndOthersGoOnAsEachOther() {
        LoopFiles shared = LoopFiles.in(folder, "job");
        LocalCluster.run(6, new LoopJob(2).coded().in(shared)::run);
        assertGoesOn(2, 3, LocalCluster.run(PES, new LoopJob(3).in(shared)::run));
        assertGoesOn(3, 4, LocalCluster.run(6, new LoopJob(4).coded().in(shared)::run));
    }

    @Test
    void valuesThatDifferAreNotSaved() {
        List<LoopJob.Result> results = LocalCluster.run(PES,
                world -> new LoopJob(2).startValue(world.rank()).in(LoopFiles.in(folder, "job")).run(world));
        assertEquals(0, results.getFirst().firstIteration());
        assertEquals(0, run(PES, 1, world -> LoopFiles.in(folder, "job")).getFirst().firstIteration(),
                "what differs between PEs isn't saved");
    }
}
