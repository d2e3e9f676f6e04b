package org.restorej.internal.risk;

/**
 * How many choices of each size contain a copyset, counted one by one: exact whatever the sets are, for a population of
 * at most {@value #MOST}. Time {@code O(n 2^n)}, once.
 */
final class EverySubset {
    /** A million subsets take a few milliseconds. */
    static final int MOST = 20;

    private final double[] probability;

    EverySubset(Copysets copysets) {
        int population = copysets.population();
        boolean[] lost = new boolean[1 << population];
        IntSets sets = copysets.sets();
        for (int set = 0; set < sets.count(); set++) {
            int mask = 0;
            for (int i = sets.start(set); i < sets.start(set + 1); i++) {
                mask |= 1 << sets.memberAt(i);
            }
            lost[mask] = true;
        }
        double[] hits = new double[population + 1];
        double[] all = new double[population + 1];
        for (int chosen = 0; chosen < lost.length; chosen++) {
            // Whoever is chosen last, what was lost before is lost.
            for (int rest = chosen; rest != 0 && !lost[chosen]; rest &= rest - 1) {
                lost[chosen] = lost[chosen ^ Integer.lowestOneBit(rest)];
            }
            hits[Integer.bitCount(chosen)] += lost[chosen] ? 1 : 0;
            all[Integer.bitCount(chosen)]++;
        }
        probability = new double[population + 1];
        for (int size = 0; size <= population; size++) {
            probability[size] = hits[size] / all[size];
        }
    }

    double probability(int chosen) {
        return probability[chosen];
    }
}
