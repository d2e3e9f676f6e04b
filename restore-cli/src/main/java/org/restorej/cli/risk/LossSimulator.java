package org.restorej.cli.risk;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Estimates the risk of loss by simulation. It uses the placement and, with replenishment, the replica map of the store
 * instead of formulas.
 *
 * <p>
 * Each trial has its own seed, so the result depends on the seed and the number of trials, but not on the number of
 * threads. Without replenishment a trial takes time {@code O(f K^2)} for f failures until loss; with it,
 * {@code O(f K g)} for each replenishment, g being the number of ring points of a rank. Takes {@code P / 8} bytes of
 * memory for each thread. Thread-safe.
 */
public final class LossSimulator {
    private final LossScenario scenario;
    private final long firstSeed;

    /**
     * Creates a simulator.
     *
     * @param scenario to simulate
     * @param seed chooses the failures
     */
    public LossSimulator(LossScenario scenario, long seed) {
        this.scenario = scenario;
        // Mixed, so that the trials of different seeds don't overlap.
        firstSeed = new SplittableRandom(seed).nextLong();
    }

    /**
     * Runs the trials on all processors and waits for them.
     *
     * @param trials number of trials, at least 1; the interval shrinks with their square root
     */
    public SimulatedLosses run(int trials) {
        if (trials < 1) {
            throw new IllegalArgumentException("trials must be at least 1: trials=" + trials);
        }
        int[] failuresUntilLoss = IntStream.range(0, trials).parallel()
                .map(trial -> new LossTrial(scenario, randomOf(trial)).failuresUntilLoss()).toArray();
        return new SimulatedLosses(scenario.maxFailures(), failuresUntilLoss);
    }

    /** The first number of a generator depends on all bits of its seed, so neighbouring trials are independent. */
    private SplittableRandom randomOf(int trial) {
        return new SplittableRandom(new SplittableRandom(firstSeed + trial).nextLong());
    }
}
