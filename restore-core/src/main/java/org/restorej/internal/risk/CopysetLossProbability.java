package org.restorej.internal.risk;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.restorej.report.Probability;
import org.restorej.report.Probability.ConfidenceInterval;

/**
 * How likely further failures lose something, from who holds it now, computed from the copysets alone, whoever made
 * them so: those alive fail at random, all sets of the same size being equally likely, and nothing is made anew in
 * between. The holders of something, as long as nobody else has it, are a <em>copyset</em>.
 *
 * <p>
 * Where copysets overlap there are two proven bounds: the expected number of lost copysets from above, and from below
 * the exact answer for disjoint ones among them. They are close together where few copysets overlap, as after the
 * replenishment of a large store. Where random trials say more, these are the answer. One thread.
 */
public final class CopysetLossProbability {
    /** Bounds this close, relative to the upper one, are not worth a trial. */
    private static final double CLOSE = 0.05;
    private static final double TRIAL_STEPS = 1e8;
    private static final int FEWEST_TRIALS = 500;
    private static final int MOST_TRIALS = 20_000;
    /** Chooses the failures of the trials; any number would do. */
    private static final long SEED = 0x5EED;

    private final Copysets copysets;
    private final int[] disjointBySize;
    private final boolean disjoint;
    private @Nullable EverySubset everySubset;

    public CopysetLossProbability(Copysets copysets) {
        this.copysets = copysets;
        disjointBySize = copysets.disjointCountBySize();
        disjoint = Arrays.equals(disjointBySize, copysets.countBySize());
    }

    public int alive() {
        return copysets.population();
    }

    public int copysets() {
        return copysets.sets().count();
    }

    public int fewestFailuresUntilLoss() {
        return copysets.smallest();
    }

    public Probability afterFailures(int failures) {
        if (failures < 0 || failures > copysets.population()) {
            throw new IllegalArgumentException("failures must be in 0.." + copysets.population()
                    + ", the number of those alive: failures=" + failures);
        }
        int smallest = copysets.smallest();
        if (smallest == 0 || failures < smallest) {
            return new Probability.Exact(0);
        }
        if (failures == copysets.population()) {
            return new Probability.Exact(1);
        }
        if (failures == smallest) {
            // Only one of them can be lost at a time.
            return new Probability.Exact(Math.min(1, expectedLostCopysets(failures)));
        }
        if (disjoint) {
            return new Probability.Exact(ofDisjoint(failures));
        }
        if (copysets.population() <= EverySubset.MOST) {
            return new Probability.Exact(everySubset().probability(failures));
        }
        return boundedOrTried(failures);
    }

    private double expectedLostCopysets(int failures) {
        int[] countBySize = copysets.countBySize();
        double expected = 0;
        double allOfThem = 1;
        for (int size = 1; size < countBySize.length && size <= failures; size++) {
            allOfThem *= (failures - size + 1.0) / (copysets.population() - size + 1.0);
            expected += countBySize[size] * allOfThem;
        }
        return expected;
    }

    private double ofDisjoint(int failures) {
        return new DisjointSets(copysets.population(), disjointBySize).probability(failures);
    }

    private EverySubset everySubset() {
        if (everySubset == null) {
            everySubset = new EverySubset(copysets);
        }
        return everySubset;
    }

    /** For tests, too, which count small cases. */
    Probability boundedOrTried(int failures) {
        double high = Math.min(1, expectedLostCopysets(failures));
        Probability.Between proven = new Probability.Between(Math.min(high, ofDisjoint(failures)), high);
        double copysetsOfOne = (double) copysets.sets().totalSize() / copysets.population();
        int trials = (int) Math.clamp(TRIAL_STEPS / (failures * (1 + copysetsOfOne)), FEWEST_TRIALS, MOST_TRIALS);
        double width = proven.high() - proven.low();
        // No interval of trials is shorter than that of none that hits.
        if (width <= CLOSE * high || width <= ConfidenceInterval.wilson(0, trials).high()) {
            return proven;
        }
        int hits = new CopysetTrials(copysets, SEED).losses(trials, failures);
        ConfidenceInterval tried = ConfidenceInterval.wilson(hits, trials);
        return tried.high() - tried.low() < width ? new Probability.Estimated(tried) : proven;
    }
}
