package org.restorej.cli.risk;

import java.util.Arrays;

/**
 * Of some members, which sets of failed ones are fatal: only how many of each size. Immutable.
 */
final class FatalSets {
    private final int members;
    private final double[] bySize;

    private FatalSets(int members, double[] bySize) {
        this.members = members;
        this.bySize = bySize;
    }

    /** More than {@code tolerated} of the weight; members weigh different numbers of parts. */
    static FatalSets heavierThan(int tolerated, int... weights) {
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
        double[] bySize = new double[weights.length + 1];
        Arrays.setAll(bySize, size -> Arrays.stream(sets[size], Math.min(tolerated, total) + 1, total + 1).sum());
        return new FatalSets(weights.length, bySize);
    }

    /** More than {@code tolerated} of so many equal members. */
    static FatalSets moreThan(int tolerated, int members) {
        int[] weights = new int[members];
        Arrays.fill(weights, 1);
        return heavierThan(tolerated, weights);
    }

    /** Those of equal members that have a given one. */
    FatalSets withAGivenOne() {
        double[] with = new double[bySize.length];
        Arrays.setAll(with, size -> bySize[size] * size / members);
        return new FatalSets(members, with);
    }

    /** Size of the smallest. */
    int fewest() {
        int size = 0;
        while (bySize[size] == 0) {
            size++;
        }
        return size;
    }

    /** Probability that the members that have failed are such a set, when so many of a population have. */
    double probability(int population, int failures) {
        double sum = 0;
        for (int size = Math.max(fewest(), failures - population + members); size <= Math.min(members,
                failures); size++) {
            double these = bySize[size];
            for (int i = 0; i < size; i++) {
                these *= (failures - i) / (double) (population - i);
            }
            for (int i = size; i < members; i++) {
                these *= (population - failures - i + size) / (double) (population - i);
            }
            sum += these;
        }
        return Math.min(1, sum);
    }

    /** The same when each member has failed with some probability, independently of the others. */
    double probability(double failure) {
        double sum = 0;
        for (int size = fewest(); size <= members; size++) {
            sum += bySize[size] * Math.pow(failure, size) * Math.pow(1 - failure, members - size);
        }
        return Math.min(1, sum);
    }
}
