package org.restorej.cli.risk;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * How likely random elements form a run: {@code cycles} cycles of {@code cycleLength} elements each are part of a
 * population, some elements are chosen, all sets of that size being equally likely, and a run is {@code window}
 * neighbours on a cycle that are all chosen. A cycle as long as the window is a plain group.
 *
 * <p>
 * <b>Formula.</b> Sets without a run are counted by the generating function
 * {@code (1 + x)^free * A(x)^cycles}, where
 * {@code A(x) = sum over j of (-1)^j w(j) x^(jK) (1 + x)^(n - j(K + 1)) - x^n} counts those of one cycle of n elements:
 * inclusion-exclusion over the places where a run ends, {@code w(j)} from {@link RunCounts}, and a term for the cycle
 * without an end. For {@code n = K} it is {@code (1 + x)^K - x^K}, and the sum the well-known one for disjoint groups.
 *
 * <p>
 * <b>Error.</b> Terms alternate and may be much larger than the sum, so they are formed in decimals with enough digits
 * for that. Broken off, the sum errs by less than the last term (Bonferroni's inequalities), which is below 1e-70.
 * Results are right to the last digits of a double, down to 1e-50; below that they may be 0.
 * Time: some hundred terms of K decimal operations, a few milliseconds.
 *
 * @param population number of elements
 * @param cycles number of cycles
 * @param cycleLength elements of a cycle, at least the window
 * @param window length of a run
 */
record CyclicRuns(int population, int cycles, int cycleLength, int window) {
    private static final BigDecimal NEGLIGIBLE = new BigDecimal("1e-70");
    private static final int DIGITS = 90;
    /** Where so many disjoint runs are expected, less than one set in 10^21 has none: 1 to the last digit. */
    private static final double CERTAIN = 50;

    /** Probability that there is a run among {@code chosen} random elements. */
    double probability(int chosen) {
        if (chosen < 0 || chosen > population) {
            throw new IllegalArgumentException(
                    "the number of failures must be in 0.." + population + ": it is " + chosen);
        }
        if (chosen < window || cycles == 0) {
            return 0;
        }
        // A cycle without a run needs an element that is not chosen at least every K elements.
        int notChosen = population - chosen;
        if ((long) cycles * Math.ceilDiv(cycleLength, window) > notChosen) {
            return 1;
        }
        double allOfAWindow = allChosen(chosen);
        // Disjoint windows are negatively associated, so none is chosen with probability e^-expected at most.
        int disjointWindows = cycles * (cycleLength / window);
        if (allOfAWindow * disjointWindows > CERTAIN) {
            return 1;
        }
        // No sum of terms is larger than e to the expected number of windows: so many digits may cancel.
        double windows = cycleLength == window ? cycles : (double) cycles * cycleLength;
        MathContext precision = new MathContext(DIGITS + (int) (allOfAWindow * windows / Math.log(10)));
        return BigDecimal.ONE.subtract(none(chosen, precision)).max(BigDecimal.ZERO).doubleValue();
    }

    /** Probability that a given window is chosen. */
    private double allChosen(int chosen) {
        double probability = 1;
        for (int i = 0; i < window; i++) {
            probability *= (double) (chosen - i) / (population - i);
        }
        return probability;
    }

    /** Probability that there is no run: summed over the number of cycles that are chosen as a whole. */
    private BigDecimal none(int chosen, MathContext precision) {
        RunCounts counts = new RunCounts(cycleLength, window, precision);
        BigDecimal sum = BigDecimal.ZERO;
        BigDecimal wholes = BigDecimal.ONE;
        for (int whole = 0; whole <= cycles && wholes.compareTo(NEGLIGIBLE) > 0; whole++) {
            int taken = whole * cycleLength;
            BigDecimal others = wholes
                    .multiply(noEnd(counts, cycles - whole, population - taken, chosen - taken, precision), precision);
            sum = whole % 2 == 0 ? sum.add(others, precision) : sum.subtract(others, precision);
            wholes = wholes.multiply(BigDecimal.valueOf(cycles - whole), precision)
                    .divide(BigDecimal.valueOf(whole + 1L), precision)
                    .multiply(wholeCycle(population - taken, chosen - taken, precision), precision);
        }
        return sum;
    }

    /** Probability that a given cycle is chosen as a whole; 0 where it is negligible. */
    private BigDecimal wholeCycle(int left, int leftChosen, MathContext precision) {
        BigDecimal probability = BigDecimal.ONE;
        for (int i = 0; i < cycleLength; i++) {
            if (leftChosen <= i || probability.compareTo(NEGLIGIBLE) < 0) {
                return BigDecimal.ZERO;
            }
            probability = probability.multiply(BigDecimal.valueOf(leftChosen - i), precision)
                    .divide(BigDecimal.valueOf(left - i), precision);
        }
        return probability;
    }

    /** Probability that no run ends on some of the cycles. */
    private BigDecimal noEnd(RunCounts counts, int someCycles, int left, int leftChosen, MathContext precision) {
        BigDecimal sum = BigDecimal.ONE;
        BigDecimal placed = BigDecimal.ONE;
        int elements = left;
        int chosen = leftChosen;
        for (int runs = 1; (long) runs * (window + 1) <= (long) someCycles * cycleLength; runs++) {
            placed = placed.multiply(runWithEnd(elements, chosen, precision), precision);
            elements -= window + 1;
            chosen -= window;
            BigDecimal term = placed.multiply(counts.ways(someCycles, runs), precision);
            sum = runs % 2 == 0 ? sum.add(term, precision) : sum.subtract(term, precision);
            if (term.compareTo(NEGLIGIBLE) < 0) {
                break;
            }
        }
        return sum;
    }

    /** Probability that {@code window} given elements are chosen and another given one is not. */
    private BigDecimal runWithEnd(int elements, int chosen, MathContext precision) {
        if (chosen < window || elements <= chosen) {
            return BigDecimal.ZERO;
        }
        BigDecimal probability = BigDecimal.valueOf(elements - chosen)
                .divide(BigDecimal.valueOf(elements - window), precision);
        for (int i = 0; i < window; i++) {
            probability = probability.multiply(BigDecimal.valueOf(chosen - i), precision)
                    .divide(BigDecimal.valueOf(elements - i), precision);
        }
        return probability;
    }
}
