package org.restorej.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.local.LocalCluster.PeProgram;
import org.restorej.comm.testing.FaultPlan;
import org.restorej.comm.testing.FaultPlan.Fault;
import org.restorej.internal.memory.NativeMemory;

/**
 * Runs a whole program again and again, and kills one PE after the other at each of its calls, sometimes a second one
 * while the survivors recover. Every survivor must come to the same result as without deaths.
 *
 * @param <T> result of a PE, compared by {@code equals}
 * @param name for messages
 * @param pes number of PEs
 * @param program what every PE runs; opens and closes its store, and survives one death less than it has replicas
 */
public record ProgramCrashes<T>(String name, int pes, PeProgram<T> program) {
    /** One crash in so many is run again with a second death. */
    private static final int SECOND_DEATHS = 3;

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    /**
     * Kills everybody everywhere, or, of many calls, at every so many of them.
     *
     * @param expected what each PE returns without deaths
     * @param seed of the interleaving and of what is left out
     * @param oneIn how many crash points one is chosen of; 1 for all
     */
    public void everywhere(T expected, long seed, int oneIn) {
        long memoryBefore = NativeMemory.openBytes();
        CallTrace clean = run(expected, seed);
        int points = 0;
        int runs = 0;
        for (int victim = 0; victim < pes; victim++) {
            for (long point : clean.crashPoints(victim)) {
                if (Math.floorMod(seed + points++, oneIn) == 0) {
                    runs += dieAt(expected, seed, victim, point);
                }
            }
        }
        assertTrue(runs > 0, "somebody dies");
        System.out.printf("%s on %d PEs: %d crash points, one of %d tried, %d runs%n", name, pes, points, oneIn, runs);
        assertEquals(memoryBefore, NativeMemory.openBytes(), "native memory left behind");
    }

    private int dieAt(T expected, long seed, int victim, long point) {
        RandomGenerator random = new SplittableRandom((seed * 31 + victim) * 1_000_003 + point);
        Fault first = random.nextBoolean() ? Fault.before(victim, point) : Fault.after(victim, point);
        CallTrace one = run(expected, seed, first);
        if (random.nextInt(SECOND_DEATHS) != 0) {
            return 1;
        }
        int second = (victim + 1 + random.nextInt(pes - 1)) % pes;
        List<Long> points = one.crashPointsAfter(victim, point, second);
        if (points.isEmpty()) {
            return 1;
        }
        run(expected, seed, first, Fault.before(second, points.get(random.nextInt(points.size()))));
        return 2;
    }

    private CallTrace run(T expected, long seed, Fault... faults) {
        FaultPlan plan = FaultPlan.of(faults);
        CallTrace trace = new CallTrace(pes, plan);
        String what = name + ", seed " + seed + ", " + List.of(faults);
        try (LocalCluster cluster = LocalCluster.builder(pes).faults(trace).singleStepping(seed).timeout(TIMEOUT)
                .build()) {
            List<T> survivors = new ArrayList<>(PeOutcome.values(cluster.run(program)));
            plan.verifyAllHappened();
            assertEquals(pes - faults.length, survivors.size(), () -> "survivors of " + what);
            for (T survivor : survivors) {
                assertEquals(expected, survivor, what);
            }
            return trace;
        } catch (RuntimeException | AssertionError failure) {
            throw new AssertionError(what + ": " + failure.getMessage(), failure);
        }
    }
}
