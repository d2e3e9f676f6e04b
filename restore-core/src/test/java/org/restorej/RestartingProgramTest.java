package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.local.LocalCluster.PeFailedException;
import org.restorej.comm.testing.CallRecorder;
import org.restorej.comm.testing.FaultPlan;
import org.restorej.testing.Deep;

class RestartingProgramTest {
    private static final int PES = 4;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static double program(Communicator world) {
        return RestartablePrograms.run(world, (place, communicator) -> {});
    }

    private static List<Double> survivors(LocalCluster.Builder builder) {
        try (LocalCluster cluster = builder.timeout(TIMEOUT).build()) {
            return PeOutcome.values(cluster.run(LocalCluster.restarting(RestartingProgramTest::program)));
        }
    }

    @Test
    void givesTheRightAnswerWhenAPeFails() {
        dieAtEvery(7);
    }

    @Deep
    @Test
    void givesTheRightAnswerWhereverAPeFails() {
        dieAtEvery(1);
    }

    private static void dieAtEvery(int step) {
        CallRecorder recorder = new CallRecorder();
        assertEquals(List.of(RestartablePrograms.SUM, RestartablePrograms.SUM, RestartablePrograms.SUM,
                RestartablePrograms.SUM), survivors(LocalCluster.builder(PES).singleStepping(1).faults(recorder)));
        int failures = 0;
        for (int victim : new int[]{0, 2}) {
            long calls = recorder.callCountOf(victim);
            for (long call = 0; call < calls; call += step) {
                FaultPlan plan = FaultPlan.of(FaultPlan.Fault.before(victim, call));
                List<Double> sums;
                try {
                    sums = survivors(LocalCluster.builder(PES).singleStepping(call).faults(plan));
                } catch (RuntimeException failure) {
                    throw new AssertionError("victim=" + victim + ", call=" + call, failure);
                }
                // With another seed it may have made fewer calls.
                failures += plan.happenedCount();
                assertEquals(PES - plan.happenedCount(), sums.size(), "victim=" + victim + ", call=" + call);
                assertTrue(sums.stream().allMatch(sum -> sum == RestartablePrograms.SUM),
                        () -> "victim=" + victim + ": " + sums);
            }
        }
        assertTrue(failures > 10, "failures: " + failures);
    }

    @Test
    void survivesOneFailureAfterTheOtherOnFreeThreads() {
        for (long call = 0; call < 60; call += 3) {
            FaultPlan plan = FaultPlan.of(FaultPlan.Fault.before(1, call), FaultPlan.Fault.after(3, 2 * call + 5));
            List<Double> sums = survivors(LocalCluster.builder(PES + 1).faults(plan));
            assertEquals(PES + 1 - plan.happenedCount(), sums.size(), "call=" + call);
            assertTrue(sums.stream().allMatch(sum -> sum == RestartablePrograms.SUM), sums::toString);
        }
    }

    @Test
    void aRevocationWithoutAFailureIsNotMetAgain() {
        AtomicInteger runs = new AtomicInteger();
        PeFailedException failure = assertThrows(PeFailedException.class,
                () -> LocalCluster.run(3, LocalCluster.restarting(world -> {
                    runs.incrementAndGet();
                    world.revoke();
                    world.allReduce(new long[1], Reduction.SUM);
                    return 0;
                })));
        assertTrue(failure.getCause() instanceof CommunicatorRevokedException, failure::toString);
        assertEquals(3, runs.get());
    }

    @Test
    void whatAllKnowOfIsNotMetAgain() {
        AtomicInteger runs = new AtomicInteger();
        PeFailedException failure = assertThrows(PeFailedException.class,
                () -> LocalCluster.run(3, LocalCluster.restarting(world -> {
                    runs.incrementAndGet();
                    try (ReStore store = ReStore.builder(world).blocks(9).blockSizeBytes(8).replication(1).build()) {
                        throw IrrecoverableDataLossException.withoutSubmission(
                                org.restorej.block.BlockRanges.of(0, 9), store.failedRanks());
                    }
                })));
        assertTrue(failure.getCause() instanceof IrrecoverableDataLossException, failure::toString);
        assertEquals(3, runs.get());
    }

    @Test
    void anExceptionOfTheApplicationEndsOnlyItsPe() {
        try (LocalCluster cluster = LocalCluster.builder(3).timeout(TIMEOUT).build()) {
            List<PeOutcome<Integer>> outcomes = cluster.run(LocalCluster.restarting(world -> {
                if (world.originalRank().value() == 1) {
                    throw new IllegalStateException("a mistake");
                }
                world.allReduce(new long[1], Reduction.SUM);
                return world.size();
            }));
            assertEquals(new PeOutcome.Returned<>(outcomes.getFirst().originalRank(), 2), outcomes.getFirst());
            assertTrue(outcomes.get(1) instanceof PeOutcome.Threw<Integer>, outcomes::toString);
        }
    }
}
