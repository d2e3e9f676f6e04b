package org.restorej.comm.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;
import org.restorej.comm.local.LocalCluster.FaultInjector;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.testing.Messages;

/** Several threads of a PE, one of which meets the PE's end. PE 0 has two threads, with a communicator each. */
class LocalClusterThreadsTest {
    /** Far more than a run takes; a thread that waits for ever gets there. */
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    /** More than is copied when it is sent: the bytes stay in the sender's memory. */
    private static final int LONG_MESSAGE_BYTES = 1 << 20;

    private final AtomicReference<Thread> first = new AtomicReference<>();
    private final AtomicReference<Thread> second = new AtomicReference<>();
    private final AtomicReference<Throwable> endOfSecond = new AtomicReference<>();
    private final AtomicBoolean faultHappened = new AtomicBoolean();

    private LocalCluster cluster(FaultInjector faults) {
        return LocalCluster.builder(2).faults(faults).timeout(TIMEOUT).build();
    }

    /** Starts the second thread of a PE; what it throws is kept. */
    private Thread startSecond(Runnable program) {
        Thread thread = Thread.ofPlatform().daemon().unstarted(() -> {
            try {
                program.run();
            } catch (Throwable thrown) {
                endOfSecond.set(thrown);
            }
        });
        second.set(thread);
        thread.start();
        return thread;
    }

    private static void awaitWaiting(AtomicReference<Thread> thread) {
        while (thread.get() == null || !waitsOrHasEnded(thread.get())) {
            Thread.onSpinWait();
        }
    }

    private static boolean waitsOrHasEnded(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TERMINATED;
    }

    @Test
    void aThreadThatWaitsEndsWhenAnotherOneMeetsTheDeathOfItsPe() {
        CountDownLatch entered = new CountDownLatch(1);
        FaultInjector faults = (rank, call, operation) -> {
            if (operation == Operation.ALL_REDUCE) {
                entered.countDown();
            }
            boolean dies = operation == Operation.BARRIER;
            faultHappened.compareAndSet(false, dies);
            return dies ? FaultInjector.Fate.FAILS_BEFORE : FaultInjector.Fate.GOES_ON;
        };
        try (LocalCluster cluster = cluster(faults)) {
            List<PeOutcome<Integer>> outcomes = cluster.run(world -> {
                Communicator copy = world.duplicate();
                if (world.rank() == 1) {
                    assertThrows(ProcessFailedException.class, () -> Messages.awaitEnvelope(world, 1));
                    return 1;
                }
                startSecond(() -> {
                    await(entered);
                    Request _ = copy.iBarrier();
                });
                // PE 1 doesn't enter it.
                world.allReduce(new long[1], Reduction.SUM);
                return 0;
            });
            assertInstanceOf(PeOutcome.Failed.class, outcomes.get(0));
            assertInstanceOf(PeOutcome.Returned.class, outcomes.get(1));
        }
        assertTrue(faultHappened.get());
    }

    @Test
    void nothingLeavesAPeThatHasDiedWhileItsOtherThreadWasAboutToSend() {
        FaultInjector faults = (rank, call, operation) -> {
            if (operation != Operation.BARRIER) {
                return FaultInjector.Fate.GOES_ON;
            }
            // In the middle of its call the PE's other thread can only wait for its turn to send.
            awaitWaiting(second);
            faultHappened.set(true);
            return FaultInjector.Fate.FAILS_BEFORE;
        };
        try (LocalCluster cluster = cluster(faults)) {
            List<PeOutcome<Integer>> outcomes = cluster.run(world -> {
                Communicator copy = world.duplicate();
                if (world.rank() == 1) {
                    assertThrows(ProcessFailedException.class, () -> Messages.awaitEnvelope(world, 1));
                    return 1;
                }
                CountDownLatch begun = new CountDownLatch(1);
                Thread sender = startSecond(() -> {
                    begun.countDown();
                    while (!Thread.interrupted()) {
                        Thread.onSpinWait();
                    }
                    Request _ = copy.iSend(Messages.number(1), 1, 1);
                });
                await(begun);
                sender.interrupt();
                try {
                    Request _ = world.iBarrier();
                } finally {
                    join(sender);
                }
                return 0;
            });
            assertInstanceOf(PeOutcome.Failed.class, outcomes.get(0));
            assertEquals(0, cluster.unreceivedMessages(), "messages of the dead");
        }
        assertTrue(faultHappened.get());
        assertInstanceOf(SimulatedFailureError.class, endOfSecond.get());
    }

    @Test
    void aProgramThatThrowsTakesBackWhatItsOtherThreadHasJustSent() {
        CountDownLatch sending = new CountDownLatch(1);
        FaultInjector faults = (rank, call, operation) -> {
            if (operation == Operation.SEND) {
                sending.countDown();
                // The program throws while the other thread is in the middle of its call.
                awaitWaiting(first);
                faultHappened.set(true);
            }
            return FaultInjector.Fate.GOES_ON;
        };
        try (LocalCluster cluster = cluster(faults)) {
            List<PeOutcome<Integer>> outcomes = cluster.run(world -> {
                Communicator copy = world.duplicate();
                if (world.rank() == 1) {
                    assertThrows(ProcessFailedException.class, () -> Messages.awaitEnvelope(world, 1));
                    join(second.get());
                    return 1;
                }
                startSecond(() -> {
                    Request _ = copy.iSend(Messages.bytes(LONG_MESSAGE_BYTES), 1, 1);
                });
                await(sending);
                first.set(Thread.currentThread());
                throw new ArithmeticException("on purpose");
            });
            assertInstanceOf(PeOutcome.Threw.class, outcomes.get(0));
            assertInstanceOf(PeOutcome.Returned.class, outcomes.get(1));
            assertEquals(0, cluster.unreceivedMessages(), "messages of a PE that is gone");
        }
        assertTrue(faultHappened.get());
    }

    @Test
    void notesOnPollsBelongToAThreadUnlessThereIsOnlyOne() {
        Pe freeRunning = new ClusterRun(LocalCluster.builder(1)).pe(0);
        assertSame(freeRunning.turn(), freeRunning.turn());
        assertNotSame(freeRunning.turn(), turnOfAnotherThread(freeRunning));
        Pe singleStepping = new ClusterRun(LocalCluster.builder(1).singleStepping(1)).pe(0);
        assertSame(singleStepping.turn(), turnOfAnotherThread(singleStepping));
    }

    private static Scheduler.Turn turnOfAnotherThread(Pe pe) {
        AtomicReference<Scheduler.Turn> turn = new AtomicReference<>();
        join(Thread.ofPlatform().start(() -> turn.set(pe.turn())));
        return turn.get();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
