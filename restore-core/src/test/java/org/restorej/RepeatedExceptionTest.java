package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.codec.BlockSerializer;
import org.restorej.codec.Codecs;
import org.restorej.comm.ApplicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.testing.LimitedRun;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.objects.ReplicatedObjects;
import org.restorej.rows.ReplicatedArray;

/** What the application throws again where it was repeated because of that. */
class RepeatedExceptionTest {
    private static final int PES = 6;

    /** Loops with data that change and with constant data, which are told a limit. */
    @FunctionalInterface
    interface Loop {
        int run(Communicator world, int limit, PoisonedPrograms.Trouble trouble);
    }

    static Stream<Loop> loops() {
        return Stream.of(PoisonedPrograms::checkpointLoop, PoisonedPrograms::constantLoop);
    }

    private static <T> List<Throwable> thrown(List<PeOutcome<T>> outcomes) {
        return outcomes.stream().map(outcome -> assertInstanceOf(PeOutcome.Threw.class, outcome).thrown()).toList();
    }

    private static long count(List<Throwable> thrown, Class<? extends Throwable> type) {
        return thrown.stream().filter(type::isInstance).count();
    }

    private static void die(Communicator communicator, int originalRank) {
        FailureSimulation.of(communicator).fail(communicator.ranks().currentRankOf(originalRank));
    }

    @ParameterizedTest
    @MethodSource("loops")
    void aMistakeEndsOnePeAndThenStopsTheLoopOnAll(Loop loop) {
        List<Throwable> thrown = thrown(
                LimitedRun.outcomes(PES, world -> loop.run(world, 1, (comm, mine) -> PoisonedPrograms.poison(mine))));
        assertEquals(1, count(thrown, NoSuchElementException.class), thrown::toString);
        List<Throwable> stopped = thrown.stream().filter(ApplicationFailedException.class::isInstance).toList();
        assertEquals(PES - 1, stopped.size(), thrown::toString);
        assertTrue(
                stopped.stream().allMatch(each -> String.valueOf(each.getMessage()).contains(PoisonedPrograms.MISTAKE)),
                thrown::toString);
        assertEquals(1, stopped.stream().filter(each -> each.getCause() instanceof NoSuchElementException).count(),
                "the one that has thrown has the exception itself");
    }

    @ParameterizedTest
    @MethodSource("loops")
    void theProgramSaysHowManyPesExceptionsMayEnd(Loop loop) {
        for (int limit : new int[]{0, 3}) {
            List<Throwable> thrown = thrown(
                    LimitedRun.outcomes(PES,
                            world -> loop.run(world, limit, (comm, mine) -> PoisonedPrograms.poison(mine))));
            assertEquals(limit, count(thrown, NoSuchElementException.class), thrown::toString);
            assertEquals(PES - limit, count(thrown, ApplicationFailedException.class), thrown::toString);
        }
    }

    /** Three PEs fail one after the other in the same iteration, and one by an exception. */
    @ParameterizedTest
    @MethodSource("loops")
    void failuresOfProcessesDontCount(Loop loop) {
        AtomicInteger exceptions = new AtomicInteger();
        List<PeOutcome<Integer>> outcomes = LimitedRun.outcomes(PES, world -> loop.run(world, 1, (comm, mine) -> {
            switch (comm.size()) {
                case 6 -> die(comm, 1);
                case 5 -> {
                    if (world.rank() == 2) {
                        exceptions.incrementAndGet();
                        throw new NoSuchElementException(PoisonedPrograms.MISTAKE);
                    }
                }
                case 4 -> die(comm, 5);
                case 3 -> die(comm, 0);
                default -> assertEquals(2, comm.size());
            }
        }));
        assertEquals(1, exceptions.get());
        assertEquals(List.of(2, 2), PeOutcome.values(outcomes.stream()
                .filter(outcome -> !(outcome instanceof PeOutcome.Threw<Integer>)).toList()));
        assertEquals(3, outcomes.stream().filter(PeOutcome.Failed.class::isInstance).count(), outcomes::toString);
    }

    /** The PE that has thrown three times calls the loop again each time, while others fail. */
    @Test
    void aPeThatCallsTheLoopAgainDoesntCount() {
        List<PeOutcome<Integer>> outcomes = LimitedRun.outcomes(PES, world -> {
            int[] mistakes = {0};
            int[] visits = {0};
            try (ReplicatedArray<int[]> array = ReplicatedArray.ofInts(ReStore.builder(world).replication(3), 12, 1);
                    CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(PES, 12),
                            CheckpointInterval.iterations(10))) {
                loop.keep(array.local(mine -> new int[(int) mine.blockCount()]));
                while (loop.iteration() < 4) {
                    try {
                        loop.run(4, (comm, iteration) -> {
                            if (world.rank() == 1 && iteration == 2 && visits[0]++ == 1) {
                                die(comm, 1);
                            }
                            if (world.rank() == 3 && iteration == 2 && mistakes[0] < 3) {
                                mistakes[0]++;
                                throw new ArithmeticException("a mistake");
                            }
                            comm.allReduce(1L, Reduction.SUM);
                        });
                    } catch (ArithmeticException mistake) {
                        assertEquals(3, world.rank());
                    }
                }
            }
            return mistakes[0];
        });
        assertEquals(List.of(0, 0, 3, 0, 0), PeOutcome.values(outcomes));
    }

    /** Each ends a PE, and each time the others come further. */
    @Test
    void exceptionsInDifferentIterationsDontStopTheLoop() {
        List<PeOutcome<Integer>> outcomes = LimitedRun.outcomes(PES, world -> {
            try (ReplicatedArray<int[]> array = ReplicatedArray.ofInts(ReStore.builder(world), 12, 1);
                    CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(PES, 12),
                            CheckpointInterval.iterations(2))) {
                loop.keep(array.local(mine -> new int[(int) mine.blockCount()]));
                loop.run(10, (comm, iteration) -> {
                    if (iteration == 3L * world.rank() && comm.size() == PES - iteration / 3) {
                        throw new ArithmeticException("a mistake");
                    }
                    comm.allReduce(1L, Reduction.SUM);
                });
                return loop.communicator().size();
            }
        });
        assertEquals(List.of(2, 2), PeOutcome.values(outcomes.subList(4, PES)));
        assertEquals(4, count(thrown(outcomes.subList(0, 4)), ArithmeticException.class));
    }

    /** Readable by the PE that has made it, and by nobody else. */
    private static final class Unreadable implements BlockSerializer<Long> {
        @Override
        public OptionalLong fixedSizeBytes() {
            return OptionalLong.of(Long.BYTES);
        }

        @Override
        public long sizeBytes(Long object) {
            return Long.BYTES;
        }

        @Override
        public void write(Long object, MemorySegment block) {
            Codecs.LONG.write(object, block);
        }

        @Override
        public Long read(MemorySegment block) {
            long read = Codecs.LONG.read(block);
            if (read == 5) {
                throw new ArithmeticException("object 5 can't be read");
            }
            return read;
        }
    }

    /** A PE fails, and whoever is to take its object over throws in the recovery. */
    @Test
    void aMistakeInRecoveriesStopsTheLoopOnAll() {
        List<PeOutcome<Integer>> outcomes = LimitedRun.outcomes(PES, world -> {
            try (ReplicatedObjects<Long> all = ReplicatedObjects.of(ReStore.builder(world), 12, new Unreadable());
                    CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(PES, 12),
                            CheckpointInterval.iterations(2))) {
                loop.keep(all.constant(id -> id));
                loop.run(6, (comm, iteration) -> {
                    if (iteration == 3 && comm.size() == PES) {
                        die(comm, 2);
                    }
                    comm.allReduce(1L, Reduction.SUM);
                });
                return 0;
            }
        });
        assertInstanceOf(PeOutcome.Failed.class, outcomes.get(2));
        List<Throwable> thrown = thrown(outcomes.stream().filter(each -> !(each instanceof PeOutcome.Failed)).toList());
        assertEquals(1, count(thrown, IllegalArgumentException.class), thrown::toString);
        assertEquals(PES - 2, count(thrown, ApplicationFailedException.class), thrown::toString);
    }

    @Test
    void aMistakeInAProgramThatIsBegunAgainStopsItOnAll() {
        Set<Integer> begun = ConcurrentHashMap.newKeySet();
        List<Throwable> thrown = thrown(LimitedRun.outcomes(PES, LocalCluster.restarting(world -> {
            begun.add(world.size());
            return PoisonedPrograms.begun(world, (comm, mine) -> PoisonedPrograms.poison(mine));
        })));
        assertEquals(Set.of(PES, PES - 1), begun);
        assertEquals(2, count(thrown, NoSuchElementException.class), thrown::toString);
        assertEquals(PES - 2, count(thrown, ApplicationFailedException.class), thrown::toString);
    }

    /** Three failures of processes, and an exception before them. */
    @Test
    void aProgramIsBegunAgainAsOftenAsProcessesFail() {
        List<PeOutcome<Integer>> outcomes = LimitedRun.outcomes(PES,
                LocalCluster.restarting(world -> PoisonedPrograms.begun(world,
                        (comm, mine) -> {
                            if (comm.size() == PES && comm.rank() == 4) {
                                throw new NoSuchElementException(PoisonedPrograms.MISTAKE);
                            }
                            comm.allReduce(1L, Reduction.SUM);
                            if (comm.size() > 2 && comm.size() < PES) {
                                FailureSimulation.of(comm).fail(0);
                            }
                        })));
        assertEquals(List.of(2, 2), PeOutcome.values(outcomes.stream()
                .filter(outcome -> !(outcome instanceof PeOutcome.Threw<Integer>)).toList()));
        assertEquals(3, outcomes.stream().filter(PeOutcome.Failed.class::isInstance).count(), outcomes::toString);
    }

    /** The loop has survived one; two more end the program only when it was begun again after the first of them. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anExceptionThatALoopHasSurvivedDoesntCountForTheProgram(boolean thrownOnAsACause) {
        Set<Integer> begun = ConcurrentHashMap.newKeySet();
        List<PeOutcome<Integer>> outcomes = LimitedRun.outcomes(PES, LocalCluster.restarting(world -> {
            begun.add(world.size());
            if (world.size() == PES) {
                try {
                    PoisonedPrograms.constantLoop(world, 1, (comm, mine) -> {
                        if (comm.size() == PES) {
                            PoisonedPrograms.poison(mine);
                        }
                    });
                } catch (NoSuchElementException mistake) {
                    throw thrownOnAsACause ? new IllegalStateException("in the loop", mistake) : mistake;
                }
                if (world.rank() == 0) {
                    throw new NoSuchElementException(PoisonedPrograms.MISTAKE);
                }
            }
            return (int) world.allReduce(1L, Reduction.SUM);
        }));
        assertEquals(Set.of(PES, PES - 2), begun);
        assertEquals(List.of(PES - 2, PES - 2, PES - 2, PES - 2), PeOutcome.values(outcomes.stream()
                .filter(each -> !(each instanceof PeOutcome.Threw<Integer>)).toList()));
    }

    /** All count alike, also the PE that throws what all would know, beside another one's mistake. */
    @Test
    void aPeThatThrowsWhatAllKnowCountsTheMistakeOfAnother() {
        List<PeOutcome<Integer>> outcomes = LimitedRun.outcomes(PES, world -> {
            try (ReStore store = ReStore.builder(world).blocks(12).blockSizeBytes(8).build();
                    CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(PES, 12),
                            CheckpointInterval.iterations(1))) {
                loop.keep(HeldBlocks.of(store, new TestBlocks(8, 1)));
                boolean[] begun = {false};
                CheckpointLoop.Evaluation<Integer> step = comm -> {
                    if (!begun[0]) {
                        begun[0] = true;
                        if (world.rank() == 2) {
                            throw new InvalidSubmissionException("known to all");
                        } else if (world.rank() == 3) {
                            throw new ArithmeticException("a mistake");
                        }
                    }
                    return (int) comm.allReduce(1L, Reduction.SUM);
                };
                try {
                    return loop.evaluate(step);
                } catch (InvalidSubmissionException | ArithmeticException once) {
                    return -loop.evaluate(step);
                }
            }
        });
        assertEquals(List.of(PES, PES, -PES, -PES, PES, PES), PeOutcome.values(outcomes));
    }

    @Test
    void aLimitBelowZeroIsRefused() {
        LocalCluster.run(1, world -> {
            try (CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(1, 1),
                    CheckpointInterval.iterations(1))) {
                assertEquals("the limit of exceptions must be 0 or more: -1",
                        assertThrows(IllegalArgumentException.class, () -> loop.exceptionLimit(-1)).getMessage());
            }
            return 0;
        });
    }
}
