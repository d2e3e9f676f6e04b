package org.restorej.risk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
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
import org.restorej.internal.placement.DomainOrder;
import org.restorej.internal.placement.FailedRanks;
import org.restorej.internal.placement.FailureDomains;
import org.restorej.internal.placement.Placement;
import org.restorej.testing.Failures;
import org.restorej.testing.SeededLaw;

class CopysetRiskTest {
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

    private static CopysetRisk risk(int population, List<int[]> sets) {
        CopysetRisk.Builder builder = new CopysetRisk.Builder();
        sets.forEach(set -> builder.add(set, set.length));
        return builder.build(population);
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
            CopysetRisk risk = risk(population, sets);
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
        double formula = new LossProbability(population, size).afterFailures(failures);
        assertEquals(formula, new DisjointSets(population, countBySize).probability(failures), 1e-9 * formula);
    }

    @Test
    void overlappingHoldersAreWalkedExactlyWhoeverIsGone() {
        int[] small = new int[1];
        SeededLaw.holds(400, random -> {
            int peCount = 2 + random.nextInt(11);
            int replication = 1 + random.nextInt(peCount);
            Placement placement = random.nextBoolean()
                    ? new Placement(peCount, 100, replication)
                    : Placement.separating(100, replication, DomainOrder
                            .of(FailureDomains.of(random.ints(peCount, 0, 1 + random.nextInt(peCount)).toArray())));
            FailedRanks gone = Failures.someOf(peCount, random);
            // A spare has taken the place of some, and has nothing yet.
            FailedRanks dead = FailedRanks
                    .of(gone.values().intStream().filter(rank -> random.nextInt(4) > 0).toArray());
            int[] alive = Failures.alive(dead, peCount);
            List<int[]> sets = IntStream.range(0, peCount).mapToObj(range -> IntStream.range(0, replication)
                    .map(replica -> placement.holder(range, replica)).filter(rank -> !gone.contains(rank))
                    .map(rank -> Arrays.binarySearch(alive, rank)).toArray()).filter(set -> set.length > 0).toList();
            double[] counted = counted(alive.length, sets);
            WindowWalk walk = new WindowWalk(placement, gone, dead);
            for (int deaths = 0; deaths <= alive.length; deaths++) {
                assertEquals(counted[deaths], walk.probability(deaths), 1e-12 * counted[deaths],
                        "P=" + peCount + " K=" + replication + " gone=" + gone + " deaths=" + deaths);
            }
            small[0] += peCount % replication == 0 || gone.isEmpty() ? 0 : 1;
        });
        assertTrue(small[0] > 100, () -> "only " + small[0] + " cases of overlapping holders some of whom are gone");
    }

    @ParameterizedTest
    @CsvSource({"1000, 3, 3", "1001, 3, 30", "1001, 4, 200", "4098, 4, 41", "4096, 4, 41"})
    void theWalkAgreesWithTheFormulaBeforeAnyFailure(int peCount, int replication, int failures) {
        double formula = new LossProbability(peCount, replication).afterFailures(failures);
        WindowWalk walk = new WindowWalk(new Placement(peCount, peCount, replication), FailedRanks.NONE,
                FailedRanks.NONE);
        assertEquals(formula, walk.probability(failures), 1e-10 * formula);
    }

    @Test
    void pairsBoundTheProbability() {
        int[] close = new int[1];
        SeededLaw.holds(150, random -> {
            int population = 4 + random.nextInt(9);
            List<int[]> sets = randomSets(population, random);
            double[] counted = counted(population, sets);
            Copysets.Builder copysets = new Copysets.Builder();
            sets.forEach(set -> copysets.add(set, set.length));
            PairBounds pairs = new PairBounds(copysets.build(population));
            for (int failures = 1; failures <= population; failures++) {
                Probability.Between bounds = pairs.bounds(failures);
                assertTrue(bounds.low() <= counted[failures] + 1e-12 && counted[failures] <= bounds.high() + 1e-12,
                        () -> bounds + " of " + Arrays.toString(counted));
                close[0] += counted[failures] > 0 && bounds.high() - bounds.low() < 0.2 * bounds.high() ? 1 : 0;
            }
        });
        assertTrue(close[0] > 100, () -> "only " + close[0] + " bounds are close to each other");
    }

    @Test
    void trialsAgreeWithTheWalk() {
        Placement placement = new Placement(301, 301, 3);
        FailedRanks gone = FailedRanks.of(IntStream.range(0, 10).map(i -> 7 + 29 * i).toArray());
        WindowWalk walk = new WindowWalk(placement, gone, gone);
        Copysets.Builder copysets = new Copysets.Builder();
        int[] holders = new int[3];
        for (int range = 0; range < 301; range++) {
            copysets.add(holders, placement.aliveHolders(range, gone, holders));
        }
        SimulatedLosses tried = new CopysetTrials(copysets.build(291), 3).run(20_000, 60);
        for (int deaths : new int[]{2, 5, 10, 20, 40, 60}) {
            ConfidenceInterval interval = tried.lossProbability(deaths, ConfidenceInterval.CONFIDENCE_999);
            double exact = walk.probability(deaths);
            assertTrue(interval.contains(exact), () -> deaths + " deaths: " + exact + " is outside of " + interval);
        }
    }

    @Test
    void saysHowWellItKnows() {
        // Overlapping pairs in a ring of 1000: bounds while few fail, trials later.
        List<int[]> ring = IntStream.range(0, 1000).mapToObj(i -> new int[]{i, (i + 1) % 1000}).toList();
        CopysetRisk risk = risk(1000, ring);
        assertEquals(1000, risk.copysets());
        assertEquals(2, risk.fewestFailuresUntilLoss());
        assertEquals(new Probability.Exact(0), risk.afterFailures(1));
        Probability.Exact two = assertInstanceOf(Probability.Exact.class, risk.afterFailures(2));
        assertEquals(2.0 / 999, two.value(), 1e-15);
        LossProbability formula = new LossProbability(1001, 2);
        Probability.Between three = assertInstanceOf(Probability.Between.class, risk.afterFailures(3));
        assertEquals(formula.afterFailures(3), three.high(), 0.01 * three.high());
        Probability.Estimated many = assertInstanceOf(Probability.Estimated.class, risk.afterFailures(30));
        assertEquals(formula.afterFailures(30), many.value(), 0.02);
        assertEquals(new Probability.Exact(1), risk.afterFailures(1000));
        // Before any failure there is a formula, however many PEs there are.
        int peCount = (1 << 21) + 1;
        CopysetRisk large = new CopysetRisk.Builder().add(new int[]{0, 1}, 2).add(new int[]{1, 2}, 2)
                .asPlaced(new Placement(peCount, peCount, 2), FailedRanks.NONE, FailedRanks.NONE).build(peCount);
        assertEquals(new Probability.Exact(new LossProbability(peCount, 2).afterFailures(2000)),
                large.afterFailures(2000));
    }

    @Test
    void nothingToLoseIsNoRisk() {
        CopysetRisk risk = new CopysetRisk.Builder().add(new int[4], 0).build(5);
        assertEquals(new Probability.Exact(0), risk.afterFailures(5));
        assertEquals(0, risk.fewestFailuresUntilLoss());
        assertEquals(0, risk.copysets());
    }

    @Test
    void setsThatContainOthersChangeNothing() {
        CopysetRisk risk = risk(9, List.of(new int[]{1, 2, 3}, new int[]{2, 1}, new int[]{5, 5}, new int[]{4, 5, 1}));
        assertEquals(2, risk.copysets());
        assertEquals(1, risk.fewestFailuresUntilLoss());
    }

    @Test
    void wrongArgumentsAreNamed() {
        CopysetRisk risk = risk(9, List.of(new int[]{1, 2, 3}));
        assertEquals("failures must be in 0..9, the number of those alive: failures=10",
                assertThrows(IllegalArgumentException.class, () -> risk.afterFailures(10)).getMessage());
        assertThrows(IllegalArgumentException.class, () -> risk.afterFailures(-1));
        assertEquals("low must be at most high: low=0.5, high=0.25",
                assertThrows(IllegalArgumentException.class, () -> new Probability.Between(0.5, 0.25)).getMessage());
    }
}
