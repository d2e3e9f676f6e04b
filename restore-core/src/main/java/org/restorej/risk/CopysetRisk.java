package org.restorej.risk;

import org.jspecify.annotations.Nullable;
import org.restorej.internal.placement.FailedRanks;
import org.restorej.internal.placement.Placement;

/**
 * How likely further failures lose something, from who holds it now: those alive fail at random, all sets of the same
 * size being equally likely, and nothing is made anew in between. The elements are PEs, or whole failure domains.
 *
 * <p>
 * The holders of something, as long as nobody else has it, are a <em>copyset</em>. There is an exact answer
 * <ul>
 * <li>while no more fail than the smallest copyset has, since then only one can be lost at a time;
 * <li>where copysets are disjoint, as they are where K divides P and nothing has been made anew elsewhere;
 * <li>where holders overlap as in a placement in which K does not divide P and nothing has been made anew, up to some
 * 3e8 steps, {@code P f K^2} for f failures, and without limit before the first failure;
 * <li>where at most 20 are alive.
 * </ul>
 * Otherwise there are proven bounds where these are within a twentieth of each other, and random trials where they are
 * not. All of them take less than about a second. One thread.
 */
public final class CopysetRisk {
    private static final double CLOSE = 0.05;
    private static final double TRIAL_STEPS = 1e8;
    private static final int FEWEST_TRIALS = 500;
    private static final int MOST_TRIALS = 20_000;
    /** Chooses the failures of the trials; any number would do. */
    private static final long SEED = 0x5EED;

    private final Copysets copysets;
    private final boolean disjoint;
    private final @Nullable WindowWalk walk;
    private @Nullable EverySubset everySubset;
    private @Nullable PairBounds pairBounds;

    private CopysetRisk(Copysets copysets, @Nullable WindowWalk walk) {
        this.copysets = copysets;
        this.walk = walk;
        disjoint = copysets.areDisjoint();
    }

    /** Collects who holds what. One thread. */
    public static final class Builder {
        private final Copysets.Builder copysets = new Copysets.Builder();
        private @Nullable WindowWalk walk;

        /**
         * Adds the holders of something; nothing when there are none, since it is lost already.
         *
         * @param holders the first {@code count} are who has it, in any order, with repetitions or without; copied
         */
        public Builder add(int[] holders, int count) {
            copysets.add(holders, count);
            return this;
        }

        /**
         * Says that all copysets are those of a placement of which some have lost their replicas.
         *
         * @param placement who was given what; every range has blocks
         * @param gone who has lost its replicas since
         * @param dead those of them that nobody has taken the place of
         */
        public Builder asPlaced(Placement placement, FailedRanks gone, FailedRanks dead) {
            walk = new WindowWalk(placement, gone, dead);
            return this;
        }

        /**
         * The risk.
         *
         * @param alive number of PEs, or domains, that may fail, whether they hold something or not
         */
        public CopysetRisk build(int alive) {
            return new CopysetRisk(copysets.build(alive), walk);
        }
    }

    /** How many may fail. */
    public int alive() {
        return copysets.population();
    }

    /** Number of different sets that must not fail as a whole, those that contain others excepted. */
    public int copysets() {
        return copysets.count();
    }

    /** The least number of failures that can lose something; 0 when there is nothing to lose. */
    public int fewestFailuresUntilLoss() {
        return copysets.smallest();
    }

    /**
     * Probability that something more is lost when this many have failed.
     *
     * @param failures number of failures, from 0 to all that are alive
     */
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
            return new Probability.Exact(Math.min(1, ofTheSmallest(smallest)));
        }
        if (disjoint) {
            return new Probability.Exact(
                    new DisjointSets(copysets.population(), copysets.countBySize()).probability(failures));
        }
        if (walk != null && walk.isShort(failures)) {
            return new Probability.Exact(walk.probability(failures));
        }
        if (walk != null && walk.isBeforeAnyLoss()) {
            return new Probability.Exact(walk.probabilityBeforeAnyLoss(failures));
        }
        if (copysets.population() <= EverySubset.MOST) {
            return new Probability.Exact(everySubset().probability(failures));
        }
        return boundedOrTried(failures);
    }

    private double ofTheSmallest(int size) {
        double allOfThem = 1;
        for (int i = 0; i < size; i++) {
            allOfThem *= (size - i) / (double) (copysets.population() - i);
        }
        return copysets.countBySize()[size] * allOfThem;
    }

    private EverySubset everySubset() {
        if (everySubset == null) {
            everySubset = new EverySubset(copysets);
        }
        return everySubset;
    }

    private Probability boundedOrTried(int failures) {
        if (pairBounds == null) {
            pairBounds = new PairBounds(copysets);
        }
        Probability.Between proven = pairBounds.bounds(failures);
        if (proven.high() - proven.low() <= CLOSE * proven.high()) {
            return proven;
        }
        double copysetsOfOne = (double) copysets.totalSize() / copysets.population();
        int trials = (int) Math.clamp(TRIAL_STEPS / (failures * (1 + copysetsOfOne)), FEWEST_TRIALS, MOST_TRIALS);
        ConfidenceInterval tried = new CopysetTrials(copysets, SEED).run(trials, failures).lossProbability(failures);
        return tried.high() - tried.low() < proven.high() - proven.low() ? new Probability.Estimated(tried) : proven;
    }
}
