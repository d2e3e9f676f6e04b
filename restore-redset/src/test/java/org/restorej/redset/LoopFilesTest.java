package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.ReStore;
import org.restorej.balance.LoadBalancer;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeFailedException;
import org.restorej.loop.ToBeContinuedException;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.LoopStorage;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/** Loops that save what they keep in files, and jobs that go on from there, on PEs that are threads. */
class LoopFilesTest {
    private static final int PES = 4;

    @TempDir
    private Path folder = Path.of("");

    private LoopFiles files() {
        return LoopFiles.in(folder, "job");
    }

    private List<LoopJob.Result> run(int pes, LoopJob job) {
        return LocalCluster.run(pes, job::run);
    }

    @ParameterizedTest
    @ValueSource(ints = {PES, 1, 3, 7})
    void anotherJobGoesOnOnAnyNumberOfPes(int pes) {
        run(PES, new LoopJob(6).in(files()));
        List<LoopJob.Result> results = run(pes, new LoopJob(10).in(files()));
        List<Long> expected = LoopJob.expected(10);
        for (LoopJob.Result result : results) {
            assertEquals(expected, result.sums());
            assertEquals(6, result.firstIteration(), "the first iteration of the second job");
            assertEquals(0, result.made(), "calls of functions that make what is restored");
        }
    }

    @Test
    void withoutAnEarlierJobEverythingIsMade() {
        LoopJob.Result result = run(PES, new LoopJob(3).in(files())).getFirst();
        assertEquals(LoopJob.expected(3), result.sums());
        assertEquals(0, result.firstIteration());
        assertTrue(result.made() > 0, "functions are called");
    }

    @Test
    void oldCheckpointsAreRemovedAndConstantBlocksWrittenOnce() throws IOException {
        run(PES, new LoopJob(6).in(files()));
        assertEquals(List.of("checkpoint.6"), names(folder.resolve("job")));
        assertEquals(List.of("checkpoint.1"), names(folder.resolve("job.constant")));
        run(PES, new LoopJob(8).in(files()));
        assertEquals(List.of("checkpoint.8"), names(folder.resolve("job")));
        assertEquals(List.of("checkpoint.7"), names(folder.resolve("job.constant")));
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aCheckpointOfAnotherShapeIsRefusedWithBoth() {
        run(PES, new LoopJob(2).in(files()));
        PeFailedException failed = assertThrows(PeFailedException.class,
                () -> run(PES, new LoopJob(4).rows(LoopJob.ROWS + 1).in(files())));
        String message = String.valueOf(failed.getCause());
        assertTrue(message.contains("rows of 2 long: " + LoopJob.ROWS + " blocks of 16 bytes")
                && message.contains("rows of 2 long: " + (LoopJob.ROWS + 1) + " blocks of 16 bytes"), message);
        PeFailedException described = assertThrows(PeFailedException.class,
                () -> run(PES, new LoopJob(4).described("other data").in(files())));
        assertTrue(String.valueOf(described.getCause()).contains("described as other data"),
                described::getMessage);
    }

    @Test
    void aJobMayBeginAnew() {
        run(PES, new LoopJob(4).in(files()));
        LoopJob.Result result = run(PES, new LoopJob(2).in(files().startFresh(true))).getFirst();
        assertEquals(0, result.firstIteration());
        assertEquals(LoopJob.expected(2), result.sums());
        assertEquals(2, run(PES, new LoopJob(3).in(files())).getFirst().firstIteration(),
                "goes on from what was begun anew");
    }

    @Test
    void inTheBackgroundWhatIsWrittenIsCompletedLater() {
        List<LoopJob.Result> results = run(PES, new LoopJob(9).with(CheckpointLoop::inBackground).in(files()));
        assertEquals(LoopJob.expected(9), results.getFirst().sums());
        LoopJob.Result later = run(PES - 1, new LoopJob(11).with(CheckpointLoop::inBackground).in(files())).getFirst();
        // A checkpoint that isn't on the disk yet delays the next one, so that the last one is of an iteration before.
        assertTrue(later.firstIteration() >= 1 && later.firstIteration() <= 9, later::toString);
        assertEquals(LoopJob.expected(11), later.sums());
        assertEquals(0, later.made());
    }

    @Test
    void theNewestOfSeveralLevelsIsTaken() throws IOException {
        Path near = folder.resolve("near");
        Path far = folder.resolve("far");
        CheckpointInterval second = CheckpointInterval.iterations(2);
        LoopJob job = new LoopJob(5).with(loop -> loop.persist(LoopFiles.in(near, "job"),
                CheckpointInterval.iterations(1)).persist(LoopFiles.in(far, "job"), second));
        run(PES, job);
        assertEquals(List.of("checkpoint.7"), names(near.resolve("job")));
        assertEquals(List.of("checkpoint.6"), names(far.resolve("job")));
        assertEquals(5, run(PES, new LoopJob(6).in(LoopFiles.in(near, "job"), LoopFiles.in(far, "job"))).getFirst()
                .firstIteration());
        DirectoryEntries.deleteTree(near);
        LoopJob.Result fromFar = run(PES, new LoopJob(7).in(LoopFiles.in(near, "job"), LoopFiles.in(far, "job")))
                .getFirst();
        assertEquals(List.of(6L, 0L), List.of(fromFar.firstIteration(), (long) fromFar.made()));
        assertEquals(LoopJob.expected(7), fromFar.sums());
    }

    @Test
    void anIntervalOfTimeCountsFromTheCheckpointBefore() throws IOException {
        run(PES, new LoopJob(5).with(loop -> loop.persist(files(), CheckpointInterval.time(Duration.ofHours(1)))));
        assertFalse(Files.exists(folder.resolve("job")), "nothing is due");
        run(PES, new LoopJob(5).with(loop -> loop.persist(files(), CheckpointInterval.time(Duration.ofNanos(1)))));
        assertEquals(List.of("checkpoint.5"), names(folder.resolve("job")));
    }

    @Test
    void whereTheEndIsKnownTheCostOfASaveIsMeasuredOnce() throws IOException {
        run(PES, new LoopJob(5).with(loop -> loop.endBefore(Instant.now().plus(Duration.ofHours(3)))
                .persist(files(), CheckpointInterval.time(Duration.ofHours(1)))));
        assertEquals(List.of("checkpoint.1"), names(folder.resolve("job")));
        assertEquals(1, run(PES, new LoopJob(6).in(files())).getFirst().firstIteration());
    }

    @Test
    void aJobEndsInTimeWithWhatItHasDone() {
        List<CheckpointLoop> loops = Collections.synchronizedList(new ArrayList<>());
        PeFailedException over = assertThrows(PeFailedException.class,
                () -> run(PES, new LoopJob(100).with(loops::add).with(loop -> loop.endBefore(Instant.now())).with(
                        loop -> loop.persist(files(), CheckpointInterval.time(Duration.ofHours(1))))));
        assertTrue(over.getCause() instanceof ToBeContinuedException, over::getMessage);
        assertTrue(loops.stream().noneMatch(CheckpointLoop::isComplete));
        loops.clear();
        assertEquals(1, run(PES, new LoopJob(2).with(loops::add).in(files())).getFirst().firstIteration());
        assertEquals(PES, loops.stream().filter(CheckpointLoop::isComplete).count());
    }

    @Test
    void aStopFileEndsTheJobWhichGoesOnLater() throws IOException {
        stopsAndGoesOn(new LoopJob(100));
    }

    @Test
    void aStopFileEndsAJobThatCallsTheLoopForEachIteration() throws IOException {
        stopsAndGoesOn(new LoopJob(100).inSingleRuns());
    }

    private void stopsAndGoesOn(LoopJob job) throws IOException {
        PeFailedException stopped = assertThrows(PeFailedException.class,
                () -> run(PES, job.stoppingAt(4, folder.resolve("job")).in(files())));
        assertTrue(String.valueOf(stopped.getCause()).contains("goes on from iteration 5"),
                stopped::getMessage);
        assertFalse(Files.exists(folder.resolve("job/stop")));
        assertTrue(Files.exists(folder.resolve("job/stopped")), "a job script sees who has ended the job");
        LoopJob.Result result = run(PES, new LoopJob(7).in(files())).getFirst();
        assertEquals(5, result.firstIteration());
        assertEquals(LoopJob.expected(7), result.sums());
        assertFalse(Files.exists(folder.resolve("job/stopped")), "of the job before");
    }

    @Test
    void aRequestThatIsOlderThanTheJobIsIgnored() throws IOException {
        run(PES, new LoopJob(4).stoppingAt(3, folder.resolve("job")).in(files()));
        assertTrue(Files.exists(folder.resolve("job/stop")), "it came with the last iteration");
        assertEquals(LoopJob.expected(9), run(PES, new LoopJob(9).in(files())).getFirst().sums());
        assertFalse(Files.exists(folder.resolve("job/stop")));
    }

    @Test
    void aRequestIsToldFromAnEndOfTheTime() {
        assertThrows(PeFailedException.class,
                () -> run(PES, new LoopJob(100).stoppingAt(4, folder.resolve("job")).in(files())));
        assertTrue(Files.exists(folder.resolve("job/stopped")));
        run(PES, new LoopJob(7).in(files()));
        assertFalse(Files.exists(folder.resolve("job/stopped")));
    }

    /** Ids of two levels can't be compared: while one is away, the other's fall behind. */
    @Test
    void aLevelThatAJobDidWithoutIsNotTakenForTheNewest() {
        LoopFiles near = LoopFiles.in(folder.resolve("near"), "job");
        LoopFiles far = LoopFiles.in(folder.resolve("far"), "job");
        CheckpointInterval tenth = CheckpointInterval.iterations(10);
        run(2, new LoopJob(15).with(
                loop -> loop.persist(near, CheckpointInterval.iterations(1)).persist(far, tenth)));
        run(2, new LoopJob(40).with(loop -> loop.persist(far, tenth)));
        assertEquals(40, run(2, new LoopJob(41).in(near, far)).getFirst().firstIteration());
    }

    @Test
    void twoLoopsOfAProgramNeedPlacesOfTheirOwn() {
        PeFailedException refused = assertThrows(PeFailedException.class, () -> LocalCluster.run(2, world -> {
            new LoopJob(2).in(files()).run(world);
            return new LoopJob(2).in(files()).run(world);
        }));
        assertTrue(String.valueOf(refused.getCause()).contains("another loop of this program"), refused::getMessage);
    }

    /** Halves ones until a step says that it is enough. */
    private static long halvings(Communicator world, LoopFiles files, List<Double> values) {
        try (ReplicatedArray<double[]> array = ReplicatedArray.ofDoubles(ReStore.builder(world).replication(2), 2, 1);
                CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(2, 2),
                        CheckpointInterval.iterations(1))) {
            loop.persist(files, CheckpointInterval.iterations(1));
            LocalRows<double[]> rows = loop.keep(array.local(mine -> new double[]{1}));
            long iterations = loop.runWhile(100, (comm, iteration) -> {
                rows.values()[0] /= 2;
                return rows.values()[0] > 0.01;
            });
            values.add(rows.values()[0]);
            return iterations;
        }
    }

    @Test
    void whatHasConvergedIsNotContinued() {
        List<Double> values = Collections.synchronizedList(new ArrayList<>());
        for (int job = 0; job < 3; job++) {
            assertEquals(List.of(7L, 7L), LocalCluster.run(2, world -> halvings(world, files(), values)));
        }
        assertEquals(Collections.nCopies(6, 1.0 / 128), values);
    }

    /** Saves in the level have failed since iteration 3, on one PE. */
    private static LoopStorage fullSince3(LoopStorage storage, Communicator world) {
        int[] writes = {0};
        return LoopFilesAlikeTest.observed(storage, method -> {
            if (method.equals("write") && ++writes[0] > 3 && world.rank() == 1) {
                throw new IOException("No space left on device");
            }
        });
    }

    @Test
    void aRequestedEndWaitsForASave() {
        List<LoopJob.Result> results = LocalCluster.run(2, world -> new LoopJob(12)
                .in(fullSince3(files(), world)).stoppingAt(6, folder.resolve("job")).run(world));
        assertEquals(LoopJob.expected(12), results.getFirst().sums());
        assertTrue(Files.exists(folder.resolve("job/stop")), "it was not obeyed");
    }

    @Test
    void beforeTheEndAnotherLevelSavesWhatTheLastOneCannot() {
        LoopFiles near = LoopFiles.in(folder.resolve("near"), "job");
        LoopFiles far = LoopFiles.in(folder.resolve("far"), "job");
        CheckpointInterval hour = CheckpointInterval.time(Duration.ofHours(1));
        assertThrows(PeFailedException.class, () -> LocalCluster.run(2, world -> new LoopJob(12)
                .with(loop -> loop.persist(near, hour)
                        .persist(fullSince3(far, world), CheckpointInterval.iterations(1)))
                .before((comm, iteration) -> {
                    if (iteration == 6 && comm.rank() == 0) {
                        Files.createDirectories(folder.resolve("far/job"));
                        Files.writeString(folder.resolve("far/job/stop"), "");
                    }
                }).run(world)));
        assertEquals(7, run(2, new LoopJob(8).in(near)).getFirst().firstIteration());
    }

    @Test
    void aTextThatCannotBeSavedIsRefused() {
        for (String text : List.of("a\0b", "a\uD800b")) {
            PeFailedException refused = assertThrows(PeFailedException.class,
                    () -> run(1, new LoopJob(1).described(text)));
            assertTrue(String.valueOf(refused.getCause()).contains("text must have no NUL"), refused::getMessage);
        }
    }

    @Test
    void anEndInTheFarFutureIsNoEnd() {
        assertEquals(LoopJob.expected(3), run(2, new LoopJob(3).with(loop -> loop.endBefore(Instant.MAX)).in(files()))
                .getFirst().sums());
    }
}
