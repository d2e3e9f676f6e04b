package org.restorej.comm;

import org.restorej.comm.testing.ContractProgram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.comm.testing.Messages.await;
import static org.restorej.comm.testing.Messages.bytes;
import static org.restorej.comm.testing.Messages.number;
import static org.restorej.comm.testing.Messages.numberIn;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.restorej.comm.testing.CallRecorder;

/** What the local cluster promises besides being a communicator. */
@Timeout(120)
class LocalClusterTest {
    private static List<CallRecorder.Call> traceOf(long seed) {
        CallRecorder recorder = new CallRecorder();
        try (LocalCluster cluster = LocalCluster.builder(4).singleStepping(seed).faults(recorder).build()) {
            PeOutcome.values(cluster.run(world -> {
                for (ContractProgram program : CommunicatorContractPrograms.ALL) {
                    if (!program.name().equals("aLargeMessageArrives")) {
                        program.runIsolated(world);
                    }
                }
                return world.rank();
            }));
        }
        return recorder.calls();
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        long seed = ThreadLocalRandom.current().nextLong();
        assertEquals(traceOf(seed), traceOf(seed), "seed=" + seed);
    }

    @Test
    void differentSeedsGiveDifferentRuns() {
        Set<List<CallRecorder.Call>> traces = new HashSet<>();
        for (long seed = 0; seed < 10; seed++) {
            traces.add(traceOf(seed));
        }
        assertEquals(10, traces.size());
    }

    @Test
    void reportsTheFirstFailureAndTheOthersSeeAFailedProcess() {
        PeFailedException failure = assertThrows(PeFailedException.class, () -> LocalCluster.run(4, world -> {
            if (world.rank() == 2) {
                throw new IOException("disk on fire");
            }
            await(world.barrier());
            return world.rank();
        }));
        assertEquals(OriginalRank.of(2), failure.originalRank());
        assertSays("rank 2 failed: java.io.IOException: disk on fire", failure);
        assertEquals(3, failure.getSuppressed().length);
        assertTrue(List.of(failure.getSuppressed()).stream().allMatch(ProcessFailedException.class::isInstance));
    }

    @Test
    void noticesThatAllPesWaitForEachOther() {
        try (LocalCluster cluster = LocalCluster.builder(3).singleStepping(1).build()) {
            StuckClusterException stuck = assertThrows(StuckClusterException.class, () -> cluster.run(world -> {
                if (world.rank() == 0) {
                    world.allReduce(new long[1], Reduction.SUM);
                }
                await(world.receive(bytes(8), 0, world.rank()));
                return world.rank();
            }));
            assertSays("all PEs wait for each other", stuck);
            assertSays("allReduce that 1 of 3 PEs have entered", stuck);
            assertSays("receive from 0 with tag 2 into 8 bytes", stuck);
            assertNoPeThreads();
        }
    }

    @Test
    void givesUpWhenTimeIsUpAndLeavesNoThread() {
        try (LocalCluster cluster = LocalCluster.builder(2).timeout(Duration.ofMillis(200)).build()) {
            StuckClusterException stuck = assertThrows(StuckClusterException.class, () -> cluster.run(world -> {
                if (world.rank() == 0) {
                    Thread.sleep(Duration.ofMinutes(10));
                }
                await(world.barrier());
                return world.rank();
            }));
            assertSays("out of time", stuck);
            assertSays("barrier that 1 of 2 PEs have entered", stuck);
        }
        assertNoPeThreads();
    }

    @Test
    void closingGivesUpARunOfAnotherThread() throws InterruptedException {
        LocalCluster cluster = LocalCluster.builder(2).build();
        CountDownLatch running = new CountDownLatch(2);
        Thread closer = Thread.ofPlatform().start(() -> {
            try {
                running.await();
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
            cluster.close();
        });
        assertThrows(StuckClusterException.class, () -> cluster.run(world -> {
            running.countDown();
            await(world.receive(bytes(8), 0, 0));
            return world.rank();
        }));
        closer.join();
        assertThrows(IllegalStateException.class, () -> cluster.run(Communicator::rank));
        assertNoPeThreads();
    }

    private static void assertSays(String part, Throwable thrown) {
        String message = String.valueOf(thrown.getMessage());
        assertTrue(message.contains(part), message);
    }

    private static void assertNoPeThreads() {
        assertFalse(
                Thread.getAllStackTraces().keySet().stream().anyMatch(thread -> thread.getName().startsWith("pe-")));
    }

    @Test
    void beginsEveryRunWithEverybodyAlive() {
        try (LocalCluster cluster = LocalCluster.builder(3)
                .faults((rank, call, operation) -> rank.value() == 1
                        ? FaultInjector.Fate.DIES_BEFORE
                        : FaultInjector.Fate.LIVES)
                .build()) {
            for (int run = 0; run < 3; run++) {
                assertEquals(List.of(new Agreement(1, true), new Agreement(1, true)),
                        PeOutcome.values(cluster.run(world -> world.agree(1))));
            }
        }
    }

    @Test
    void sendsFromAndReceivesIntoConfinedArenas() {
        for (long bytes : new long[]{8, 100_000}) {
            List<Long> received = LocalCluster.run(2, world -> {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment mine = arena.allocate(bytes, 8);
                    mine.copyFrom(number(10 + world.rank()));
                    MemorySegment other = arena.allocate(bytes, 8);
                    Request receive = world.receive(other, 1 - world.rank(), 1);
                    await(world.sendSynchronous(mine, 1 - world.rank(), 1));
                    await(receive);
                    return numberIn(other);
                }
            });
            assertEquals(List.of(11L, 10L), received);
        }
    }

    @Test
    void rejectsMemoryThatIsFreeOrOfAnotherThread() {
        Arena foreign = Arena.ofConfined();
        MemorySegment confined = foreign.allocate(8);
        MemorySegment freed;
        try (Arena closed = Arena.ofShared()) {
            freed = closed.allocate(8);
        }
        LocalCluster.run(1, world -> {
            assertSays("confined", assertThrows(IllegalArgumentException.class,
                    () -> world.send(confined, 0, 0)));
            assertSays("closed", assertThrows(IllegalArgumentException.class, () -> world.receive(freed, 0, 0)));
            return 0;
        });
        foreign.close();
    }

    @Test
    void saysWhoCallsSomethingElse() {
        try (LocalCluster cluster = LocalCluster.builder(2).singleStepping(3).build()) {
            PeFailedException failure = assertThrows(PeFailedException.class,
                    () -> PeOutcome.values(cluster.run(world -> {
                        world.allReduce(new long[1 + world.rank()], Reduction.SUM);
                        return 0;
                    })));
            assertSays("allReduce(2 longs, SUM)", failure);
        }
    }

    @Test
    void countsMessagesLeftBehind() {
        try (LocalCluster cluster = LocalCluster.builder(2).build()) {
            cluster.run(world -> world.send(number(1), 1 - world.rank(), 1));
            assertEquals(2, cluster.unreceivedMessages());
        }
    }

    @Test
    void rejectsCallsOnAClosedCommunicator() {
        LocalCluster.run(1, world -> {
            Communicator copy = world.duplicate();
            copy.close();
            copy.close();
            assertThrows(IllegalStateException.class, copy::barrier);
            return 0;
        });
    }

    @Test
    void rejectsSizesAndTimeoutsThatMakeNoSense() {
        assertThrows(IllegalArgumentException.class, () -> LocalCluster.builder(0));
        assertThrows(IllegalArgumentException.class, () -> LocalCluster.builder(5000));
        assertThrows(IllegalArgumentException.class, () -> LocalCluster.builder(1).timeout(Duration.ZERO));
    }

    @Test
    void freeRunningPesStayFastWhenTheyOutnumberProcessors() {
        // A ring of 16 PEs, 2,000 hops of which each wakes one PE that polls: minutes if polls burn time slices.
        int size = 16;
        List<Long> hops = LocalCluster.run(size, world -> {
            int next = (world.rank() + 1) % size;
            int previous = (world.rank() + size - 1) % size;
            MemorySegment token = bytes(8);
            for (int round = 0; round < 125; round++) {
                if (world.rank() > 0 || round > 0) {
                    await(world.receive(token, previous, 1));
                }
                await(world.send(number(numberIn(token) + 1), next, 1));
            }
            if (world.rank() == 0) {
                await(world.receive(token, previous, 1));
            }
            return numberIn(token);
        });
        assertEquals(125L * size, hops.getFirst());
        assertNotEquals(0L, hops.getLast());
    }
}
