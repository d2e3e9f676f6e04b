package org.restorej.internal.risk;

import java.util.Arrays;

/**
 * Counts, by size, the sets of members whose joint failure loses a block of which the members hold parts. Immutable.
 */
final class FatalSets {
    private final int[] weights;
    private final int fatal;
    private final double[] bySize;

    /**
     * Counts the sets.
     *
     * @param weights number of parts of each member
     * @param fatal number of lost parts with which a block is lost: K for K copies, m + 1 for a code
     */
    FatalSets(int[] weights, int fatal) {
        this.weights = weights.clone();
        this.fatal = fatal;
        int total = Arrays.stream(weights).sum();
        double[][] sets = new double[weights.length + 1][total + 1];
        sets[0][0] = 1;
        for (int member = 0; member < weights.length; member++) {
            for (int size = member; size >= 0; size--) {
                for (int weight = total - weights[member]; weight >= 0; weight--) {
                    sets[size + 1][weight + weights[member]] += sets[size][weight];
                }
            }
        }
        bySize = new double[weights.length + 1];
        Arrays.setAll(bySize, size -> Arrays.stream(sets[size], Math.min(fatal, total), total + 1).sum());
    }

    boolean isOf(int[] otherWeights, int count, int otherFatal) {
        return fatal == otherFatal && Arrays.equals(weights, 0, weights.length, otherWeights, 0, count);
    }

    int members() {
        return weights.length;
    }

    /** Size of the smallest set. */
    int fewest() {
        int size = 1;
        while (bySize[size] == 0) {
            size++;
        }
        return size;
    }

    /** Whether only the failure of all members is fatal. */
    boolean needsAll() {
        return fewest() == members();
    }

    /**
     * Probability of a loss when this number of random members of a population have failed.
     */
    double probability(int population, int failures) {
        double sum = 0;
        int least = Math.max(fewest(), failures - population + members());
        for (int size = least; size <= Math.min(members(), failures); size++) {
            double these = bySize[size];
            for (int i = 0; i < size; i++) {
                these *= (failures - i) / (double) (population - i);
            }
            for (int i = size; i < members(); i++) {
                these *= (population - failures - i + size) / (double) (population - i);
            }
            sum += these;
        }
        return Math.min(1, sum);
    }
}
