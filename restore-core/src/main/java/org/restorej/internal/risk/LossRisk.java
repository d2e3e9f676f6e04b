package org.restorej.internal.risk;

import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.restorej.report.Probability;

/**
 * The probability that random failures lose something. All sets of the same number of failures are equally likely, and
 * nothing is re-replicated in between.
 *
 * <p>
 * A <em>group</em> is all holders of the same data: K copies, or the k + m parts of a code. For copies the failure of
 * all is a loss, for a code that of m + 1 (a copy is a code of 1 + m). The result is the expected number of lost
 * groups: an upper bound, exact as long as only one group can be lost at a time. If groups of copies have no member in
 * common (K divides P, and nothing was re-replicated), inclusion and exclusion give the exact probability (Hübner et
 * al., "ReStore: In-Memory REplicated STORagE for Rapid Recovery in Fault-Tolerant Algorithms", 2022, section IV).
 * Takes microseconds for any number of groups. Immutable.
 */
public final class LossRisk {
    /**
     * From this expected number of lost groups on, the probability that none is lost is below 1e-7, and the sum below,
     * whose terms grow exponentially with it, would be no more accurate.
     */
    private static final double MANY = 17;
    private static final double NEGLIGIBLE = 1e-17;

    private final int population;
    private final List<FatalSets> shapes;
    /** Number of groups of each shape. */
    private final int[] counts;
    private final boolean disjoint;
    private final int fewest;

    private LossRisk(int population, List<FatalSets> shapes, int[] counts, boolean disjoint) {
        this.population = population;
        this.shapes = List.copyOf(shapes);
        this.counts = counts.clone();
        this.disjoint = disjoint;
        fewest = shapes.stream().mapToInt(FatalSets::fewest).min().orElse(0);
    }

    /**
     * The risk of a placement without failures, with the parts of each range on different holders: {@code P / n} groups
     * of n if n divides P, otherwise P groups that overlap.
     *
     * @param peCount number P
     * @param parts number n of holders of a range
     * @param fatal number of failed holders at which data are lost
     */
    public static LossRisk ofPlacement(int peCount, int parts, int fatal) {
        int[] weights = new int[parts];
        Arrays.fill(weights, 1);
        boolean disjoint = peCount % parts == 0;
        return new LossRisk(peCount, List.of(new FatalSets(weights, fatal)),
                new int[]{disjoint ? peCount / parts : peCount}, disjoint);
    }

    /** Collects distinct groups. Two different groups count as equal with a probability of 1e-19. Not thread-safe. */
    public static final class Builder {
        private final LongOpenHashSet seen = new LongOpenHashSet();
        private final BitSet members = new BitSet();
        private final List<FatalSets> shapes = new ArrayList<>();
        private int[] counts = new int[4];
        private int[] sorted = {};
        private int[] weights = {};
        private boolean disjoint = true;

        /**
         * Adds a group; ignored without holders, since everything is already lost.
         *
         * @param holders the first {@code count} elements are the holders of the parts, at least 0; a holder of several
         *        parts is repeated
         * @param fatal number of lost parts at which something is lost, at least 1
         */
        public void add(int[] holders, int count, int fatal) {
            if (sorted.length < count) {
                sorted = new int[count];
                weights = new int[count];
            }
            System.arraycopy(holders, 0, sorted, 0, count);
            Arrays.sort(sorted, 0, count);
            int different = weigh(count);
            int least = fatal;
            if (count - lightest(different) < fatal) {
                // All members must fail, whatever their numbers of parts.
                Arrays.fill(weights, 0, different, 1);
                least = different;
            }
            if (count == 0 || !seen.add(fingerprint(different, least))) {
                return;
            }
            for (int i = 0; i < different; i++) {
                disjoint &= !members.get(sorted[i]);
                members.set(sorted[i]);
            }
            Arrays.sort(weights, 0, different);
            count(different, least);
        }

        /** Merges repeated members, sets their weights, and returns the number of members. */
        private int weigh(int count) {
            int different = 0;
            for (int i = 0; i < count; i++) {
                if (different > 0 && sorted[i] == sorted[different - 1]) {
                    weights[different - 1]++;
                } else {
                    sorted[different] = sorted[i];
                    weights[different++] = 1;
                }
            }
            return different;
        }

        private int lightest(int different) {
            int lightest = Integer.MAX_VALUE;
            for (int i = 0; i < different; i++) {
                lightest = Math.min(lightest, weights[i]);
            }
            return lightest;
        }

        private long fingerprint(int different, int fatal) {
            long fingerprint = HashCommon.mix((long) fatal);
            for (int i = 0; i < different; i++) {
                fingerprint += HashCommon.mix(HashCommon.murmurHash3(sorted[i] + 1L) + weights[i]);
            }
            return fingerprint;
        }

        private void count(int different, int fatal) {
            int shape = 0;
            while (shape < shapes.size() && !shapes.get(shape).isOf(weights, different, fatal)) {
                shape++;
            }
            if (shape == shapes.size()) {
                shapes.add(new FatalSets(Arrays.copyOf(weights, different), fatal));
                counts = shape < counts.length ? counts : Arrays.copyOf(counts, 2 * shape);
            }
            counts[shape]++;
        }

        /**
         * The risk of the groups that were added.
         *
         * @param population number of members that may fail, whether they hold something or not
         */
        public LossRisk build(int population) {
            return new LossRisk(population, shapes, Arrays.copyOf(counts, shapes.size()), disjoint);
        }
    }

    /** Number of members that may fail. */
    public int alive() {
        return population;
    }

    /** Number of groups. */
    public int groups() {
        return Arrays.stream(counts).sum();
    }

    /** The smallest number of failures that can lose something; 0 if there is nothing to lose. */
    public int fewestFailuresUntilLoss() {
        return fewest;
    }

    /**
     * Probability of a loss after a number of failures.
     *
     * @param failures from 0 to {@link #alive}
     */
    public Probability afterFailures(int failures) {
        if (failures < 0 || failures > population) {
            throw new IllegalArgumentException("failures must be in 0.." + population
                    + ", the number of those alive: failures=" + failures);
        }
        if (fewest == 0 || failures < fewest) {
            return Probability.exactly(0);
        }
        if (failures == population || isSureFrom(failures)) {
            return Probability.exactly(1);
        }
        if (disjoint && shapes.size() == 1 && shapes.getFirst().needsAll()) {
            return Probability.exactly(ofDisjointCopies(failures));
        }
        double expected = expectedLosses(failures);
        return isOneAtATime(failures) ? Probability.exactly(Math.min(1, expected)) : Probability.atMost(expected);
    }

    /** Whether the smallest fatal number of failures is fatal in any case. */
    private boolean isSureFrom(int failures) {
        return isOneAtATime(fewest) && failures > fewest && expectedLosses(fewest) >= 1 - 1e-12;
    }

    /** Whether at most one group can be lost: this number of failures can't lose several. */
    private boolean isOneAtATime(int failures) {
        return disjoint
                ? failures < 2 * fewest
                : failures <= fewest && shapes.stream().allMatch(shape -> shape.fewest() > fewest || shape.needsAll());
    }

    private double expectedLosses(int failures) {
        double expected = 0;
        for (int shape = 0; shape < counts.length; shape++) {
            expected += counts[shape] * shapes.get(shape).probability(population, failures);
        }
        return expected;
    }

    /**
     * {@code sum over j = 1 .. f / K of (-1)^(j + 1) C(g, j) C(n - jK, f - jK) / C(n, f)} for g groups; absolute error
     * below 1e-7, relative error below 1e-8 where a loss is unlikely.
     */
    private double ofDisjointCopies(int failures) {
        int groups = counts[0];
        int size = shapes.getFirst().members();
        double ofOne = shapes.getFirst().probability(population, failures);
        if (groups * ofOne > MANY) {
            // Sampling without replacement misses all groups less often than independent failures do.
            return -Math.expm1(groups * Math.log1p(-ofOne));
        }
        double sum = 0;
        double term = -1;
        for (int group = 0; group < groups && (group + 1L) * size <= failures; group++) {
            term *= -(groups - group) / (group + 1.0);
            for (int i = group * size; i < (group + 1) * size; i++) {
                term *= (failures - i) / (double) (population - i);
            }
            sum += term;
            if (Math.abs(term) < NEGLIGIBLE * Math.abs(sum)) {
                break;
            }
        }
        return Math.clamp(sum, 0, 1);
    }
}
