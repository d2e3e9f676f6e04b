package org.restorej.cli.risk;

import it.unimi.dsi.fastutil.doubles.DoubleArrayList;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The exact probability that more than m members of one of g disjoint groups of n are chosen, all sets of a size being
 * equally likely.
 *
 * <p>
 * Sets that leave every group at most m are counted by the generating function {@code A(x)^g},
 * {@code A(x) = sum over i = 0 .. m of C(n, i) x^i}. As {@code y = A^g} satisfies {@code A y' = g A' y}, its
 * coefficients follow from each other:
 * {@code j y(j) = sum over i = 1 .. m of (i (g + 1) - j) C(n, i) y(j - i)}. In whole numbers, so nothing is rounded;
 * time {@code O(f^2 m)} bit operations by words for f chosen ones. Thread-safe.
 */
final class ThresholdGroups {
    private final int groups;
    private final int groupSize;
    /** {@code C(n, i)}, up to m. */
    private final BigInteger[] choices;
    /** The last m coefficients, the newest first. */
    private final Deque<BigInteger> counts = new ArrayDeque<>();
    private final DoubleArrayList losses = DoubleArrayList.of(0);
    private BigInteger sets = BigInteger.ONE;

    ThresholdGroups(int groups, int groupSize, int tolerated) {
        this.groups = groups;
        this.groupSize = groupSize;
        choices = new BigInteger[tolerated + 1];
        choices[0] = BigInteger.ONE;
        for (int i = 1; i <= tolerated; i++) {
            choices[i] = choices[i - 1].multiply(BigInteger.valueOf(groupSize - i + 1L)).divide(BigInteger.valueOf(i));
        }
        counts.add(BigInteger.ONE);
    }

    synchronized double probability(int chosen) {
        while (losses.size() <= chosen) {
            another(losses.size());
        }
        return losses.getDouble(chosen);
    }

    private void another(int chosen) {
        BigInteger count = BigInteger.ZERO;
        int i = 1;
        for (BigInteger before : counts) {
            BigInteger factor = choices[i].multiply(BigInteger.valueOf(i * (groups + 1L) - chosen));
            count = count.add(before.multiply(factor));
            i++;
        }
        count = count.divide(BigInteger.valueOf(chosen));
        counts.addFirst(count);
        if (counts.size() >= choices.length) {
            counts.removeLast();
        }
        sets = sets.multiply(BigInteger.valueOf((long) groups * groupSize - chosen + 1))
                .divide(BigInteger.valueOf(chosen));
        losses.add(ratio(sets.subtract(count), sets));
    }

    /** To the last digits of a double, unless it is below 2^-900. */
    private static double ratio(BigInteger part, BigInteger whole) {
        int cut = Math.max(0, whole.bitLength() - 1000);
        return part.shiftRight(cut).doubleValue() / whole.shiftRight(cut).doubleValue();
    }
}
