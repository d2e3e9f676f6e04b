package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.SmallLoops.ROWS;
import static org.restorej.SmallLoops.array;
import static org.restorej.SmallLoops.dieOnce;
import static org.restorej.SmallLoops.loop;
import static org.restorej.SmallLoops.misused;
import static org.restorej.SmallLoops.numbers;
import static org.restorej.SmallLoops.sameText;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.codec.Codecs;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.LoopValue;
import org.restorej.objects.ReplicatedStreams;
import org.restorej.placement.FailedRanks;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/** What the loop does after failures, and with what applications throw. */
class CheckpointLoopTroubleTest {
    /** From the time that a PE has measured before it has thrown, others could choose another one. */
    @Test
    void afterAFailureTheNumberOfIterationsToACheckpointIsTheFirstOneAgain() {
        LocalCluster.run(2, world -> {
            try (ReplicatedArray<int[]> array = array(world);
                    CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(2, ROWS),
                            CheckpointInterval.time(Duration.ofDays(1)))) {
                loop.keep(array.local(SmallLoops::zeros));
                List<Long> iterations = new ArrayList<>();
                List<Long> generations = new ArrayList<>();
                boolean[] mistaken = {true};
                while (loop.iteration() < 20) {
                    try {
                        loop.run(20, (comm, iteration) -> {
                            iterations.add(iteration);
                            generations.add(array.store().generation());
                            comm.allReduce(1L, Reduction.SUM);
                            if (iteration == 14 && mistaken[0]) {
                                mistaken[0] = false;
                                throw new ArithmeticException("a mistake of all");
                            }
                        });
                    } catch (ArithmeticException mistake) {
                        assertEquals(14, loop.iteration());
                    }
                }
                // It doubles: checkpoints after iterations 1, 3, 7; then again after 8, 10, 14.
                assertEquals(List.of(1L, 2L, 2L, 3L, 3L, 3L, 3L, 4L), generations.subList(0, 8));
                int again = iterations.lastIndexOf(7L);
                assertTrue(again > 7, iterations::toString);
                assertEquals(List.of(4L, 5L, 5L, 6L), generations.subList(again, again + 4));
                return 0;
            }
        });
    }

    /** Of rows that change a new generation has all replicas; of constant ones only what is made again. */
    @Test
    void constantRowsSurviveOneFailureAfterTheOther() {
        for (int first = 0; first < 4; first++) {
            for (int second = 0; second < 4; second++) {
                if (first != second) {
                    assertEquals(List.of(BlockRanges.EMPTY, BlockRanges.EMPTY), lostAfter(first, second),
                            "failed first and second: " + first + ", " + second);
                }
            }
        }
    }

    private static List<BlockRanges> lostAfter(int first, int second) {
        return LocalCluster.run(4, world -> {
            try (ReplicatedArray<int[]> constant = ReplicatedArray.ofInts(ReStore.builder(world).replication(2), 16, 1);
                    ReplicatedArray<int[]> changing = ReplicatedArray.ofInts(ReStore.builder(world).replication(2), 16,
                            1);
                    CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.contiguous(4, 16),
                            CheckpointInterval.iterations(2))) {
                loop.keep(constant.constant(SmallLoops::zeros));
                loop.keep(changing.local(SmallLoops::zeros));
                loop.run(10, (comm, iteration) -> {
                    if (iteration == 3 && comm.size() == 4) {
                        FailureSimulation.of(comm).fail(comm.ranks().currentRankOf(first));
                    }
                    if (iteration == 7 && comm.size() == 3) {
                        FailureSimulation.of(comm).fail(comm.ranks().currentRankOf(second));
                    }
                    comm.allReduce(1L, Reduction.SUM);
                });
                return constant.store().lostBlocks();
            }
        });
    }

    /** Both the rows that change and those that don't, so that a program may go through them side by side. */
    @Test
    void rowsAreInAscendingOrderWhoeverFails() {
        LocalCluster.run(4, world -> {
            try (ReplicatedArray<int[]> array = array(world);
                    ReplicatedArray<int[]> constant = array(world);
                    CheckpointLoop loop = loop(world, ROWS)) {
                LocalRows<int[]> rows = loop.keep(array.local(SmallLoops::numbers));
                LocalRows<int[]> weights = loop.keep(constant.constant(SmallLoops::numbers));
                loop.run(3, (comm, iteration) -> dieOnce(comm, world, 0));
                assertEquals(rows.ids(), weights.ids());
                assertTrue(rows.count() > 3 || world.rank() == 0, "rows of the failed PEs are here");
                assertEquals(Arrays.toString(numbers(loop.blocks())), Arrays.toString(weights.values()));
                return sameText(Arrays.toString(weights.values()), Arrays.toString(rows.values()));
            }
        });
    }

    @Test
    void theLoopsBalancerSaysWhoWorksOnWhat() {
        LocalCluster.run(3, world -> {
            try (ReplicatedArray<int[]> other = ReplicatedArray.ofInts(ReStore.builder(world), 5, 1);
                    ReplicatedArray<int[]> array = array(world);
                    CheckpointLoop loop = loop(world, ROWS)) {
                loop.keep(other.local(SmallLoops::zeros), LoadBalancer.contiguous(3, 5));
                assertEquals("the loop keeps no blocks that its balancer hands out", misused(() -> loop.rankOf(0)));
                loop.keep(array.local(SmallLoops::zeros));
                loop.run(2, (comm, iteration) -> dieOnce(comm, world, 1));
                for (long row = 0; row < ROWS; row++) {
                    assertEquals(loop.blocks().contains(row), loop.rankOf(row) == loop.communicator().rank());
                }
                return 0;
            }
        });
    }

    /** What a writer throws all PEs are told of; what a reader throws ends its PE alone. */
    @Test
    void exceptionsOfStreamsLeaveNobodyWaiting() {
        List<Long> lengths = LocalCluster.run(3, world -> {
            boolean[] full = {world.rank() == 1};
            boolean[] torn = {world.rank() == 2};
            try (ReplicatedStreams streams = ReplicatedStreams.of(ReStore.builder(world), 3);
                    CheckpointLoop loop = loop(world, 3)) {
                loop.keep(streams.local(part -> {}, (part, out) -> {
                    out.write(new byte[(int) part + 1]);
                    if (full[0]) {
                        full[0] = false;
                        throw new IOException("no space");
                    }
                }, (part, in) -> {
                    assertEquals(part + 1, in.available());
                    if (torn[0]) {
                        torn[0] = false;
                        throw new EOFException("torn");
                    }
                }));
                String message = String.valueOf(assertThrows(InvalidSubmissionException.class,
                        () -> loop.run(1, (comm, iteration) -> {})).getMessage());
                assertEquals(world.rank() == 1, message.contains("part 1 can't be written"), message);
                loop.run(1, (comm, iteration) -> {});
                boolean[] mistaken = {world.rank() == 0};
                CheckpointLoop.Step step = (comm, iteration) -> {
                    if (mistaken[0]) {
                        mistaken[0] = false;
                        throw new ArithmeticException("a mistake");
                    }
                    comm.allReduce(1L, Reduction.SUM);
                };
                long thrown = 0;
                while (loop.iteration() < 2) {
                    try {
                        loop.run(2, step);
                    } catch (ArithmeticException mistake) {
                        assertEquals(0, world.rank());
                        thrown += 1;
                    } catch (IllegalArgumentException unread) {
                        assertEquals("part 2 can't be read from its 3 bytes: java.io.EOFException: torn",
                                unread.getMessage());
                        thrown += 2;
                    }
                }
                return thrown;
            }
        });
        assertEquals(List.of(1L, 0L, 2L), lengths);
    }

    /** A failure hands the blocks out in place of the adoption, which then has nothing to do. */
    @Test
    void whatAnObserverOfARecoveryThrowsEndsAnAdoption() {
        List<Boolean> thrown = LocalCluster.run(3, world -> {
            LoadBalancer balancer = LoadBalancer.equal(3, ROWS);
            try (ReplicatedArray<int[]> array = array(world);
                    CheckpointLoop loop = observed(world, balancer, world.rank() == 0)) {
                loop.keep(array.local(SmallLoops::zeros));
                loop.run(1, (comm, iteration) -> {});
                return throwsOnce(() -> loop.adopt(() -> {
                    dieOnce(loop.communicator(), world, 2);
                    return balancer.rebalance(FailedRanks.NONE);
                }));
            }
        });
        assertEquals(List.of(true, false), thrown);
    }

    /** All have thrown in an iteration, and go back before it when they call the loop again. */
    @Test
    void whatAnObserverOfARecoveryThrowsEndsARunWithoutIterations() {
        List<Boolean> thrown = LocalCluster.run(2, world -> {
            try (ReplicatedArray<int[]> array = array(world);
                    CheckpointLoop loop = observed(world, LoadBalancer.equal(2, ROWS), world.rank() == 0)) {
                loop.keep(array.local(SmallLoops::zeros));
                loop.run(1, (comm, iteration) -> {});
                assertThrows(ArithmeticException.class, () -> loop.run(2, (comm, iteration) -> {
                    throw new ArithmeticException("a mistake of all");
                }));
                return throwsOnce(() -> loop.run(1, (comm, iteration) -> {}));
            }
        });
        assertEquals(List.of(true, false), thrown);
    }

    @Test
    void anObserverThatUsesARevokedCommunicatorDoesNotMakeALoopRecoverForEver() {
        List<String> told = LocalCluster.run(3, world -> {
            try (ReplicatedArray<int[]> array = array(world);
                    CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(3, ROWS),
                            CheckpointInterval.iterations(1)).onRecovery(recovery -> world.barrier())) {
                loop.keep(array.local(SmallLoops::zeros));
                return String.valueOf(assertThrows(IllegalStateException.class,
                        () -> loop.run(3, (comm, iteration) -> dieOnce(comm, world, 2))).getMessage());
            }
        });
        assertEquals(2, told.size());
        told.forEach(message -> assertTrue(message.contains("times although no PE has failed"), message));
    }

    @Test
    void exceptionsAfterWhichTheProgramCallsTheLoopAgainAreNamedAsTheCause() {
        List<String> told = LocalCluster.run(2, world -> {
            try (ReplicatedArray<int[]> array = array(world);
                    CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(2, ROWS),
                            CheckpointInterval.iterations(1))) {
                loop.keep(array.local(SmallLoops::zeros));
                Executable run = () -> loop.run(3, (comm, iteration) -> {
                    if (world.rank() == 0) {
                        throw new ArithmeticException("passed over");
                    }
                });
                if (world.rank() == 1) {
                    return String.valueOf(assertThrows(IllegalStateException.class, run).getMessage());
                }
                for (int time = 0; time < 12; time++) {
                    assertThrows(ArithmeticException.class, run);
                }
                return "";
            }
        });
        assertEquals(
                "the same iterations have failed 10 times although no PE has failed: exceptions of the application "
                        + "have ended them, and the program has called the loop again",
                told.get(1));
    }

    /** PE 1 alone can't free what it submitted: it goes on with the others, and has freed the rest. */
    @Test
    void aCopyThatCanNotBeFreedAfterTheCommitEndsNothing() {
        LocalCluster.run(2, world -> {
            try (HeldMemory held = new HeldMemory();
                    ReStore store = ReStore.builder(world).blocks(ROWS).blockSizeBytes(8).build();
                    ReStore other = ReStore.builder(world).blocks(ROWS).blockSizeBytes(8).build();
                    ReplicatedArray<int[]> array = array(world);
                    CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(2, ROWS),
                            CheckpointInterval.iterations(1))) {
                loop.keep(new CopiedZeros(store, memory -> {
                    if (loop.iteration() == 2 && world.rank() == 1) {
                        held.hold(memory);
                    }
                }));
                List<MemorySegment> freed = new ArrayList<>();
                loop.keep(new CopiedZeros(other, memory -> freed.add(memory.allocate(1 << 10))));
                LocalRows<int[]> rows = loop.keep(array.local(SmallLoops::zeros));
                LoopValue<Long> value = loop.value(Codecs.LONG, 0L);
                CheckpointLoop.Step step = (comm, iteration) -> {
                    value.set(value.get() + 1);
                    Arrays.setAll(rows.values(), i -> rows.values()[i] + 1);
                };
                loop.run(4, step);
                freed.forEach(copy -> assertFalse(copy.scope().isAlive(), "the other copies are freed"));
                assertEquals(world.rank() == 1, held.isHeld());
                assertEquals(4L, value.get());
                return sameText(Arrays.toString(new int[]{4, 4, 4, 4, 4, 4}), Arrays.toString(rows.values()));
            }
        });
    }

    /** Its memory is needed again. */
    @Test
    void aPartThatCanNotBeWrittenLeavesNoMemoryBehind() {
        LocalCluster.run(1, world -> {
            boolean[] mistaken = {false};
            try (ReplicatedStreams streams = ReplicatedStreams.of(ReStore.builder(world), 1);
                    CheckpointLoop loop = loop(world, 1)) {
                loop.keep(streams.local(part -> {}, (part, out) -> {
                    out.write(new byte[1 << 20]);
                    if (mistaken[0]) {
                        throw new IOException("meant");
                    }
                }, (part, in) -> in.readAllBytes()));
                loop.run(1, (comm, iteration) -> {});
                long before = NativeMemory.openBytes();
                mistaken[0] = true;
                assertThrows(InvalidSubmissionException.class, () -> loop.run(2, (comm, iteration) -> {}));
                assertEquals(before, NativeMemory.openBytes());
            }
            return true;
        });
    }

    /** A loop whose observer of recoveries throws the first time. */
    private static CheckpointLoop observed(Communicator world, LoadBalancer balancer, boolean throwing) {
        boolean[] mistaken = {throwing};
        return new CheckpointLoop(world, balancer, CheckpointInterval.iterations(1)).onRecovery(recovery -> {
            if (mistaken[0]) {
                mistaken[0] = false;
                throw new ArithmeticException("a mistake of an observer");
            }
        });
    }

    /** Whether a call of the loop throws; then the same call is made again, since the others are in it. */
    private static boolean throwsOnce(Runnable call) {
        try {
            call.run();
            return false;
        } catch (ArithmeticException mistake) {
            call.run();
            return true;
        }
    }
}
