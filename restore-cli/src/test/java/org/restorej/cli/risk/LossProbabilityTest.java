package org.restorej.cli.risk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.placement.Placement;

class LossProbabilityTest {
    @Test
    void agreesWithCountingAllSetsOfFailures() {
        for (int peCount = 1; peCount <= 13; peCount++) {
            for (int replication = 1; replication <= peCount; replication++) {
                long[] lost = lossesBySize(new Placement(peCount, peCount, replication));
                LossProbability probability = new LossProbability(peCount, replication);
                for (int failures = 0; failures <= peCount; failures++) {
                    double counted = lost[failures] / choose(peCount, failures).doubleValue();
                    assertEquals(counted, probability.afterFailures(failures), 1e-14,
                            "P=" + peCount + " K=" + replication + " f=" + failures);
                }
            }
        }
    }

    /** How many sets of each size lose something, counted one by one. */
    private static long[] lossesBySize(Placement placement) {
        int peCount = placement.peCount();
        int[] holders = new int[peCount];
        for (int range = 0; range < peCount; range++) {
            for (int replica = 0; replica < placement.replication(); replica++) {
                holders[range] |= 1 << placement.holder(range, replica);
            }
        }
        long[] lost = new long[peCount + 1];
        for (int dead = 0; dead < 1 << peCount; dead++) {
            boolean loss = false;
            for (int mask : holders) {
                loss |= (dead & mask) == mask;
            }
            lost[Integer.bitCount(dead)] += loss ? 1 : 0;
        }
        return lost;
    }

    @Test
    void agreesWithTheFormulaInExactRationals() {
        for (int replication : new int[]{2, 3, 4, 6}) {
            int peCount = 600;
            LossProbability probability = new LossProbability(peCount, replication);
            for (int failures = 0; failures <= peCount; failures += 7) {
                double expected = formula(peCount, replication, failures);
                assertEquals(expected, probability.afterFailures(failures), 1e-14 * expected,
                        "K=" + replication + " f=" + failures);
            }
        }
    }

    private static double formula(int peCount, int replication, int failures) {
        BigInteger sum = BigInteger.ZERO;
        for (int j = 1; j * replication <= failures; j++) {
            BigInteger term = choose(peCount / replication, j)
                    .multiply(choose(peCount - j * replication, failures - j * replication));
            sum = j % 2 == 1 ? sum.add(term) : sum.subtract(term);
        }
        return new BigDecimal(sum).divide(new BigDecimal(choose(peCount, failures)), MathContext.DECIMAL64)
                .doubleValue();
    }

    /** Where K does not divide P: sets without K neighbours on a cycle counted by walking along it, exactly. */
    @Test
    void agreesWithWalkingAlongTheCyclesOfOverlappingHolders() {
        for (int peCount : new int[]{61, 62, 63, 65, 74, 75, 99}) {
            for (int replication : new int[]{2, 3, 4, 5, 7}) {
                BigInteger[] without = setsWithoutLoss(new Placement(peCount, peCount, replication));
                LossProbability probability = new LossProbability(peCount, replication);
                for (int failures = 0; failures <= peCount; failures++) {
                    BigInteger all = choose(peCount, failures);
                    double expected = new BigDecimal(all.subtract(without[failures]))
                            .divide(new BigDecimal(all), MathContext.DECIMAL64).doubleValue();
                    assertEquals(expected, probability.afterFailures(failures), 1e-14 * expected,
                            "P=" + peCount + " K=" + replication + " f=" + failures);
                }
            }
        }
    }

    private static BigInteger[] setsWithoutLoss(Placement placement) {
        int peCount = placement.peCount();
        int length = 1;
        while (length * placement.shift() % peCount != 0) {
            length++;
        }
        BigInteger[] oneCycle = cyclesWithoutRun(length, placement.replication());
        BigInteger[] sets = {BigInteger.ONE};
        for (int cycle = 0; cycle < peCount / length; cycle++) {
            sets = product(sets, oneCycle);
        }
        return sets;
    }

    /** By number of dead; what begins with {@code leading} dead and an alive one must not end with too many. */
    private static BigInteger[] cyclesWithoutRun(int length, int window) {
        BigInteger[] sum = zeros(length + 1);
        for (int leading = 0; leading < Math.min(window, length); leading++) {
            BigInteger[][] byTrailing = new BigInteger[window][];
            Arrays.setAll(byTrailing, trailing -> zeros(length + 1));
            byTrailing[0][leading] = BigInteger.ONE;
            for (int element = leading + 1; element < length; element++) {
                byTrailing = oneElementMore(byTrailing);
            }
            for (int trailing = 0; trailing + leading < window; trailing++) {
                for (int dead = 0; dead <= length; dead++) {
                    sum[dead] = sum[dead].add(byTrailing[trailing][dead]);
                }
            }
        }
        return sum;
    }

    private static BigInteger[][] oneElementMore(BigInteger[][] byTrailing) {
        BigInteger[][] next = new BigInteger[byTrailing.length][];
        Arrays.setAll(next, trailing -> zeros(byTrailing[0].length));
        for (int trailing = 0; trailing < next.length; trailing++) {
            for (int dead = 0; dead < next[0].length; dead++) {
                next[0][dead] = next[0][dead].add(byTrailing[trailing][dead]);
                if (trailing > 0 && dead > 0) {
                    next[trailing][dead] = byTrailing[trailing - 1][dead - 1];
                }
            }
        }
        return next;
    }

    private static BigInteger[] product(BigInteger[] a, BigInteger[] b) {
        BigInteger[] product = zeros(a.length + b.length - 1);
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < b.length; j++) {
                product[i + j] = product[i + j].add(a[i].multiply(b[j]));
            }
        }
        return product;
    }

    private static BigInteger[] zeros(int length) {
        BigInteger[] zeros = new BigInteger[length];
        Arrays.fill(zeros, BigInteger.ZERO);
        return zeros;
    }

    private static BigInteger choose(int from, int count) {
        BigInteger ways = BigInteger.ONE;
        for (int i = 0; i < Math.min(count, from - count); i++) {
            ways = ways.multiply(BigInteger.valueOf(from - i)).divide(BigInteger.valueOf(i + 1));
        }
        return count > from ? BigInteger.ZERO : ways;
    }

    @ParameterizedTest
    @CsvSource({"2, 0.71, 0.005", "3, 8.1e-3, 5e-5", "4, 6.0e-5, 5e-7"})
    void onePerCentOfManyPesFailingAtOnceIsAsPublished(int replication, double published, double rounding) {
        assertEquals(published, new LossProbability(24_576, replication).afterFailures(246), rounding);
    }

    @ParameterizedTest
    @CsvSource({"1024, 232.1, 0.05", "4096, 656.4, 0.05", "16384, 1856.4, 0.05", "131072, 8830, 0.5"})
    void expectedFailuresUntilLossAreAsPublished(int peCount, double published, double rounding) {
        assertEquals(published, new LossProbability(peCount, 4).expectedFailuresUntilLoss(), rounding);
    }

    @Test
    void theExpectedNumberOfFailuresIsTheSumOfTheChancesOfSurvival() {
        for (int peCount : new int[]{1, 7, 12, 20, 29, 62, 63, 120}) {
            for (int replication = 1; replication <= Math.min(peCount, 5); replication++) {
                LossProbability probability = new LossProbability(peCount, replication);
                double sum = 0;
                for (int failures = 0; failures < peCount; failures++) {
                    sum += 1 - probability.afterFailures(failures);
                }
                assertEquals(sum, probability.expectedFailuresUntilLoss(), 1e-7 * sum,
                        "P=" + peCount + " K=" + replication);
            }
        }
    }

    @Test
    void theIntegralAgreesWithTheProductAtManyPes() {
        for (int replication : new int[]{1, 2, 4, 8}) {
            int peCount = 1 << 25;
            double product = new LossProbability(peCount, replication).expectedFailuresUntilLoss();
            double integral = new IndependentDeaths(peCount, peCount / replication, replication, replication)
                    .expectedFailuresUntilLoss();
            assertEquals(product, integral, 1e-7 * product, "K=" + replication);
        }
    }

    /** A few PEs more or less change little, although the placement is quite another where K does not divide P. */
    @ParameterizedTest
    @CsvSource({"2, 6000", "3, 200000", "4, 1000000"})
    void holdsUpAtManyPes(int replication, int failures) {
        int peCount = 1 << 25;
        double before = 0;
        for (int more = 0; more < 5; more++) {
            double probability = new LossProbability(peCount - more, replication).afterFailures(failures);
            assertTrue(probability > 0.01 && probability < 1, () -> "probability " + probability);
            assertTrue(probability >= new LossProbability(peCount - more, replication).afterFailures(failures - 100));
            before = Math.max(before, probability);
        }
        assertTrue(before > 0.1);
    }

    /** Overlapping holder sets are more than disjoint ones: about K times as many, less the clumps. */
    @Test
    void overlappingHoldersAreKTimesAsManyWaysToLose() {
        double disjoint = new LossProbability(1 << 25, 4).afterFailures(20_000);
        double overlapping = new LossProbability((1 << 25) - 1, 4).afterFailures(20_000);
        assertEquals(4, overlapping / disjoint, 0.01);
        double several = new LossProbability((1 << 25) - 6, 4).afterFailures(20_000);
        assertEquals(1, several / overlapping, 1e-5);
    }

    @Test
    void neverFallsAsFailuresGrow() {
        for (int peCount : new int[]{1000, 1001, 1002, 1003}) {
            for (int replication : new int[]{2, 3, 5}) {
                LossProbability probability = new LossProbability(peCount, replication);
                double before = 0;
                for (int failures = 0; failures <= peCount; failures += 9) {
                    double next = probability.afterFailures(failures);
                    assertTrue(next >= before && next <= 1, "P=" + peCount + " K=" + replication + " f=" + failures);
                    before = next;
                }
                assertEquals(1, before);
            }
        }
    }

    @Test
    void wrongArgumentsAreNamed() {
        LossProbability probability = new LossProbability(10, 3);
        assertEquals("the number of failures must be in 0..10: it is 11",
                assertThrows(IllegalArgumentException.class, () -> probability.afterFailures(11)).getMessage());
        assertThrows(IllegalArgumentException.class, () -> probability.afterFailures(-1));
        assertEquals("replication must be in 1..10, the number of PEs: replication=11",
                assertThrows(IllegalArgumentException.class, () -> new LossProbability(10, 11)).getMessage());
    }
}
