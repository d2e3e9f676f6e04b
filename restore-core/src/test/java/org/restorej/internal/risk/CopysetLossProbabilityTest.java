package org.restorej.internal.risk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.report.Probability;
import org.restorej.testing.SeededLaw;

class CopysetLossProbabilityTest {
    /** The probability for each number of failures, counted set by set. */
    private static double[] counted(int population, List<int[]> sets) {
        double[] lost = new double[population + 1];
        double[] all = new double[population + 1];
        for (int dead = 0; dead < 1 << population; dead++) {
            int failed = dead;
            boolean loss = sets.stream()
                    .anyMatch(set -> Arrays.stream(set).allMatch(member -> (failed >> member & 1) == 1));
            lost[Integer.bitCount(dead)] += loss ? 1 : 0;
            all[Integer.bitCount(dead)]++;
        }
        return IntStream.rangeClosed(0, population).mapToDouble(size -> lost[size] / all[size]).toArray();
    }

    private static CopysetLossProbability risk(int population, List<int[]> sets) {
        Copysets.Builder builder = new Copysets.Builder();
        sets.forEach(set -> builder.add(set, set.length));
        return new CopysetLossProbability(builder.build(population));
    }

    private static List<int[]> randomSets(int population, Random random) {
        List<int[]> sets = new ArrayList<>();
        for (int set = random.nextInt(12); set >= 0; set--) {
            sets.add(random.ints(1 + random.nextInt(4), 0, population).toArray());
        }
        return sets;
    }

    @Test
    void isExactForAnySetsOfFewAlive() {
        SeededLaw.holds(150, random -> {
            int population = 1 + random.nextInt(12);
            List<int[]> sets = randomSets(population, random);
            double[] counted = counted(population, sets);
            CopysetLossProbability risk = risk(population, sets);
            for (int failures = 0; failures <= population; failures++) {
                Probability.Exact exact = assertInstanceOf(Probability.Exact.class, risk.afterFailures(failures));
                assertEquals(counted[failures], exact.value(), 1e-12 * counted[failures], "f=" + failures);
            }
            assertTrue(counted[risk.fewestFailuresUntilLoss()] > 0 && counted[risk.fewestFailuresUntilLoss() - 1] == 0);
        });
    }

    @Test
    void disjointSetsOfAnySizesAreCounted() {
        SeededLaw.holds(150, random -> {
            int population = 2 + random.nextInt(12);
            List<int[]> sets = new ArrayList<>();
            int[] countBySize = new int[6];
            for (int first = 0; first < population;) {
                int size = Math.min(population - first, 1 + random.nextInt(5));
                if (random.nextInt(4) > 0) {
                    sets.add(IntStream.range(first, first + size).toArray());
                    countBySize[size]++;
                }
                first += size;
            }
            double[] counted = counted(population, sets);
            DisjointSets disjoint = new DisjointSets(population, countBySize);
            for (int failures = 1; failures < population; failures++) {
                assertEquals(counted[failures], disjoint.probability(failures),
                        1e-12 * Math.max(1e-3, counted[failures]),
                        "f=" + failures + " of " + population);
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"200, 4, 100", "250, 5, 125", "300, 6, 155", "1000, 8, 520", "600, 3, 7", "600, 3, 300",
            "24576, 2, 246", "24576, 3, 246", "24576, 4, 10", "24576, 4, 246",
            "24576, 4, 3000", "33554432, 4, 20000", "33554432, 4, 1000000", "33554430, 2, 6000"})
    void disjointGroupsAreAsInTheFormula(int population, int size, int failures) {
        int[] countBySize = new int[size + 1];
        countBySize[size] = population / size;
        double formula = DisjointGroups.lossProbability(population, size, failures);
        assertEquals(formula, new DisjointSets(population, countBySize).probability(failures), 1e-9 * formula);
    }

    @Test
    void anIntervalHasTheProbabilityInIt() {
        int[] bounds = new int[1];
        int[] estimates = new int[1];
        SeededLaw.holds(150, random -> {
            int population = 4 + random.nextInt(9);
            List<int[]> sets = randomSets(population, random);
            double[] counted = counted(population, sets);
            CopysetLossProbability risk = risk(population, sets);
            for (int failures = 1; failures < population; failures++) {
                double exact = counted[failures];
                switch (risk.boundedOrTried(failures)) {
                    case Probability.Between between -> {
                        assertTrue(between.low() <= exact + 1e-12 && exact <= between.high() + 1e-12,
                                () -> between + " of " + exact);
                        bounds[0]++;
                    }
                    case Probability.Estimated estimated -> {
                        // 5 standard errors of 20,000 trials.
                        assertEquals(exact, estimated.value(), 5 * Math.sqrt(exact * (1 - exact) / 20_000));
                        estimates[0]++;
                    }
                    case Probability.Exact wrong -> fail("neither bounds nor trials: " + wrong);
                }
            }
        });
        assertTrue(bounds[0] > 100 && estimates[0] > 100, () -> bounds[0] + " bounds, " + estimates[0] + " estimates");
    }

    /** Pairs of neighbours in a ring. */
    private static List<int[]> ring(int population) {
        return IntStream.range(0, population).mapToObj(i -> new int[]{i, (i + 1) % population}).toList();
    }

    /** The chance that two neighbours are among some of a ring: 1 - n / (n - f) C(n - f, f) / C(n, f). */
    private static double twoNeighbours(int population, int chosen) {
        double none = (double) population / (population - chosen);
        for (int i = 0; i < chosen; i++) {
            none *= (population - chosen - i) / (double) (population - i);
        }
        return 1 - none;
    }

    @Test
    void saysHowWellItKnows() {
        CopysetLossProbability risk = risk(1000, ring(1000));
        assertEquals(1000, risk.copysets());
        assertEquals(2, risk.fewestFailuresUntilLoss());
        assertEquals(new Probability.Exact(0), risk.afterFailures(1));
        Probability.Exact two = assertInstanceOf(Probability.Exact.class, risk.afterFailures(2));
        assertEquals(2.0 / 999, two.value(), 1e-15);
        Probability.Estimated many = assertInstanceOf(Probability.Estimated.class, risk.afterFailures(30));
        assertEquals(twoNeighbours(1000, 30), many.value(), 0.02);
        assertEquals(new Probability.Exact(1), risk.afterFailures(1000));
        // So unlikely that trials would say less.
        Probability.Between three = assertInstanceOf(Probability.Between.class,
                risk(100_000, ring(100_000)).afterFailures(3));
        double exact = twoNeighbours(100_000, 3);
        assertEquals(exact, three.high(), 0.01 * exact);
        assertTrue(three.low() >= exact / 3 && three.low() <= exact, three::toString);
    }

    @Test
    void nothingToLoseIsNoRisk() {
        CopysetLossProbability risk = risk(5, List.of(new int[0]));
        assertEquals(new Probability.Exact(0), risk.afterFailures(5));
        assertEquals(0, risk.fewestFailuresUntilLoss());
        assertEquals(0, risk.copysets());
    }

    @Test
    void setsThatContainOthersChangeNothing() {
        CopysetLossProbability risk = risk(9,
                List.of(new int[]{1, 2, 3}, new int[]{2, 1}, new int[]{5, 5}, new int[]{4, 5, 1}));
        assertEquals(2, risk.copysets());
        assertEquals(1, risk.fewestFailuresUntilLoss());
    }

    @Test
    void wrongArgumentsAreNamed() {
        CopysetLossProbability risk = risk(9, List.of(new int[]{1, 2, 3}));
        assertEquals("failures must be in 0..9, the number of those alive: failures=10",
                assertThrows(IllegalArgumentException.class, () -> risk.afterFailures(10)).getMessage());
        assertThrows(IllegalArgumentException.class, () -> risk.afterFailures(-1));
        assertEquals("low must be at most high: low=0.5, high=0.25",
                assertThrows(IllegalArgumentException.class, () -> new Probability.Between(0.5, 0.25)).getMessage());
    }
}
