package org.restorej.comm.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.comm.testing.Messages.await;
import static org.restorej.comm.testing.Messages.bytes;
import static org.restorej.comm.testing.Messages.gatherNumbers;
import static org.restorej.comm.testing.Messages.number;
import static org.restorej.comm.testing.Messages.numberIn;
import static org.restorej.comm.testing.Messages.receiveNumber;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.restorej.comm.Communicator.Agreement;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.Request;
import org.restorej.comm.local.LocalCluster.FaultInjector;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.local.LocalCluster.PeProgram;
import org.restorej.comm.testing.CallRecorder;
import org.restorej.comm.testing.FaultPlan;

/** PEs that die at chosen calls of single-stepping runs: what all survivors see, and what only some do. */
class LocalClusterFaultTest {
    private static <T extends @Nullable Object> List<PeOutcome<T>> step(int size, long seed, FaultInjector faults,
            PeProgram<T> program) {
        try (LocalCluster cluster = LocalCluster.builder(size).singleStepping(seed).faults(faults)
                .timeout(Duration.ofMinutes(1)).build()) {
            return cluster.run(program);
        }
    }

    /** A run in which one PE fails at each of its calls in turn, before and after it, for some seeds. */
    private interface CrashPoint {
        void run(long seed, FaultPlan plan, String where);
    }

    private static int everyCrashPoint(int size, int seeds, PeProgram<?> program, CrashPoint crash) {
        int runs = 0;
        for (long seed = 0; seed < seeds; seed++) {
            CallRecorder clean = new CallRecorder();
            PeOutcome.values(step(size, seed, clean, program));
            for (int rank = 0; rank < size; rank++) {
                for (long call = 0; call < clean.callCountOf(rank); call++) {
                    for (FaultPlan.Fault fault : List.of(FaultPlan.Fault.before(rank, call),
                            FaultPlan.Fault.after(rank, call))) {
                        crash.run(seed, FaultPlan.of(fault), "seed=" + seed + ", " + fault);
                        runs++;
                    }
                }
            }
        }
        return runs;
    }

    @Test
    void agreesUniformlyWhereverAPeFails() {
        PeProgram<List<Agreement>> program = world -> {
            List<Agreement> answers = new ArrayList<>();
            for (int round = 0; round < 4; round++) {
                answers.add(world.agree(~(1 << (4 * round + world.rank()))));
            }
            return answers;
        };
        int runs = everyCrashPoint(4, 10, program, (seed, plan, where) -> {
            List<PeOutcome<List<Agreement>>> outcomes = step(4, seed, plan, program);
            plan.verifyAllHappened();
            Set<List<Agreement>> answers = new HashSet<>(PeOutcome.values(outcomes));
            assertEquals(1, answers.size(), where + ": " + answers);
            // A PE that fails after it has entered the last round may be the one that decides it, still alive.
            Agreement last = answers.iterator().next().getLast();
            boolean enteredByAll = ((last.flags() >>> (4 * 3)) & 0b1111) == 0;
            assertTrue(last.processFailed() || enteredByAll, where);
        });
        assertTrue(runs > 4 * 4 * 2 * 10, "crash points: each PE asks after each agreement at least once: " + runs);
    }

    /** Exchange, barrier, agreement, and after a failure all again with the survivors: the life of a protocol. */
    private static Long exchangeUntilAgreed(Communicator world) {
        Communicator comm = world;
        while (true) {
            int succeeded = 1;
            try {
                exchange(comm);
            } catch (CommunicationFailedException failure) {
                comm.revoke();
                succeeded = 0;
            }
            if (comm.agree(succeeded).flags() == 1) {
                return (long) comm.size();
            }
            comm = comm.shrink();
        }
    }

    private static void exchange(Communicator comm) {
        List<Request> requests = new ArrayList<>();
        try {
            int next = (comm.rank() + 1) % comm.size();
            int previous = (comm.rank() + comm.size() - 1) % comm.size();
            requests.add(comm.iReceive(bytes(20_000), previous, 1));
            requests.add(comm.iSsend(bytes(20_000), next, 1));
            requests.add(comm.iSend(number(1), previous, 2));
            requests.add(comm.iReceive(bytes(8), next, 2));
            await(requests);
            await(comm.iBarrier());
            gatherNumbers(comm, 1);
        } finally {
            requests.forEach(Request::cancel);
        }
    }

    @Test
    void survivorsOfAnyCrashPointGoOnTogether() {
        int runs = everyCrashPoint(4, 3, LocalClusterFaultTest::exchangeUntilAgreed, (seed, plan, where) -> {
            List<PeOutcome<Long>> outcomes = step(4, seed, plan, LocalClusterFaultTest::exchangeUntilAgreed);
            plan.verifyAllHappened();
            List<Long> sizes = PeOutcome.values(outcomes);
            assertEquals(3, sizes.size(), where);
            assertEquals(1, new HashSet<>(sizes).size(), where + ": " + sizes);
        });
        assertTrue(runs > 300, "runs: " + runs);
    }

    /** A PE that fails after its last call of some kind, and how often it has. */
    private static FaultInjector failsAfter(int rank, Operation last, int calls, AtomicInteger failures) {
        AtomicInteger made = new AtomicInteger();
        return (originalRank, callIndex, operation) -> {
            if (originalRank.value() != rank || operation != last || made.incrementAndGet() != calls) {
                return FaultInjector.Fate.GOES_ON;
            }
            failures.incrementAndGet();
            return FaultInjector.Fate.FAILS_AFTER;
        };
    }

    @Test
    void aBarrierThatAllHaveEnteredEndsDifferentlyOnSurvivorsForSomeSeeds() {
        Set<List<Boolean>> seen = new HashSet<>();
        AtomicInteger failures = new AtomicInteger();
        for (long seed = 0; seed < 100; seed++) {
            List<PeOutcome<Boolean>> outcomes = step(3, seed, failsAfter(2, Operation.BARRIER, 1, failures), world -> {
                if (world.rank() == 2) {
                    receiveNumber(world, 0, 1);
                    receiveNumber(world, 1, 1);
                }
                Request barrier = world.iBarrier();
                await(world.iSsend(number(1), 2, 1));
                try {
                    await(barrier);
                    return true;
                } catch (ProcessFailedException failure) {
                    return false;
                }
            });
            seen.add(PeOutcome.values(outcomes));
        }
        assertEquals(100, failures.get());
        assertEquals(4, seen.size(), "pairs of outcomes seen: " + seen);
    }

    @Test
    void aReceiveWhoseMessageWasLostGetsNoLaterOne() {
        AtomicInteger failures = new AtomicInteger();
        AtomicInteger lost = new AtomicInteger();
        for (long seed = 0; seed < 200; seed++) {
            String where = "seed=" + seed;
            PeOutcome.values(step(2, seed, failsAfter(1, Operation.SEND, 2, failures), world -> {
                if (world.rank() == 1) {
                    receiveNumber(world, 0, 1);
                    Request _ = world.iSend(number(1), 0, 1);
                    return world.iSend(number(2), 0, 1);
                }
                MemorySegment first = bytes(8);
                Request receive = world.iReceive(first, 1, 1);
                await(world.iSend(number(0), 1, 1));
                try {
                    await(receive);
                    assertEquals(1, numberIn(first), where);
                } catch (ProcessFailedException failure) {
                    lost.incrementAndGet();
                }
                return world;
            }));
        }
        assertEquals(200, failures.get());
        assertTrue(lost.get() > 10, "messages lost: " + lost);
    }

    @Test
    void aMessageThatIsTakenBackAfterARevocationIsOvertakenByNoLaterOne() {
        AtomicInteger received = new AtomicInteger();
        for (long seed = 0; seed < 200; seed++) {
            String where = "seed=" + seed;
            PeOutcome.values(step(2, seed, FaultPlan.of(), world -> {
                if (world.rank() == 1) {
                    Request first = world.iSsend(number(1), 0, 1);
                    Request second = world.iSsend(number(2), 0, 1);
                    world.revoke();
                    first.cancel();
                    second.cancel();
                    return world;
                }
                MemorySegment number = bytes(8);
                try {
                    await(world.iReceive(number, 1, 1));
                    assertEquals(1, numberIn(number), where);
                    received.incrementAndGet();
                } catch (CommunicatorRevokedException revoked) {
                    assertEquals(0, numberIn(number), where);
                }
                return world;
            }));
        }
        assertTrue(received.get() > 10 && received.get() < 190, "messages received: " + received);
    }

    @Test
    void pesLearnOfAFailureAtDifferentTimesForSomeSeeds() {
        AtomicInteger differ = new AtomicInteger();
        for (long seed = 0; seed < 50; seed++) {
            List<PeOutcome<Integer>> outcomes = step(3, seed, FaultPlan.of(FaultPlan.Fault.before(0, 0)), world -> {
                world.agree(1);
                return world.failedRanks().size();
            });
            List<Integer> known = PeOutcome.values(outcomes);
            differ.addAndGet(known.get(0).equals(known.get(1)) ? 0 : 1);
        }
        assertTrue(differ.get() > 5 && differ.get() < 45, "seeds with different knowledge: " + differ);
    }

    @Test
    void messagesOfAFailedPeAreLostForSomeSeedsAndArriveForOthers() {
        AtomicInteger arrived = new AtomicInteger();
        for (long seed = 0; seed < 50; seed++) {
            FaultPlan plan = FaultPlan.of(FaultPlan.Fault.after(1, 0));
            step(2, seed, plan, world -> {
                if (world.rank() == 1) {
                    return world.iSend(number(42), 0, 1);
                }
                world.agree(0); // returns when the sender has failed
                try {
                    await(world.iReceive(bytes(8), 1, 1));
                    arrived.incrementAndGet();
                } catch (ProcessFailedException lost) {
                    assertEquals(Set.of(OriginalRank.of(1)), lost.failedRanks());
                }
                return world;
            });
            plan.verifyAllHappened();
        }
        // A send is buffered for half of the seeds, and half of those messages survive their sender.
        assertTrue(arrived.get() > 3 && arrived.get() < 25, "messages arrived: " + arrived);
    }

    @Test
    void aFailedPeFailsAgainAtEveryCallButCleansUp() {
        AtomicBoolean cleanedUp = new AtomicBoolean();
        FaultPlan plan = FaultPlan.of(FaultPlan.Fault.before(0, 1));
        List<PeOutcome<Integer>> outcomes = step(2, 1, plan, world -> {
            if (world.rank() == 0) {
                Request receive = world.iReceive(bytes(8), 1, 1);
                assertThrows(SimulatedFailureError.class, world::iBarrier);
                assertThrows(SimulatedFailureError.class, receive::test);
                receive.cancel();
                world.close();
                cleanedUp.set(true);
            }
            return 5;
        });
        plan.verifyAllHappened();
        assertTrue(cleanedUp.get());
        assertEquals(new PeOutcome.Failed<>(OriginalRank.of(0)), outcomes.get(0));
        assertEquals(new PeOutcome.Returned<>(OriginalRank.of(1), 5), outcomes.get(1));
    }
}
