package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.local.LocalCluster.FaultInjector;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.testing.CallRecorder;
import org.restorej.comm.testing.CallRecorder.Call;
import org.restorej.comm.testing.FaultPlan;
import org.restorej.comm.testing.FaultPlan.Fault;
import org.restorej.placement.FailedRanks;
import org.restorej.testing.SeededLaw;

/** The loop on threads with data that never change: whoever fails at whatever call, the result is that of a run in which nobody does. */
class ConstantLoopTest {
    private static final int PES = 6;
    /** One more than ever die, so that nothing is lost even where all die before anything is replenished. */
    private static final int REPLICATION = 4;

    /** The only replicas of the blocks that a PE works on are its own, so its failure loses what its heirs need. */
    private static final Shape WITHOUT_COPIES = new Shape(1, 0);

    private static final int SEEDS = 40;
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    @Test
    void withoutAFailureEveryStepRunsOnceAndNothingIsRecovered() {
        for (ConstantLoopProgram.End end : run(LocalCluster.builder(PES), FaultInjector.NONE)) {
            assertEquals(ConstantLoopProgram.STEPS, end.attempts());
            assertEquals(List.of(), end.recoveries());
            assertEquals(FailedRanks.NONE, end.failedRanks());
            assertEquals(ConstantLoopProgram.expectedResult(), end.result());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void stepByStepTheResultIsThatOfARunWithoutFailures(int failures) {
        SeededLaw.holds(SEEDS, random -> {
            long interleaving = random.nextLong();
            List<Fault> faults = new ArrayList<>();
            int from = 0;
            for (int failure = 1; failure <= failures; failure++) {
                // Behind the failure before: the run is the same up to the new one, so all chosen calls are really made.
                List<Call> calls = callsBeforeTheLastStep(record(interleaving, faults));
                int[] places = IntStream.range(from, calls.size() * failure / failures)
                        .filter(place -> faults.stream()
                                .noneMatch(failed -> failed.originalRank() == calls.get(place).originalRank()))
                        .toArray();
                int chosen = places[random.nextInt(places.length)];
                from = chosen + 1;
                Call last = calls.get(chosen);
                faults.add(random.nextBoolean()
                        ? Fault.before(last.originalRank(), last.callIndex())
                        : Fault.after(last.originalRank(), last.callIndex()));
            }
            FaultPlan plan = plan(faults);
            checkSurvivors(failures, plan, run(LocalCluster.builder(PES).singleStepping(interleaving), plan));
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void runningFreelyTheResultIsThatOfARunWithoutFailures(int failures) {
        // However they interleave, every PE makes at least as many calls as it makes without polling.
        long calls = record(0, List.of()).stream().filter(call -> call.originalRank() == 0)
                .filter(call -> call.operation() != Operation.PROBE && call.operation() != Operation.TEST).count();
        SeededLaw.holds(SEEDS, random -> {
            List<Integer> victims = random.ints(0, PES).distinct().limit(failures).boxed().toList();
            FaultPlan plan = plan(
                    victims.stream().map(victim -> Fault.before(victim, random.nextLong(calls * 3 / 4))).toList());
            checkSurvivors(failures, plan, run(LocalCluster.builder(PES), plan));
        });
    }

    @Test
    void aFailureDuringRecoveryBeginsItAnew() {
        int[] begunAnew = new int[1];
        SeededLaw.holds(SEEDS, random -> {
            long interleaving = random.nextLong();
            List<Call> clean = callsBeforeTheLastStep(record(interleaving, List.of()));
            Call deadly = clean.get(random.nextInt(clean.size()));
            Fault first = Fault.before(deadly.originalRank(), deadly.callIndex());
            List<Call> calls = record(interleaving, List.of(first));
            List<Call> inRecovery = callsInTheFirstRecovery(calls, (first.originalRank() + 1) % PES);
            Call second = inRecovery.get(random.nextInt(inRecovery.size()));
            FaultPlan plan = FaultPlan.of(first, Fault.before(second.originalRank(), second.callIndex()));
            List<ConstantLoopProgram.End> ends = run(LocalCluster.builder(PES).singleStepping(interleaving), plan);
            checkSurvivors(2, plan, ends);
            // A PE that fails when its part is done, or when nobody needed it, does not keep the others from the end.
            begunAnew[0] += ends.getFirst().recoveries().size() == 1 ? 1 : 0;
        });
        assertTrue(begunAnew[0] > SEEDS / 2, "one recovery from two failures: " + begunAnew[0] + " times");
    }

    @Test
    void everySurvivorLearnsOfLostBlocks() {
        SeededLaw.holds(SEEDS, random -> {
            Fault fault = Fault.before(random.nextInt(PES), random.nextInt(ConstantLoopProgram.STEPS));
            FaultPlan plan = FaultPlan.of(fault);
            List<PeOutcome<ConstantLoopProgram.End>> outcomes = outcomes(
                    LocalCluster.builder(PES).singleStepping(random.nextLong()), WITHOUT_COPIES, plan);
            plan.verifyAllHappened();
            List<IrrecoverableDataLossException> losses = new ArrayList<>();
            for (PeOutcome<ConstantLoopProgram.End> outcome : outcomes) {
                if (outcome.originalRank().value() != fault.originalRank()) {
                    PeOutcome.Threw<?> threw = assertInstanceOf(PeOutcome.Threw.class, outcome);
                    losses.add(assertInstanceOf(IrrecoverableDataLossException.class, threw.thrown()));
                }
            }
            assertEquals(PES - 1, losses.size());
            for (IrrecoverableDataLossException loss : losses) {
                assertTrue(!loss.lostBlocks().isEmpty(), "lost blocks are named");
                assertEquals(losses.getFirst().lostBlocks(), loss.lostBlocks());
                assertEquals(FailedRanks.of(fault.originalRank()), loss.failedRanks());
            }
        });
    }

    private record Shape(int replication, int permutationRangeBlocks) {}

    private static FaultPlan plan(List<Fault> faults) {
        return FaultPlan.of(faults.toArray(Fault[]::new));
    }

    private static List<ConstantLoopProgram.End> run(LocalCluster.Builder builder, FaultInjector faults) {
        return PeOutcome.values(outcomes(builder, new Shape(REPLICATION, 4), faults));
    }

    private static List<PeOutcome<ConstantLoopProgram.End>> outcomes(LocalCluster.Builder builder, Shape shape,
            FaultInjector faults) {
        LoopCalls calls = new LoopCalls(PES, faults);
        try (LocalCluster cluster = builder.faults(calls).timeout(TIMEOUT).build()) {
            return cluster.run(
                    world -> new ConstantLoopProgram(shape.replication(), shape.permutationRangeBlocks()).run(world,
                            () -> calls.begin(world.rank())));
        }
    }

    /** All calls of a single-stepped run with these failures. */
    private static List<Call> record(long interleaving, List<Fault> faults) {
        CallRecorder recorder = new CallRecorder(plan(faults));
        run(LocalCluster.builder(PES).singleStepping(interleaving), recorder);
        return recorder.calls();
    }

    /** Calls well before the end: failures there are noticed. */
    private static List<Call> callsBeforeTheLastStep(List<Call> calls) {
        return calls.subList(0, calls.size() * 3 / 4);
    }

    /** Calls of a PE from where it shrinks to the agreement on what it has replenished. */
    private static List<Call> callsInTheFirstRecovery(List<Call> calls, int originalRank) {
        List<Call> own = calls.stream().filter(call -> call.originalRank() == originalRank).toList();
        int shrink = IntStream.range(0, own.size()).filter(i -> own.get(i).operation() == Operation.SHRINK).findFirst()
                .orElseThrow();
        // The stores together with the blocks of each, the pull and taking over are agreed on.
        int end = shrink;
        for (int agreements = 0; agreements < 3; end++) {
            agreements += own.get(end).operation() == Operation.AGREE ? 1 : 0;
        }
        return own.subList(shrink, end);
    }

    private static void checkSurvivors(int failures, FaultPlan plan, List<ConstantLoopProgram.End> ends) {
        plan.verifyAllHappened();
        assertEquals(PES - failures, ends.size(), "everybody else survives");
        ConstantLoopProgram.End any = ends.getFirst();
        for (ConstantLoopProgram.End end : ends) {
            assertEquals(ConstantLoopProgram.expectedResult(), end.result(), "result");
            assertEquals(any.failedRanks(), end.failedRanks(), "failed ranks");
            assertEquals(any.assignment(), end.assignment(), "committed assignment");
            assertEquals(any.recoveries(), end.recoveries(), "recoveries, as far as all see the same");
            assertEquals(ConstantLoopProgram.STEPS + end.recoveries().size(), end.attempts(),
                    "each recovery repeats one step");
        }
        FailedRanks known = FailedRanks.NONE;
        for (ConstantLoopProgram.Seen recovery : any.recoveries()) {
            assertTrue(!recovery.newlyFailed().isEmpty(), "a recovery has a reason");
            assertEquals(recovery.newlyFailed(), recovery.newlyFailed().minus(known), "each failure is told of once");
            known = known.union(recovery.newlyFailed());
            assertEquals(known, recovery.failedRanks(), "failed so far");
            assertEquals(PES - known.size(), recovery.survivors(), "survivors");
        }
        assertEquals(known, any.failedRanks(), "every failure was recovered from");
        assertEquals(failures, known.size(), "every failure was noticed");
        for (int failed : known.values()) {
            assertTrue(any.assignment().get(failed).isEmpty(), "the failed PEs have no blocks: " + any.assignment());
        }
    }
}
