package org.restorej.internal.risk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

class LossRiskTest {
    /** Some holders, which may be there several times, of whom so many parts must be lost. */
    private record Group(List<Integer> holders, int fatal) {
        boolean isLost(int failed) {
            return holders.stream().filter(holder -> (failed >> holder & 1) == 1).count() >= fatal;
        }
    }

    /** The probability for each number of failures, counted set by set. */
    private static double[] counted(int population, List<Group> groups) {
        double[] lost = new double[population + 1];
        double[] all = new double[population + 1];
        for (int set = 0; set < 1 << population; set++) {
            int failed = set;
            lost[Integer.bitCount(failed)] += groups.stream().anyMatch(group -> group.isLost(failed)) ? 1 : 0;
            all[Integer.bitCount(failed)]++;
        }
        return IntStream.rangeClosed(0, population).mapToDouble(size -> lost[size] / all[size]).toArray();
    }

    private static LossRisk risk(int population, List<Group> groups) {
        LossRisk.Builder builder = new LossRisk.Builder();
        groups.forEach(group -> builder.add(group.holders().stream().mapToInt(Integer::intValue).toArray(),
                group.holders().size(), group.fatal()));
        return builder.build(population);
    }

    private static Group copies(int... holders) {
        return new Group(Arrays.stream(holders).boxed().toList(), holders.length);
    }

    private static List<Group> randomGroups(int population, Random random) {
        List<Group> groups = new ArrayList<>();
        for (int group = random.nextInt(9); group >= 0; group--) {
            int[] holders = random.ints(1 + random.nextInt(5), 0, population).toArray();
            groups.add(random.nextBoolean()
                    ? copies(holders)
                    : new Group(Arrays.stream(holders).boxed().toList(), 1 + random.nextInt(holders.length)));
        }
        return groups;
    }

    @Test
    void isThatOfCountingOrMore() {
        int[] exact = new int[1];
        int[] bounds = new int[1];
        SeededLaw.holds(300, random -> {
            int population = 1 + random.nextInt(12);
            List<Group> groups = randomGroups(population, random);
            double[] counted = counted(population, groups);
            LossRisk risk = risk(population, groups);
            for (int failures = 0; failures <= population; failures++) {
                Probability probability = risk.afterFailures(failures);
                if (probability.isExact()) {
                    assertEquals(counted[failures], probability.value(), 1e-12, "f=" + failures);
                    exact[0]++;
                } else {
                    assertTrue(probability.value() >= counted[failures] - 1e-12, "f=" + failures);
                    bounds[0]++;
                }
            }
            assertTrue(counted[risk.fewestFailuresUntilLoss()] > 0 && counted[risk.fewestFailuresUntilLoss() - 1] == 0);
        });
        assertTrue(exact[0] > 500 && bounds[0] > 300, () -> exact[0] + " exact, " + bounds[0] + " bounds");
    }

    @Test
    void ofDisjointCopiesItIsThatOfCounting() {
        SeededLaw.holds(100, random -> {
            int size = 1 + random.nextInt(4);
            int groups = 1 + random.nextInt(12 / size);
            int population = groups * size + random.nextInt(13 - groups * size);
            List<Group> disjoint = IntStream.range(0, groups)
                    .mapToObj(group -> copies(IntStream.range(group * size, (group + 1) * size).toArray())).toList();
            double[] counted = counted(population, disjoint);
            for (int failures = 0; failures <= population; failures++) {
                Probability probability = risk(population, disjoint).afterFailures(failures);
                assertTrue(probability.isExact());
                assertEquals(counted[failures], probability.value(), 1e-12);
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"200, 4, 100", "250, 5, 125", "300, 6, 155", "1000, 8, 520", "600, 3, 7", "600, 3, 300",
            "24576, 2, 246", "24576, 3, 246", "24576, 4, 10", "24576, 4, 246", "4000, 2, 364", "4000, 2, 375",
            "24576, 4, 3000", "24576, 4, 4200", "33554432, 4, 20000", "33554432, 4, 1000000", "33554430, 2, 6000"})
    void ofDisjointCopiesItIsThePublishedFormula(int peCount, int replication, int failures) {
        double formula = DisjointGroups.lossProbability(peCount, replication, failures);
        Probability probability = LossRisk.ofPlacement(peCount, replication, replication).afterFailures(failures);
        assertTrue(probability.isExact());
        assertEquals(formula, probability.value(), formula < 0.5 ? 1e-8 * formula : 1e-7);
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
    void aBoundIsCalledOneAndIsCloseWhereALossIsUnlikely() {
        LossRisk risk = risk(100_000,
                IntStream.range(0, 100_000).mapToObj(i -> copies(i, (i + 1) % 100_000)).toList());
        assertEquals(100_000, risk.groups());
        assertEquals(2, risk.fewestFailuresUntilLoss());
        assertEquals(Probability.exactly(0), risk.afterFailures(1));
        assertEquals(2.0 / 99_999, risk.afterFailures(2).value(), 1e-15);
        assertTrue(risk.afterFailures(2).isExact());
        Probability few = risk.afterFailures(10);
        assertFalse(few.isExact());
        assertEquals(twoNeighbours(100_000, 10), few.value(), 0.01 * few.value());
        assertTrue(risk.afterFailures(300).value() > twoNeighbours(100_000, 300));
        assertEquals("at most 1", risk.afterFailures(50_000).toString());
        assertEquals(Probability.exactly(1), risk.afterFailures(100_000));
    }

    @Test
    void aCopyIsACodeOfOnePart() {
        LossRisk copies = LossRisk.ofPlacement(1000, 3, 3);
        LossRisk code = risk(1000, IntStream.range(0, 1000)
                .mapToObj(i -> new Group(List.of(i, (i + 333) % 1000, (i + 666) % 1000), 3)).toList());
        for (int failures : new int[]{2, 3, 10, 100, 1000}) {
            assertEquals(code.afterFailures(failures), copies.afterFailures(failures));
        }
    }

    @Test
    void nothingToLoseIsNoRisk() {
        LossRisk risk = risk(5, List.of(copies()));
        assertEquals(Probability.exactly(0), risk.afterFailures(5));
        assertEquals(0, risk.fewestFailuresUntilLoss());
        assertEquals(0, risk.groups());
    }

    @Test
    void theSameHoldersCountOnceHoweverManyCopiesTheyHave() {
        LossRisk risk = risk(9, List.of(copies(1, 2, 2), copies(2, 1), copies(1, 1, 2), copies(5, 5)));
        assertEquals(2, risk.groups());
        assertEquals(1, risk.fewestFailuresUntilLoss());
    }

    /** Where one failure more than the fewest is sure to lose something, all larger numbers are. */
    @Test
    void whatIsSureIsNotCalledABound() {
        LossRisk risk = risk(4, List.of(copies(0, 1), copies(0, 2), copies(0, 3), copies(1, 2), copies(1, 3),
                copies(2, 3)));
        for (int failures = 2; failures <= 4; failures++) {
            assertEquals(Probability.exactly(1), risk.afterFailures(failures));
        }
    }

    @Test
    void wrongArgumentsAreNamed() {
        LossRisk risk = risk(9, List.of(copies(1, 2, 3)));
        assertEquals("failures must be in 0..9, the number of those alive: failures=10",
                assertThrows(IllegalArgumentException.class, () -> risk.afterFailures(10)).getMessage());
        assertThrows(IllegalArgumentException.class, () -> risk.afterFailures(-1));
        assertEquals("a probability must be in 0..1: value=1.5",
                assertThrows(IllegalArgumentException.class, () -> Probability.exactly(1.5)).getMessage());
    }
}
