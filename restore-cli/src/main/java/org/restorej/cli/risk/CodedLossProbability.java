package org.restorej.cli.risk;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;
import org.restorej.report.Probability;

/**
 * The probability that the failure of PEs, or of whole nodes or racks, loses a block range that is coded, without
 * replenishment: more than m of its k + m parts are on what has failed.
 *
 * <p>
 * Where the number n of parts divides P, the holders of a range are those of n - 1 others too: {@code P / n} disjoint
 * groups, and there is an exact answer. Where it doesn't, they overlap with those of others: n neighbours on a cycle,
 * as in {@link LossProbability}. There are bounds then:
 * <ul>
 * <li>at most the expected number of PEs that have failed together with at least m of the n - 1 that follow on the
 * cycle, since each lost range has such a one, its first; exact for m + 1 failures;
 * <li>at least as if only windows that have no PE in common counted: these are negatively associated, as numbers of
 * failures in disjoint groups are (Joag-Dev and Proschan, 1983), so {@code 1 - (1 - p)^windows}, p being that of one.
 * </ul>
 * The same is true of domains in the regular layout, where the shift is a multiple of their size. In others there is an
 * upper bound only, from the different sets of domains that have the parts of a range; one that differs from that
 * before by some domains is counted only with these.
 *
 * <p>
 * Takes every range to have blocks. To make one takes time {@code O(P n log n)} in irregular layouts. Thread-safe.
 */
public final class CodedLossProbability {
    /** Numbers of failures times m for which whole numbers are added up: about a second. */
    private static final long MOST_EXACT = 100_000;
    /** What {@link Probability.Exact} stands for. */
    private static final double EXACT = 1e-9;

    private final int population;
    private final int tolerated;
    /** What may be lost, and how often it is there. */
    private final Map<FatalSets, Long> sets = new LinkedHashMap<>();
    /** Of members in one window or group, of which so many are disjoint; null where that is not known. */
    private @Nullable FatalSets window;
    private int disjointWindows;
    private @Nullable ThresholdGroups groups;
    private boolean isExactAtFirst;

    /**
     * The risk of a placement.
     *
     * @param placement who holds which part; its replication level is the number of parts
     * @param domains what fails together; of the same PEs
     * @param tolerated how many parts may be lost, m; at least 1, less than all
     */
    public CodedLossProbability(Placement placement, FailureDomains domains, int tolerated) {
        domains.checkSamePes(placement);
        if (tolerated < 1 || tolerated >= placement.replication()) {
            throw new IllegalArgumentException("tolerated must be in 1.." + (placement.replication() - 1)
                    + ", less than the number of parts: tolerated=" + tolerated);
        }
        population = domains.domainCount();
        this.tolerated = tolerated;
        int together = domains.neighboursIn(placement);
        if (together > 0 && placement.shift() % together == 0) {
            addCycles(new Placement(population, population, placement.replication()));
        } else {
            addIrregular(placement, domains);
        }
    }

    private void addCycles(Placement ofDomains) {
        int parts = ofDomains.replication();
        FatalSets ofOneRange = FatalSets.moreThan(tolerated, parts);
        window = ofOneRange;
        if (population % parts == 0) {
            disjointWindows = population / parts;
            groups = new ThresholdGroups(disjointWindows, parts, tolerated);
            sets.put(ofOneRange, (long) disjointWindows);
            return;
        }
        int cycles = LossProbability.cycles(ofDomains);
        int cycleLength = population / cycles;
        disjointWindows = cycles * (cycleLength / parts);
        sets.put(ofOneRange.withAGivenOne(), (long) population);
        // Otherwise the same PEs may be the first m + 1 of several windows.
        isExactAtFirst = cycleLength >= 2 * parts - 1;
    }

    private void addIrregular(Placement placement, FailureDomains domains) {
        int parts = placement.replication();
        Map<List<Integer>, Long> shared = new LinkedHashMap<>();
        long apart = 0;
        long entering = 0;
        int[] before = {};
        // Where the parts divide P, ranges farther on have the same holders again.
        int seats = placement.peCount() % parts == 0 ? placement.shift() : placement.peCount();
        for (int seat = 0; seat < seats; seat++) {
            int range = placement.rankAtSeat(seat);
            int[] holders = new int[parts];
            Arrays.setAll(holders, part -> domains.domainOf(placement.holder(range, part)));
            Arrays.sort(holders);
            if (Arrays.equals(holders, before)) {
                continue;
            }
            int[] distinct = Arrays.stream(holders).distinct().toArray();
            if (distinct.length < parts) {
                shared.merge(weights(holders), 1L, Long::sum);
            } else {
                int[] known = before;
                long fresh = Arrays.stream(holders).filter(domain -> Arrays.binarySearch(known, domain) < 0).count();
                boolean countsLess = fresh * (tolerated + 1) < parts;
                apart += countsLess ? 0 : 1;
                entering += countsLess ? fresh : 0;
            }
            before = holders;
        }
        FatalSets ofOneRange = FatalSets.moreThan(tolerated, parts);
        sets.put(ofOneRange, apart);
        sets.put(ofOneRange.withAGivenOne(), entering);
        shared.forEach((weights, count) -> sets.put(FatalSets.heavierThan(tolerated,
                weights.stream().mapToInt(Integer::intValue).toArray()), count));
    }

    /** How many of some sorted numbers are the same, ascending. */
    private static List<Integer> weights(int[] sorted) {
        Map<Integer, Integer> counts = new HashMap<>();
        Arrays.stream(sorted).forEach(number -> counts.merge(number, 1, Integer::sum));
        return counts.values().stream().sorted().toList();
    }

    /**
     * Probability that something is lost when this many random domains have failed, at once or one after the other.
     *
     * @param failures number of failed domains, from 0 to all of them
     */
    public Probability afterFailures(int failures) {
        if (failures < 0 || failures > population) {
            throw new IllegalArgumentException(
                    "the number of failures must be in 0.." + population + ": it is " + failures);
        }
        double expected = 0;
        for (Map.Entry<FatalSets, Long> some : sets.entrySet()) {
            expected += some.getValue() == 0 ? 0 : some.getValue() * some.getKey().probability(population, failures);
        }
        double high = Math.min(1, expected);
        double low = window == null ? 0 : Math.min(high, someOf(window.probability(population, failures)));
        if (high - low <= EXACT * high || (isExactAtFirst && failures == tolerated + 1)) {
            return new Probability.Exact(high);
        }
        return groups != null && (long) failures * tolerated <= MOST_EXACT
                ? new Probability.Exact(groups.probability(failures))
                : new Probability.Between(low, high);
    }

    private double someOf(double ofOneWindow) {
        return -Math.expm1(disjointWindows * Math.log1p(-ofOneWindow));
    }

    /** Whether {@link #expectedFailuresUntilLoss} is more than a lower bound. */
    public boolean isExpectationExact() {
        return groups != null;
    }

    /**
     * Expected number of failures, one random domain after the other, until something is lost, the last one included;
     * relative error below 1e-7 for disjoint groups. Otherwise a lower bound: that something is not lost is most
     * unlikely if what may be lost were independent (Harris' inequality).
     */
    public double expectedFailuresUntilLoss() {
        return IndependentDeaths.expectedFailuresUntilLoss(population, failure -> {
            double logarithm = 0;
            for (Map.Entry<FatalSets, Long> some : sets.entrySet()) {
                logarithm += some.getValue() == 0
                        ? 0
                        : some.getValue() * Math.log1p(-some.getKey().probability(failure));
            }
            return Math.exp(logarithm);
        });
    }
}
