package org.restorej.cli.risk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;
import org.restorej.report.Probability;
import org.restorej.testing.SeededLaw;
import org.restorej.testing.Deep;

class CodedLossProbabilityTest {
    private static CodedLossProbability ofPes(int peCount, int parts, int tolerated) {
        return new CodedLossProbability(new Placement(peCount, peCount, parts), FailureDomains.consecutive(peCount, 1),
                tolerated);
    }

    @Deep
    @Test
    void isExactForDisjointGroupsAndBoundedOtherwiseOnFewPes() {
        int exact = 0;
        for (int peCount = 2; peCount <= 13; peCount++) {
            for (int parts = 2; parts <= peCount; parts++) {
                for (int tolerated = 1; tolerated < parts; tolerated++) {
                    Placement placement = new Placement(peCount, peCount, parts);
                    FailureDomains pes = FailureDomains.consecutive(peCount, 1);
                    int inexact = assertExactOrBound(placement, pes, tolerated);
                    assertTrue(inexact == 0 || peCount % parts != 0,
                            peCount + " PEs, " + parts + " parts: only bounds");
                    exact += inexact == 0 ? 1 : 0;
                }
            }
        }
        assertTrue(exact > 100, exact + " are exact");
    }

    @Test
    void isExactOrABoundInEveryLayoutOfFewDomains() {
        SeededLaw.holds(400, random -> {
            int peCount = 4 + random.nextInt(40);
            int domainCount = 1 + random.nextInt(Math.min(peCount, 11));
            int perDomain = Math.ceilDiv(peCount, domainCount);
            FailureDomains domains = switch (random.nextInt(3)) {
                case 0 -> FailureDomains.consecutive(peCount, perDomain);
                case 1 -> FailureDomains.of(IntStream.range(0, peCount).map(rank -> rank % domainCount).toArray());
                default -> FailureDomains.of(random.ints(peCount, 0, domainCount).toArray());
            };
            int parts = 2 + random.nextInt(Math.min(peCount - 1, 6));
            Placement placement = random.nextBoolean()
                    ? new Placement(peCount, peCount, parts)
                    : Placement.separating(peCount, parts, domains);
            assertExactOrBound(placement, domains, 1 + random.nextInt(parts - 1));
        });
    }

    /** Returns for how many numbers of failures there are bounds only. */
    private static int assertExactOrBound(Placement placement, FailureDomains domains, int tolerated) {
        CodedLossProbability probability = new CodedLossProbability(placement, domains, tolerated);
        double[] counted = counted(placement, domains, tolerated);
        int bounds = 0;
        double untilLoss = 0;
        for (int failures = 0; failures <= domains.domainCount(); failures++) {
            double expected = counted[failures];
            untilLoss += 1 - expected;
            String what = "P=" + placement.peCount() + " n=" + placement.replication() + " m=" + tolerated + " f="
                    + failures;
            switch (probability.afterFailures(failures)) {
                case Probability.Exact exact -> assertEquals(expected, exact.value(), 1e-9 * expected, what);
                case Probability.Between(double low, double high) -> {
                    assertTrue(low <= expected + 1e-12 && expected <= high + 1e-12,
                            what + ": " + expected + " is not in " + low + ".." + high);
                    bounds++;
                }
                case Probability other -> fail(other + " for " + what);
            }
        }
        double mean = probability.expectedFailuresUntilLoss();
        assertTrue(mean <= untilLoss * (1 + 1e-7), mean + " failures instead of " + untilLoss);
        if (probability.isExpectationExact()) {
            assertEquals(untilLoss, mean, 1e-7 * untilLoss);
        }
        return bounds;
    }

    /** The probability for each number of failed domains, counted set by set. */
    private static double[] counted(Placement placement, FailureDomains domains, int tolerated) {
        int domainCount = domains.domainCount();
        double[] lost = new double[domainCount + 1];
        double[] all = new double[domainCount + 1];
        for (int dead = 0; dead < 1 << domainCount; dead++) {
            lost[Integer.bitCount(dead)] += isLoss(placement, domains, tolerated, dead) ? 1 : 0;
            all[Integer.bitCount(dead)]++;
        }
        for (int failures = 0; failures <= domainCount; failures++) {
            lost[failures] /= all[failures];
        }
        return lost;
    }

    private static boolean isLoss(Placement placement, FailureDomains domains, int tolerated, int dead) {
        return IntStream.range(0, placement.peCount()).anyMatch(range -> IntStream.range(0, placement.replication())
                .filter(part -> (dead >> domains.domainOf(placement.holder(range, part)) & 1) == 1)
                .count() > tolerated);
    }

    @Test
    void aCodeOfOneDataPartIsAsReplicas() {
        CodedLossProbability code = ofPes(24_576, 4, 3);
        LossProbability replicas = new LossProbability(24_576, 4);
        for (int failures : new int[]{3, 4, 10, 246, 1000, 2000, 3000, 20_000}) {
            Probability.Exact exact = assertInstanceOf(Probability.Exact.class, code.afterFailures(failures));
            double expected = replicas.afterFailures(failures);
            assertEquals(expected, exact.value(), 1e-9 * expected, failures + " failures");
        }
        assertEquals(replicas.expectedFailuresUntilLoss(), code.expectedFailuresUntilLoss(), 1e-4);
    }

    @Test
    void threeFailuresAreThirtySixTimesAsDangerousAtEightAndTwoAsWithThreeReplicas() {
        double code = ofPes(480, 10, 2).afterFailures(3).value();
        assertEquals(36 * new LossProbability(480, 3).afterFailures(3), code, 1e-9 * code);
    }

    @Test
    void boundsAreCloseWhereALossIsUnlikely() {
        // 10 does not divide 24,576; of three failures the answer is exact.
        CodedLossProbability code = ofPes(24_576, 10, 2);
        assertInstanceOf(Probability.Exact.class, code.afterFailures(3));
        assertFalse(code.isExpectationExact());
        Probability.Between bounds = assertInstanceOf(Probability.Between.class, code.afterFailures(20));
        assertTrue(bounds.high() < 4 * bounds.low(), bounds::toString);
        double divisible = ofPes(24_580, 10, 2).afterFailures(20).value();
        assertEquals(divisible, bounds.low(), 0.01 * divisible, "four PEs more make little difference to groups");
        assertEquals(new Probability.Exact(1), code.afterFailures(20_000));
    }

    @Test
    void isQuickForMillionsOfPes() {
        CodedLossProbability code = ofPes(4_000_000, 10, 2);
        for (int failures : new int[]{3, 100, 20_000, 1_000_000}) {
            assertInstanceOf(Probability.Exact.class, code.afterFailures(failures));
        }
    }

    @Test
    void wholeNodesInTheRegularLayoutAreLikePes() {
        CodedLossProbability nodes = new CodedLossProbability(new Placement(960, 960, 6),
                FailureDomains.consecutive(960, 8), 2);
        CodedLossProbability pes = ofPes(120, 6, 2);
        for (int failures = 0; failures <= 120; failures++) {
            assertEquals(pes.afterFailures(failures), nodes.afterFailures(failures));
        }
    }

    @Test
    void wrongArgumentsAreNamed() {
        assertRejected("tolerated must be in 1..3, less than the number of parts: tolerated=4", () -> ofPes(8, 4, 4));
        assertRejected("tolerated must be in 1..3, less than the number of parts: tolerated=0", () -> ofPes(8, 4, 0));
        assertRejected("the number of failures must be in 0..8: it is 9", () -> ofPes(8, 4, 2).afterFailures(9));
    }

    private static void assertRejected(String message, Runnable call) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
    }
}
