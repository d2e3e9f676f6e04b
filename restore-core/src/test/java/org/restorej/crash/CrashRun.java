package org.restorej.crash;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.testing.FaultPlan;
import org.restorej.comm.testing.FaultPlan.Fault;

/**
 * One run of a scenario with chosen deaths at one interleaving, and what it showed. The same seed and faults give the
 * same run again.
 */
final class CrashRun {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final CrashScenario scenario;
    private final long seed;
    private final List<Fault> faults;
    private final AtomicLongArray begins;
    private final AtomicLongArray ends;
    private final FaultPlan plan;
    private final CallTrace trace;

    private CrashRun(CrashScenario scenario, long seed, List<Fault> faults) {
        this.scenario = scenario;
        this.seed = seed;
        this.faults = faults;
        begins = new AtomicLongArray(scenario.pes());
        ends = new AtomicLongArray(scenario.pes());
        plan = FaultPlan.of(faults.toArray(Fault[]::new));
        trace = new CallTrace(scenario.pes(), plan);
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
        List<PeOutcome<CrashScenario.End>> outcomes;
        try (LocalCluster cluster = LocalCluster.builder(scenario.pes()).faults(trace).singleStepping(seed)
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

    private CrashScenario.Marks marks() {
        return new CrashScenario.Marks() {
            @Override
            public void begin(int originalRank) {
                begins.set(originalRank, trace.callCount(originalRank));
            }

            @Override
            public void end(int originalRank) {
                ends.set(originalRank, trace.callCount(originalRank));
            }
        };
    }

    /** Calls of a PE inside the operation at which it may die. */
    List<Long> crashPointsInOperation(int rank) {
        return trace.crashPoints(rank).stream().filter(index -> index >= begins.get(rank) && index < ends.get(rank))
                .toList();
    }

    /** Calls of a PE at which it may die after the first death of this run, to the end of the run. */
    List<Long> crashPointsAfterTheFirstDeath(int rank) {
        Fault first = faults.getFirst();
        return trace.crashPointsAfter(first.originalRank(), first.callIndex(), rank);
    }

    @Override
    public String toString() {
        return scenario + ", seed=" + seed + ", faults=" + faults;
    }
}
