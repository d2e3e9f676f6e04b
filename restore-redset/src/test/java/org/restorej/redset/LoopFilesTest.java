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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeFailedException;
import org.restorej.loop.ToBeContinuedException;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.redset.internal.files.DirectoryEntries;

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
        LoopJob.Result result = run(PES, new LoopJob(2).in(files().beginAnew(true))).getFirst();
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
        PeFailedException over = assertThrows(PeFailedException.class,
                () -> run(PES, new LoopJob(100).with(loop -> loop.endBefore(Instant.now())).with(loop -> loop
                        .persist(files(), CheckpointInterval.time(Duration.ofHours(1))))));
        assertTrue(over.getCause() instanceof ToBeContinuedException, over::getMessage);
        assertEquals(1, run(PES, new LoopJob(2).in(files())).getFirst().firstIteration());
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
        LoopJob.Result result = run(PES, new LoopJob(7).in(files())).getFirst();
        assertEquals(5, result.firstIteration());
        assertEquals(LoopJob.expected(7), result.sums());
    }
}
