package org.restorej.crash;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import org.restorej.comm.local.FaultInjector;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.Operation;
import org.restorej.comm.local.PeOutcome;
import org.restorej.comm.testing.FaultPlan;
import org.restorej.comm.testing.FaultPlan.Fault;

/**
 * One run of a scenario with chosen deaths at one interleaving, and what it showed. The same seed and faults give the
 * same run again.
 */
final class CrashRun {
    /** Calls that only look: programs repeat them until something has changed. */
    private static final Set<Operation> POLLS = EnumSet.of(Operation.PROBE, Operation.TEST);

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final CrashScenario scenario;
    private final long seed;
    private final List<Fault> faults;
    private final AtomicLongArray calls;
    private final AtomicLongArray begins;
    private final AtomicLongArray ends;
    /** Calls of each PE that are worth dying at: not one of a row of the same polls that changed nothing. */
    private final List<List<Point>> crashPoints = new ArrayList<>();
    private final Operation[] lastOperation;

    private long step;

    /** A call of a PE, and how many there were of all PEs before. */
    private record Point(long callIndex, long step) {}

    private CrashRun(CrashScenario scenario, long seed, List<Fault> faults) {
        this.scenario = scenario;
        this.seed = seed;
        this.faults = faults;
        calls = new AtomicLongArray(scenario.pes());
        begins = new AtomicLongArray(scenario.pes());
        ends = new AtomicLongArray(scenario.pes());
        lastOperation = new Operation[scenario.pes()];
        for (int pe = 0; pe < scenario.pes(); pe++) {
            crashPoints.add(new ArrayList<>());
        }
    }

    /** Runs a scenario, checks what every run must show, and returns what this one did. */
    static CrashRun of(CrashScenario scenario, long seed, Fault... faults) {
        CrashRun run = new CrashRun(scenario, seed, List.of(faults));
        try {
            run.execute();
        } catch (RuntimeException | AssertionError failure) {
            throw new AssertionError(run + ": " + failure.getMessage(), failure);
        }
        return run;
    }

    private void execute() {
        FaultPlan plan = FaultPlan.of(faults.toArray(Fault[]::new));
        FaultInjector injector = (rank, index, operation) -> {
            note(rank.value(), index, operation);
            return plan.fateOf(rank, index, operation);
        };
        List<PeOutcome<CrashScenario.End>> outcomes;
        try (LocalCluster cluster = LocalCluster.builder(scenario.pes()).faults(injector).singleStepping(seed)
                .timeout(TIMEOUT).build()) {
            outcomes = cluster.run(world -> scenario.run(world, marks()));
        }
        check(plan.happenedCount() == faults.size(), "every planned death happens: " + plan.happenedCount());
        List<CrashScenario.End> survivors = PeOutcome.values(outcomes);
        int dead = (scenario.operation().needsADeath() ? 1 : 0) + faults.size();
        check(survivors.size() == scenario.pes() - dead, "everybody else survives: " + outcomes);
        check(survivors.stream().distinct().count() <= 1, "all survivors end the same way: " + outcomes);
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError("expected: " + what);
        }
    }

    private void note(int rank, long index, Operation operation) {
        calls.set(rank, index + 1);
        boolean repeated = operation == lastOperation[rank] && POLLS.contains(operation);
        lastOperation[rank] = operation;
        if (!repeated) {
            crashPoints.get(rank).add(new Point(index, step++));
        }
    }

    private CrashScenario.Marks marks() {
        return new CrashScenario.Marks() {
            @Override
            public void begin(int originalRank) {
                begins.set(originalRank, calls.get(originalRank));
            }

            @Override
            public void end(int originalRank) {
                ends.set(originalRank, calls.get(originalRank));
            }
        };
    }

    /** Calls of a PE inside the operation at which it may die. */
    List<Long> crashPointsInOperation(int rank) {
        return crashPoints.get(rank).stream().map(Point::callIndex)
                .filter(index -> index >= begins.get(rank) && index < ends.get(rank)).toList();
    }

    /** Calls of a PE at which it may die after the first death of this run, to the end of the run. */
    List<Long> crashPointsAfterTheFirstDeath(int rank) {
        Fault first = faults.getFirst();
        long death = crashPoints.get(first.originalRank()).stream()
                .filter(point -> point.callIndex() == first.callIndex()).findFirst().orElseThrow().step();
        return crashPoints.get(rank).stream().filter(point -> point.step() > death).map(Point::callIndex).toList();
    }

    @Override
    public String toString() {
        return scenario + ", seed=" + seed + ", faults=" + faults;
    }
}
