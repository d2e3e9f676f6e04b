package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeFailedException;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.LoopStorage;
import org.restorej.loop.ToBeContinuedException;

/** What one PE alone meets in a level of storage: all PEs go on, or end, alike. */
class LoopFilesAlikeTest {
    private static final int PES = 4;
    private static final CheckpointInterval EACH = CheckpointInterval.iterations(1);

    @TempDir
    private Path folder = Path.of("");

    private LoopFiles files() {
        return LoopFiles.in(folder, "job");
    }

    /** What happens before a call of a level, or after it was opened. */
    @FunctionalInterface
    interface Before {
        void call(String method) throws IOException;
    }

    /** A level before whose calls something happens. */
    static LoopStorage observed(LoopStorage storage, Before before) {
        return (LoopStorage) Proxy.newProxyInstance(LoopStorage.class.getClassLoader(),
                new Class<?>[]{LoopStorage.class},
                (proxy, method, arguments) -> {
                    before.call(method.getName());
                    try {
                        Object result = method.invoke(storage, arguments);
                        afterwards(method.getName(), result, before);
                        return result instanceof LoopStorage.Level level ? observed(level, before) : result;
                    } catch (InvocationTargetException thrown) {
                        throw Objects.requireNonNull(thrown.getCause());
                    }
                });
    }

    private static void afterwards(String method, Object result, Before before) throws IOException {
        try {
            before.call("after " + method);
        } catch (RuntimeException refused) {
            if (result instanceof LoopStorage.Level level) {
                level.close();
            }
            throw refused;
        }
    }

    private static LoopStorage.Level observed(LoopStorage.Level level, Before before) {
        return (LoopStorage.Level) Proxy.newProxyInstance(LoopStorage.class.getClassLoader(),
                new Class<?>[]{LoopStorage.Level.class}, (proxy, method, arguments) -> {
                    before.call(method.getName());
                    try {
                        Object result = method.invoke(level, arguments);
                        afterwards(method.getName(), result, before);
                        return result instanceof LoopStorage.Level next ? observed(next, before) : result;
                    } catch (InvocationTargetException thrown) {
                        throw Objects.requireNonNull(thrown.getCause());
                    }
                });
    }

    private static void assertAllThrow(Class<? extends Throwable> thrown, String message, int pes,
            LocalCluster.PeProgram<LoopJob.Result> program) {
        try (LocalCluster cluster = LocalCluster.builder(PES).build()) {
            List<PeOutcome<LoopJob.Result>> outcomes = cluster.run(program);
            for (PeOutcome<LoopJob.Result> outcome : outcomes.subList(0, pes)) {
                Throwable met = assertInstanceOf(PeOutcome.Threw.class, outcome, outcome::toString).thrown();
                assertInstanceOf(thrown, met);
                assertTrue(String.valueOf(met.getMessage()).contains(message), met::toString);
            }
        }
    }

    private List<String> checkpoints(String name) throws IOException {
        try (Stream<Path> entries = Files.list(folder.resolve(name))) {
            return entries.map(entry -> entry.getFileName().toString()).filter(entry -> entry.startsWith("checkpoint"))
                    .sorted().toList();
        }
    }

    @Test
    void aPeWithoutMemoryToWriteKeepsNobodyWaiting() throws IOException {
        List<LoopJob.Result> results = LocalCluster.run(PES, world -> {
            int[] writes = {0};
            return new LoopJob(3).in(observed(files(), method -> {
                if (method.equals("write") && world.rank() == 1 && ++writes[0] == 2) {
                    throw new OutOfMemoryError("test");
                }
            })).run(world);
        });
        results.forEach(result -> assertEquals(LoopJob.expected(3), result.sums()));
        assertEquals(List.of("checkpoint.3"), checkpoints("job"));
    }

    @Test
    void whatFailsLeavesNoBlocksThatDoNotChange() throws IOException {
        AtomicInteger most = new AtomicInteger();
        LocalCluster.run(PES, world -> new LoopJob(6).in(observed(files(), method -> {
            if (method.equals("write") && world.rank() == 1) {
                throw new OutOfMemoryError("test");
            }
        })).before((comm, iteration) -> {
            comm.barrier();
            if (comm.rank() == 0 && iteration > 0) {
                most.accumulateAndGet(checkpoints("job.constant").size(), Math::max);
            }
            comm.barrier();
        }).run(world));
        assertEquals(0, most.get(), "checkpoints of blocks that don't change, between iterations");
    }

    @Test
    void whatKilledJobsHaveLeftIsRemovedWhenASaveFails() throws IOException {
        LocalCluster.run(PES, new LoopJob(1).in(files())::run);
        Files.writeString(Files.createDirectories(folder.resolve("job/checkpoint.7")).resolve("0.store0"), "half");
        Files.writeString(Files.createDirectories(folder.resolve("job.constant/checkpoint.7")).resolve("0.store1"), "");
        LocalCluster.run(PES, world -> new LoopJob(2).in(observed(files(), method -> {
            if (method.equals("write") && world.rank() == 1) {
                throw new OutOfMemoryError("test");
            }
        })).run(world));
        assertEquals(List.of("checkpoint.1"), checkpoints("job"));
        assertEquals(List.of("checkpoint.1"), checkpoints("job.constant"));
    }

    @Test
    void aLevelThatOnePeCannotOpenAgainIsOpenedByNone() throws IOException {
        List<LoopJob.Result> results = LocalCluster.run(PES, world -> {
            int[] opened = {0};
            return new LoopJob(6).replication(PES).in(observed(files(), method -> {
                if (method.equals("after open") && world.rank() == 1 && ++opened[0] == 2) {
                    throw new IllegalStateException("only here");
                }
            })).lastPeFailsBefore(2).run(world);
        });
        assertEquals(PES - 1, results.size());
        results.forEach(result -> assertEquals(LoopJob.expected(6), result.sums()));
        assertEquals(6, LocalCluster.run(PES, new LoopJob(7).in(files())::run).getFirst().firstIteration());
    }

    @Test
    void anotherDescriptionOnOnePeEndsAll() {
        LocalCluster.run(PES, new LoopJob(2).in(files())::run);
        assertAllThrow(IllegalStateException.class, "is of another program", PES,
                world -> new LoopJob(3).described(world.rank() == 2 ? "other data" : "").in(files()).run(world));
    }

    @Test
    void aJobEndsToBeContinuedAlsoWhereALevelIsNotOpenAfterAFailure() {
        Path near = folder.resolve("near");
        assertAllThrow(ToBeContinuedException.class, "goes on from iteration 5", PES - 1, world -> {
            int[] opened = {0};
            LoopStorage refused = observed(LoopFiles.in(near, "job"), method -> {
                if (method.equals("open") && ++opened[0] > 1) {
                    throw new IllegalStateException("gone");
                }
            });
            return new LoopJob(9).replication(PES).with(loop -> loop
                    .persist(refused, CheckpointInterval.iterations(100)).persist(files(), EACH))
                    .lastPeFailsBefore(2).stoppingAt(4, folder.resolve("job")).run(world);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFailureWhileTheEarlierJobsBlocksAreLoadedEndsNobodyElse(boolean withInput) {
        LocalCluster.run(PES, new LoopJob(3).in(files())::run);
        List<LoopJob.Result> results = survivors(world -> {
            int[] loads = {0};
            LoopJob job = new LoopJob(5).replication(PES).in(observed(files(), method -> {
                if (method.equals("load") && world.rank() == 1 && ++loads[0] == 3) {
                    throw new IllegalStateException("only here");
                }
            }));
            return (withInput ? job.withInput() : job).run(world);
        });
        for (LoopJob.Result result : results) {
            assertEquals(LoopJob.expected(5), result.sums());
            assertEquals(3, result.firstIteration());
        }
    }

    /** Otherwise a whole interval would pass before the next one. */
    @Test
    void aCheckpointThatAFailureInterruptsIsDueAgain() {
        survivors(world -> {
            int[] completed = {0};
            return new LoopJob(5).replication(PES).with(loop -> loop.persist(observed(files(), method -> {
                if (method.equals("complete") && world.rank() == 1 && ++completed[0] == 1) {
                    throw new IllegalStateException("only here");
                }
            }), CheckpointInterval.iterations(3))).run(world);
        });
        assertEquals(4, LocalCluster.run(PES, new LoopJob(6).in(files())::run).getFirst().firstIteration());
    }

    /** What the PEs come to that haven't thrown: all but one. */
    private static List<LoopJob.Result> survivors(LocalCluster.PeProgram<LoopJob.Result> program) {
        try (LocalCluster cluster = LocalCluster.builder(PES).build()) {
            List<PeOutcome<LoopJob.Result>> outcomes = cluster.run(program);
            List<LoopJob.Result> results = new ArrayList<>();
            for (PeOutcome<LoopJob.Result> outcome : outcomes) {
                if (outcome instanceof PeOutcome.Returned<LoopJob.Result> returned) {
                    results.add(returned.value());
                }
            }
            assertEquals(PES - 1, results.size(), outcomes::toString);
            return results;
        }
    }

    private void assertSecondJobRefused() {
        PeFailedException refused = assertThrows(PeFailedException.class,
                () -> LocalCluster.run(PES - 1, new LoopJob(9).in(files())::run));
        assertTrue(String.valueOf(refused.getCause()).contains("in use by the thread"),
                refused::getMessage);
    }

    @Test
    void aSecondJobIsRefusedAsLongAsTheFirstRuns() {
        List<LoopJob.Result> results = LocalCluster.run(PES, world -> new LoopJob(6).replication(PES)
                .with(loop -> loop.persist(files(), CheckpointInterval.iterations(3)))
                .lastPeFailsBefore(3).before((comm, iteration) -> {
                    // After the failure nothing is saved before iteration 6.
                    if (comm.rank() == 0 && ((iteration == 3 && comm.size() == PES) || iteration == 5)) {
                        assertSecondJobRefused();
                    }
                }).run(world));
        results.forEach(result -> assertEquals(LoopJob.expected(6), result.sums()));
    }

    /** A job on fewer nodes, whose ranks are others than those that the first job has there. */
    @Test
    void aSecondJobOnOneNodeOfTheFirstIsRefused() {
        List<LoopJob.Result> results = LocalCluster.run(PES, world -> new LoopJob(4)
                .with(loop -> loop.persist(onNode(world.rank() / 2), EACH)).before((comm, iteration) -> {
                    if (comm.rank() == 0 && iteration == 2) {
                        PeFailedException refused = assertThrows(PeFailedException.class, () -> LocalCluster.run(
                                PES / 2, new LoopJob(9).in(onNode(1).startFresh(true))::run));
                        assertTrue(String.valueOf(refused.getCause()).contains("in use by the thread"),
                                refused::getMessage);
                    }
                    comm.barrier();
                }).run(world));
        results.forEach(result -> assertEquals(LoopJob.expected(4), result.sums()));
        assertEquals(4, LocalCluster.run(PES, world -> new LoopJob(5)
                .with(loop -> loop.persist(onNode(world.rank() / 2), EACH)).run(world)).getFirst().firstIteration());
    }

    private LoopFiles onNode(int node) {
        return LoopFiles.in(RedundancyConfiguration.of(new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE,
                folder.resolve("node" + node), Scheme.single(), PES)), "job").host("node" + node)
                .degradeSmallSets(true);
    }

    /** The survivors have other ranks than a job of one PE. */
    @Test
    void aSecondJobIsRefusedBesideSurvivorsOfTheFirstRank() {
        List<LoopJob.Result> results = survivors(world -> new LoopJob(6).replication(PES).in(files())
                .before((comm, iteration) -> {
                    if (iteration == 2 && comm.originalRank().value() == 0) {
                        FailureSimulation.of(comm).fail(0);
                    }
                    if (iteration == 4 && comm.rank() == 0) {
                        PeFailedException refused = assertThrows(PeFailedException.class,
                                () -> LocalCluster.run(1, new LoopJob(9).in(files())::run));
                        assertTrue(String.valueOf(refused.getCause()).contains("in use by the thread"),
                                refused::getMessage);
                    }
                }).run(world));
        results.forEach(result -> assertEquals(LoopJob.expected(6), result.sums()));
        assertEquals(6, LocalCluster.run(PES, new LoopJob(7).in(files())::run).getFirst().firstIteration());
    }

    /** The loop itself compares texts. */
    @Test
    void aSecondLoopOfTheSameProgramIsRefusedWhileTheFirstIsOpenThroughAnotherPath() {
        LocalCluster.run(PES, world -> new LoopJob(3).in(files()).with(loop -> {
            RedsetException refused = assertThrows(RedsetException.class,
                    () -> new LoopJob(9).in(LoopFiles.in(folder.resolve("."), "job")).run(world));
            assertTrue(String.valueOf(refused.getMessage()).contains("in use by this program itself"),
                    refused::getMessage);
        }).run(world)).forEach(result -> assertEquals(LoopJob.expected(3), result.sums()));
        assertEquals(3, LocalCluster.run(PES, new LoopJob(4).in(files())::run).getFirst().firstIteration());
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "../link", "../missing/../link"})
    void twoLevelsInTheSamePlaceAreRefusedByWhateverPath(String path) throws IOException {
        Path real = Files.createDirectories(folder.resolve("real"));
        Files.createSymbolicLink(folder.resolve("link"), real);
        assertAllThrow(RedsetException.class, "in use by this program itself", PES, world -> new LoopJob(3)
                .in(LoopFiles.in(real, "job"), LoopFiles.in(real.resolve(path), "job")).run(world));
    }

    /** Both have begun before anything was saved: the second finds out when it saves, under the same id. */
    @Test
    void aSecondJobRemovesNothingOfTheFirst() throws InterruptedException {
        CountDownLatch opened = new CountDownLatch(PES);
        CountDownLatch saved = new CountDownLatch(PES);
        CountDownLatch ended = new CountDownLatch(1);
        Thread first = Thread.ofPlatform().start(
                () -> LocalCluster.run(PES, new LoopJob(2).in(files()).before((comm, iteration) -> {
                    if (iteration == 0) {
                        opened.await();
                    } else {
                        saved.countDown();
                        ended.await();
                    }
                })::run));
        try {
            LocalCluster.run(PES, new LoopJob(2).in(files()).with(loop -> opened.countDown())
                    .before((comm, iteration) -> saved.await())::run)
                    .forEach(result -> assertEquals(LoopJob.expected(2), result.sums()));
            assertTrue(Files.exists(folder.resolve("job/checkpoint.1/0.store0")));
            assertTrue(Files.exists(folder.resolve("job.constant/checkpoint.1/0.store1")));
        } finally {
            ended.countDown();
            first.join();
        }
        assertEquals(2, LocalCluster.run(PES, new LoopJob(3).in(files())::run).getFirst().firstIteration());
    }
}
