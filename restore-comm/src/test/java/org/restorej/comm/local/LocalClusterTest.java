package org.restorej.comm.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.comm.testing.Messages.await;
import static org.restorej.comm.testing.Messages.awaitEnvelope;
import static org.restorej.comm.testing.Messages.bytes;
import static org.restorej.comm.testing.Messages.number;
import static org.restorej.comm.testing.Messages.numberIn;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.restorej.comm.Communicator.Agreement;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorContractPrograms;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;
import org.restorej.comm.local.LocalCluster.FaultInjector;
import org.restorej.comm.local.LocalCluster.PeFailedException;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.local.LocalCluster.StuckClusterException;
import org.restorej.comm.testing.CallRecorder;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.LimitedRun;
import org.restorej.testing.LogLines;

/** What the local cluster promises besides being a communicator. */
@Timeout(300)
class LocalClusterTest {
    private final Queue<Thread> peThreads = new ConcurrentLinkedQueue<>();

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
    void reportsTheFirstFailureOnceAndItsConsequencesInALineEach() {
        PeFailedException failure = assertThrows(PeFailedException.class, () -> LocalCluster.run(4, world -> {
            if (world.rank() == 2) {
                throw new IOException("disk on fire");
            }
            await(world.iBarrier());
            return world.rank();
        }));
        assertEquals(OriginalRank.of(2), failure.originalRank());
        assertSays("rank 2 failed: java.io.IOException: disk on fire", failure);
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        assertEquals(3, text.toString().lines().filter(line -> line.matches(
                "  PE [013]: org.restorej.comm.ProcessFailedException: barrier .*")).count(), text::toString);
        assertEquals(1, text.toString().lines().filter(line -> line.startsWith("Caused by: ")).count(),
                text::toString);
        assertFalse(text.toString().contains("Suppressed"), text::toString);
    }

    @Test
    void whatSeveralPesThrowAlikeIsPrintedOnce() {
        PeFailedException failure = assertThrows(PeFailedException.class, () -> LocalCluster.run(8, world -> {
            throw new IOException("disk on fire");
        }));
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        assertEquals(7, text.toString().lines().filter(line -> line.matches("  PE [0-7]: the same")).count(),
                text::toString);
        assertFalse(text.toString().contains("Suppressed"), text::toString);
    }

    /** The consequence is first in time, and in the order of the PEs. */
    @Test
    void exceptionsOfTheirOwnOfSeveralPesAreAllReportedBeforeConsequences() {
        PeFailedException failure = assertThrows(PeFailedException.class, () -> PeOutcome.values(List.of(
                new PeOutcome.Threw<>(OriginalRank.of(0), new CommunicatorRevokedException("a barrier"), 0),
                new PeOutcome.Threw<>(OriginalRank.of(1), new IOException("disk on fire"), 2),
                new PeOutcome.Threw<>(OriginalRank.of(2), new IOException("no disk"), 1))));
        assertEquals(OriginalRank.of(2), failure.originalRank());
        assertEquals("java.io.IOException: no disk", String.valueOf(failure.getCause()));
        assertEquals(List.of("disk on fire"),
                Stream.of(failure.getSuppressed()).map(Throwable::getMessage).toList());
        assertSays("PE 0: org.restorej.comm.CommunicatorRevokedException", failure);
    }

    @Test
    void noticesThatAllPesWaitForEachOther() {
        try (LocalCluster cluster = LocalCluster.builder(3).singleStepping(1).build()) {
            StuckClusterException stuck = assertThrows(StuckClusterException.class, () -> cluster.run(world -> {
                peThreads.add(Thread.currentThread());
                if (world.rank() == 0) {
                    world.allReduce(new long[1], Reduction.SUM);
                }
                await(world.iReceive(bytes(8), 0, world.rank()));
                return world.rank();
            }));
            assertSays("all PEs wait for each other", stuck);
            assertSays("allReduce that 1 of 3 PEs have entered", stuck);
            assertSays("receive from 0 with tag 2 into 8 bytes", stuck);
            assertPesHaveEnded(3);
        }
    }

    @Test
    @Timeout(60)
    void tellsAtOnceWhatAProgramHasThrown() {
        List<LogRecord> told;
        try (LogLines log = new LogLines("org.restorej", Level.WARNING)) {
            LimitedRun.outcomes(4, world -> {
                if (world.rank() != 0) {
                    throw new IllegalArgumentException("thrown on purpose");
                }
                while (log.records().isEmpty()) {
                    // While this PE still runs.
                    Thread.sleep(1);
                }
                return true;
            });
            told = log.records();
        }
        assertEquals(1, told.size(), told::toString);
        assertTrue(told.getFirst().getMessage().matches("the program of PE [1-3] has thrown, and to the others it has "
                + "failed: java.lang.IllegalArgumentException: thrown on purpose at .*LocalClusterTest.*"),
                told::toString);
        assertNull(told.getFirst().getThrown(), "the trace is in the exception that the run ends with");
    }

    @Test
    void givesUpWhenTimeIsUpAndLeavesNoThread() {
        try (LocalCluster cluster = LocalCluster.builder(2).timeout(Duration.ofMillis(200)).build()) {
            StuckClusterException stuck = assertThrows(StuckClusterException.class, () -> cluster.run(world -> {
                peThreads.add(Thread.currentThread());
                if (world.rank() == 0) {
                    Thread.sleep(Duration.ofMinutes(10));
                }
                await(world.iBarrier());
                return world.rank();
            }));
            assertSays("out of time", stuck);
            assertSays("barrier that 1 of 2 PEs have entered", stuck);
        }
        assertPesHaveEnded(2);
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
            peThreads.add(Thread.currentThread());
            running.countDown();
            await(world.iReceive(bytes(8), 0, 0));
            return world.rank();
        }));
        closer.join();
        assertThrows(IllegalStateException.class, () -> cluster.run(Communicator::rank));
        assertPesHaveEnded(2);
    }

    private static void assertSays(String part, Throwable thrown) {
        String message = String.valueOf(thrown.getMessage());
        assertTrue(message.contains(part), message);
    }

    /** Virtual threads too, which no list of the JVM has. */
    private void assertPesHaveEnded(int count) {
        assertEquals(count, peThreads.size());
        peThreads.forEach(thread -> assertFalse(thread.isAlive(), thread.getName()));
    }

    @Test
    void beginsEveryRunWithEverybodyAlive() {
        try (LocalCluster cluster = LocalCluster.builder(3)
                .faults((rank, call, operation) -> rank.value() == 1
                        ? FaultInjector.Fate.FAILS_BEFORE
                        : FaultInjector.Fate.GOES_ON)
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
                    Request receive = world.iReceive(other, 1 - world.rank(), 1);
                    await(world.iSsend(mine, 1 - world.rank(), 1));
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
                    () -> world.iSend(confined, 0, 0)));
            assertSays("closed", assertThrows(IllegalArgumentException.class, () -> world.iReceive(freed, 0, 0)));
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
            cluster.run(world -> world.iSend(number(1), 1 - world.rank(), 1));
            assertEquals(2, cluster.unreceivedMessages());
        }
    }

    @Test
    void probeServesSourcesInTheOrderTheirMessagesCame() {
        List<List<Integer>> sources = LocalCluster.run(4, world -> {
            List<Integer> served = new ArrayList<>();
            for (int sender : new int[]{2, 0, 3, 1}) {
                if (world.rank() == sender) {
                    await(world.iSend(number(sender), 0, 1));
                }
                await(world.iBarrier());
            }
            while (world.rank() == 0 && served.size() < 4) {
                served.add(awaitEnvelope(world, 1).source());
                await(world.iReceive(bytes(8), served.getLast(), 1));
            }
            return served;
        });
        assertEquals(List.of(2, 0, 3, 1), sources.getFirst());
    }

    @Test
    void rejectsCallsOnAClosedCommunicator() {
        LocalCluster.run(1, world -> {
            Communicator copy = world.duplicate();
            copy.close();
            copy.close();
            assertThrows(IllegalStateException.class, copy::iBarrier);
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
    @Timeout(30)
    void freeRunningPesStayFastWhenTheyOutnumberProcessors() {
        // A ring of 16 PEs, 2,000 hops that each wake a polling PE: 0.3 s on 2 cores, 80 s if polls burn their time
        // slices.
        int size = 16;
        List<Long> hops = LocalCluster.run(size, world -> {
            int next = (world.rank() + 1) % size;
            int previous = (world.rank() + size - 1) % size;
            MemorySegment token = bytes(8);
            for (int round = 0; round < 125; round++) {
                if (world.rank() > 0 || round > 0) {
                    await(world.iReceive(token, previous, 1));
                }
                await(world.iSend(number(numberIn(token) + 1), next, 1));
            }
            if (world.rank() == 0) {
                await(world.iReceive(token, previous, 1));
            }
            return numberIn(token);
        });
        assertEquals(125L * size, hops.getFirst());
        assertNotEquals(0L, hops.getLast());
    }
}
