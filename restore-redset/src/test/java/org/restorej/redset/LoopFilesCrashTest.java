package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.local.LocalCluster;
import org.restorej.faults.FailureAtEveryCall;
import org.restorej.loop.CheckpointInterval;
import org.restorej.testing.Deep;

/** PEs that fail while a loop saves in files, and while a job goes on from these: at every communication call. */
class LoopFilesCrashTest {
    private static final int PES = 3;
    private static final long SAVED = 2;
    private static final long UNTIL = 3;

    @TempDir
    private Path folder = Path.of("");
    private Path run = Path.of("");
    private int runs;

    /** Each PE is a node of its own, and its files are protected by those of the others. */
    private LoopJob job(long until) {
        return new LoopJob(until).replication(PES).with(loop -> loop.persist(
                LoopFiles.in(RedundancyConfiguration.of(new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE,
                        run, Scheme.xor(), 2)), "job").host("node" + loop.communicator().originalRank())
                        .degradeSmallSets(true),
                CheckpointInterval.iterations(1)));
    }

    private void nextFolder() {
        run = folder.resolve("run" + runs++);
    }

    private FailureAtEveryCall<LoopJob.Result> saving() {
        return FailureAtEveryCall.of(PES, LocalCluster.restarting(world -> job(UNTIL).converging().run(world)))
                .before(this::nextFolder)
                .checking(this::checkAndGoOn);
    }

    private FailureAtEveryCall<LoopJob.Result> goingOn() {
        nextFolder();
        Path saved = run;
        LocalCluster.run(PES, job(SAVED)::run);
        return FailureAtEveryCall.of(PES, LocalCluster.restarting(world -> job(UNTIL).run(world))).before(() -> {
            nextFolder();
            copy(saved, run);
        }).checking(this::checkAndGoOn);
    }

    private void checkAndGoOn(FailureAtEveryCall.Run<LoopJob.Result> ended) {
        ended.survivors().forEach(result -> assertEquals(LoopJob.expected(UNTIL), result.sums()));
        LoopJob.Result later = LocalCluster.run(2, job(UNTIL + 1)::run).getFirst();
        assertEquals(LoopJob.expected(UNTIL + 1), later.sums());
        assertEquals(later.firstIteration() == 0, later.made() > 0, "made only where nothing is restored");
        if (!ended.survivors().isEmpty()) {
            assertEquals(UNTIL, later.firstIteration(), "what a failure has cut off is saved again");
        }
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> entries = Files.walk(from)) {
            for (Path entry : entries.toList()) {
                Files.copy(entry, to.resolve(from.relativize(entry)));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void savesWhoeverFails() {
        saving().everyNth(149).secondFailures(3).run();
    }

    @Test
    void goesOnWhoeverFails() {
        goingOn().everyNth(149).secondFailures(3).run();
    }

    @Deep
    @Test
    void savesWhoeverFailsAtManyCalls() {
        saving().everyNth(7).secondFailures(5).run();
    }

    @Deep
    @Test
    void goesOnWhoeverFailsAtManyCalls() {
        goingOn().everyNth(7).secondFailures(5).run();
    }
}
