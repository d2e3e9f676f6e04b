package org.restorej.risk;

import java.util.Arrays;

/**
 * Proven bounds on the chance that random elements contain a copyset, from the chances of single copysets and of pairs.
 *
 * <p>
 * With {@code S1} and {@code S2} the sums of these, it is at most {@code S1 - 2 S2 / M} for M copysets (Dawson and Sankoff
 * 1967, "An Inequality for Probabilities"), and at least {@code S1 - S2} (Bonferroni) and {@code S1^2 / (S1 + 2 S2)} (the
 * second moment, Chung and Erdos 1952). Close together where the chance is small, which is where random trials say least.
 * Time linear in the number of pairs that have a member in common. Immutable.
 */
final class PairBounds {
    /** With more pairs than this, a second of work, none is looked at, and only the upper bound S1 is left. */
    private static final long MOST_PAIRS = 50_000_000;

    private final Copysets copysets;
    private final long[] setsBySize;
    /** At index u the number of pairs of copysets with u elements together. */
    private final long[] pairsByUnion;
    private final boolean looksAtPairs;

    /** Looks at the pairs of copysets. */
    PairBounds(Copysets copysets) {
        this.copysets = copysets;
        setsBySize = Arrays.stream(copysets.countBySize()).asLongStream().toArray();
        pairsByUnion = new long[2 * setsBySize.length];
        for (int size = 0; size < setsBySize.length; size++) {
            pairsByUnion[2 * size] += setsBySize[size] * (setsBySize[size] - 1) / 2;
            for (int smaller = 0; smaller < size; smaller++) {
                pairsByUnion[size + smaller] += setsBySize[size] * setsBySize[smaller];
            }
        }
        looksAtPairs = !hasTooManyOverlaps(copysets);
        if (looksAtPairs) {
            countOverlaps();
        }
    }

    private static boolean hasTooManyOverlaps(Copysets copysets) {
        long pairs = 0;
        for (int member = 0; member < copysets.memberCount(); member++) {
            long degree = (long) copysets.start(member + 1) - copysets.start(member);
            pairs += degree * degree;
        }
        return pairs > MOST_PAIRS;
    }

    /** Pairs were taken for disjoint; those that are not have fewer elements together. */
    private void countOverlaps() {
        int[] common = new int[copysets.count()];
        int[] touched = new int[copysets.count()];
        for (int set = 0; set < copysets.count(); set++) {
            int others = 0;
            for (int member : copysets.set(set)) {
                for (int i = copysets.start(member); i < copysets.start(member + 1); i++) {
                    int other = copysets.setAt(i);
                    if (other < set && common[other]++ == 0) {
                        touched[others++] = other;
                    }
                }
            }
            for (int i = 0; i < others; i++) {
                int together = copysets.set(set).length + copysets.set(touched[i]).length;
                pairsByUnion[together]--;
                pairsByUnion[together - common[touched[i]]]++;
                common[touched[i]] = 0;
            }
        }
    }

    /** The bounds for so many random elements. */
    Probability.Between bounds(int chosen) {
        double singles = expected(setsBySize, chosen);
        double pairs = expected(pairsByUnion, chosen);
        if (singles == 0 || !looksAtPairs) {
            return new Probability.Between(0, Math.min(1, singles));
        }
        double high = Math.min(1, singles - 2 * pairs / copysets.count());
        double low = Math.max(singles - pairs, singles * singles / (singles + 2 * pairs));
        return new Probability.Between(Math.clamp(low, 0, high), high);
    }

    /** Expected number of those of which all elements are chosen. */
    private double expected(long[] countBySize, int chosen) {
        double sum = 0;
        double allOfThem = 1;
        for (int size = 1; size < countBySize.length && size <= chosen; size++) {
            allOfThem *= (chosen - size + 1.0) / (copysets.population() - size + 1.0);
            sum += countBySize[size] * allOfThem;
        }
        return sum;
    }
}
