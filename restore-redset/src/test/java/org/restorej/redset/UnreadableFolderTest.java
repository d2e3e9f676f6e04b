package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeFailedException;
import org.restorej.redset.internal.files.DirectoryEntries;

/**
 * A folder that one rank can't list counts as lost to this rank. A symbolic link to itself is such a folder, for root,
 * too.
 */
class UnreadableFolderTest {
    private static final int RANKS = 4;
    private static final int VICTIM = 1;
    private static final int KEPT = 2;
    private static final String REASON = "can't be reached: Too many levels of symbolic links";

    @TempDir
    private Path folder = Path.of("");

    private Path node(int rank) {
        return folder.resolve("node" + rank);
    }

    private LoopFiles level(int rank, Scheme scheme) {
        RedundancyDescriptor descriptor = new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE, node(rank),
                scheme, RANKS);
        return LoopFiles.in(new RedundancyConfiguration(List.of(descriptor), Map.of(), Map.of(), KEPT), "job")
                .host("node" + rank);
    }

    private List<LoopJob.Result> run(int ranks, long until, Scheme scheme) {
        return LocalCluster.run(ranks,
                world -> new LoopJob(until).in(level(Math.min(world.rank(), RANKS - 1), scheme)).run(world));
    }

    private static void assertGoesOn(long from, long until, List<LoopJob.Result> results) {
        for (LoopJob.Result result : results) {
            assertEquals(LoopJob.expected(until), result.sums());
            assertEquals(from, result.firstIteration(), "first iteration");
        }
    }

    /** Puts a folder away that comes back later. */
    private static void makeUnreadable(Path directory) throws IOException {
        Files.move(directory, away(directory));
        Files.createSymbolicLink(directory, directory);
    }

    private static void makeReadable(Path directory) throws IOException {
        Files.delete(directory);
        Files.move(away(directory), directory);
    }

    private static Path away(Path directory) {
        return directory.resolveSibling(directory.getFileName() + ".away");
    }

    private static String assertFails(Runnable job) {
        Throwable cause = assertThrows(PeFailedException.class, job::run).getCause();
        return String.valueOf(cause == null ? null : cause.getMessage());
    }

    private static void assertSays(String said, String... parts) {
        for (String part : parts) {
            assertTrue(said.contains(part), () -> part + " in: " + said);
        }
    }

    /** All nodes have the same folder, and one of them can't read it. */
    @ParameterizedTest
    @CsvSource({"SINGLE, 4", "SINGLE, 3", "XOR, 4", "XOR, 6"})
    void theOtherRanksReadASharedFolder(String scheme, int ranks) throws IOException {
        Scheme used = scheme.equals("XOR") ? Scheme.xor() : Scheme.single();
        Path shared = Files.createDirectory(folder.resolve("shared"));
        for (int rank = 0; rank < RANKS; rank++) {
            Files.createSymbolicLink(node(rank), shared);
        }
        run(RANKS, 3, used);
        Files.delete(node(VICTIM));
        Files.createSymbolicLink(node(VICTIM), node(VICTIM));
        try (LogLines log = new LogLines(UnreadableFolders.class)) {
            assertGoesOn(3, 4, run(ranks, 4, used));
            assertEquals(2, log.lines().size(), () -> "one for blocks, one for constant ones: " + log.lines());
            assertSays(log.lines().getFirst(), "rank 1: " + node(VICTIM).resolve("job") + " " + REASON);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {RANKS, 3, 6})
    void whereItCannotBeRebuiltTheJobEndsWithTheReasonAndGoesOnWhenItIsReadable(int ranks) throws IOException {
        run(RANKS, 3, Scheme.xor());
        makeUnreadable(node(VICTIM).resolve("job"));
        assertSays(assertFails(() -> run(ranks, 4, Scheme.xor())), node(VICTIM).resolve("job").toString());
        makeReadable(node(VICTIM).resolve("job"));
        assertGoesOn(3, 4, run(ranks, 4, Scheme.xor()));
    }

    @ParameterizedTest
    @ValueSource(ints = {RANKS, 3})
    void onlyTheNewestCheckpointIsUnreadableThenTheOneBeforeIsTaken(int ranks) throws IOException {
        run(RANKS, 3, Scheme.xor());
        Path newest = node(VICTIM).resolve("job/checkpoint.3");
        makeUnreadable(newest);
        assertGoesOn(2, 3, run(ranks, 3, Scheme.xor()));
        assertTrue(Files.isSymbolicLink(newest), "stays");
        assertTrue(Files.exists(away(newest)));
    }

    /** With checkpoints that nobody else can have, the job must not begin again. */
    @Test
    void whereNoOtherRankSeesACheckpointTheJobDoesNotBeginAgain() throws IOException {
        run(RANKS, 3, Scheme.xor());
        for (int rank = 0; rank < RANKS; rank++) {
            if (rank != VICTIM) {
                DirectoryEntries.deleteTree(node(rank));
            }
        }
        makeUnreadable(node(VICTIM).resolve("job"));
        assertSays(assertFails(() -> run(RANKS, 4, Scheme.xor())), "failed: no rank sees a checkpoint, but rank "
                + VICTIM + ": " + node(VICTIM).resolve("job") + " " + REASON);
    }

    @Test
    void theReasonsOfManyRanksAreCutShort() {
        SortedMap<Integer, String> byRank = new TreeMap<>();
        for (int rank = 3; rank < 7; rank++) {
            byRank.put(rank, "denied");
        }
        String four = "rank 3: denied; rank 4: denied; rank 5: denied; rank 6: denied";
        assertEquals(four, UnreadableFolders.describe(byRank));
        byRank.put(8, "denied");
        byRank.put(9, "denied");
        assertEquals(four + "; and 2 more", UnreadableFolders.describe(byRank));
    }

    private Datasets datasets(Communicator world) {
        return new Datasets(world, RedundancyConfiguration.of(new RedundancyDescriptor(1,
                RedundancyConfiguration.GROUP_NODE, node(world.rank()), Scheme.xor(), RANKS)), "job",
                "host" + world.rank(), false);
    }

    /** What is lost with the others' disks may be in the folder that can't be read. */
    @Test
    void aCheckpointIsNotLostForGoodBecauseOfIt() throws IOException {
        LocalCluster.run(RANKS, world -> {
            try (Datasets datasets = datasets(world)) {
                datasets.complete(1, List.of(Files.writeString(datasets.begin(1).resolve("state"), "state")));
            }
            return true;
        });
        Path victim = node(VICTIM).resolve("job/checkpoint.1");
        makeUnreadable(victim);
        DirectoryEntries.deleteTree(node(2));
        LocalCluster.run(RANKS, world -> {
            try (Datasets datasets = datasets(world)) {
                assertSays(String.valueOf(assertThrows(RedsetException.class, datasets::restart).getMessage()),
                        victim.toString(), "Too many levels of symbolic links");
            }
            return true;
        });
        makeReadable(victim);
        LocalCluster.run(RANKS, world -> {
            try (Datasets datasets = datasets(world)) {
                assertEquals(Optional.of(1L), datasets.restart().map(Datasets.Dataset::id));
            }
            return true;
        });
        try (Stream<Path> files = Files.list(victim)) {
            assertFalse(files.toList().isEmpty());
        }
    }
}
