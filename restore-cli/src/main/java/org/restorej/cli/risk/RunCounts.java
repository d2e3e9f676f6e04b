package org.restorej.cli.risk;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/**
 * In how many ways {@code j} runs of {@code window} elements, each followed by one element more, can be placed on
 * cycles of the same length without overlap.
 *
 * <p>
 * On one cycle of n elements there are {@code n / (n - jK) * C(n - jK, j)} ways, on several the convolution of these.
 * Computed as far as they are asked for, {@code O(j)} each. One thread.
 */
final class RunCounts {
    private final int cycleLength;
    private final int window;
    private final MathContext precision;
    /** {@code byCycles.get(c - 1).get(j)}: j runs on c cycles. */
    private final List<List<BigDecimal>> byCycles = new ArrayList<>();

    RunCounts(int cycleLength, int window, MathContext precision) {
        this.cycleLength = cycleLength;
        this.window = window;
        this.precision = precision;
    }

    /** Ways to place runs on cycles. */
    BigDecimal ways(int cycles, int runs) {
        if (runs == 0) {
            return BigDecimal.ONE;
        }
        if (cycles == 0 || cycleLength <= window) {
            return BigDecimal.ZERO;
        }
        while (byCycles.size() < cycles) {
            byCycles.add(new ArrayList<>(List.of(BigDecimal.ONE)));
        }
        List<BigDecimal> known = byCycles.get(cycles - 1);
        while (known.size() <= runs) {
            known.add(cycles == 1 ? onOneCycle(known.size()) : onSeveral(cycles, known.size()));
        }
        return known.get(runs);
    }

    private BigDecimal onSeveral(int cycles, int runs) {
        BigDecimal sum = BigDecimal.ZERO;
        for (int onTheFirst = 0; onTheFirst <= runs; onTheFirst++) {
            sum = sum.add(ways(1, onTheFirst).multiply(ways(cycles - 1, runs - onTheFirst), precision), precision);
        }
        return sum;
    }

    /** From the number of ways for one run less. */
    private BigDecimal onOneCycle(int runs) {
        if ((long) runs * (window + 1) > cycleLength) {
            return BigDecimal.ZERO;
        }
        int before = runs - 1;
        long outside = cycleLength - (long) before * window;
        BigDecimal count = ways(1, before);
        for (int i = 1; i <= window; i++) {
            count = count.multiply(BigDecimal.valueOf(outside - before - i), precision)
                    .divide(BigDecimal.valueOf(outside - i), precision);
        }
        return count.multiply(BigDecimal.valueOf(outside - before), precision)
                .divide(BigDecimal.valueOf(runs), precision);
    }
}
