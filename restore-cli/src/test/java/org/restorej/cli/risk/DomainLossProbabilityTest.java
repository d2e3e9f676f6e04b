package org.restorej.cli.risk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
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

class DomainLossProbabilityTest {
    @Test
    void isExactOrABoundInEveryLayoutOfFewDomains() {
        SeededLaw.holds(400, random -> {
            int peCount = 2 + random.nextInt(40);
            int domainCount = 1 + random.nextInt(Math.min(peCount, 12));
            int perDomain = Math.ceilDiv(peCount, domainCount);
            FailureDomains domains = switch (random.nextInt(3)) {
                case 0 -> FailureDomains.consecutive(peCount, perDomain);
                case 1 -> FailureDomains.of(IntStream.range(0, peCount).map(rank -> rank % domainCount).toArray());
                default -> FailureDomains.of(random.ints(peCount, 0, domainCount).toArray());
            };
            assertExactOrBound(new Placement(peCount, peCount, 1 + random.nextInt(Math.min(peCount, 5))), domains);
        });
    }

    private static void assertExactOrBound(Placement placement, FailureDomains domains) {
        DomainLossProbability probability = new DomainLossProbability(placement, domains);
        double[] counted = counted(placement, domains);
        for (int failures = 0; failures <= domains.domainCount(); failures++) {
            String what = "P=" + placement.peCount() + " K=" + placement.replication() + " f=" + failures;
            switch (probability.afterFailures(failures)) {
                case Probability.Exact exact -> assertEquals(counted[failures], exact.value(), 1e-13, what);
                case Probability.Between bound -> assertTrue(bound.value() >= counted[failures] - 1e-13, what);
                case Probability other -> fail(other + " for " + what);
            }
        }
    }

    /** The probability for each number of failed domains, counted set by set. */
    private static double[] counted(Placement placement, FailureDomains domains) {
        int domainCount = domains.domainCount();
        double[] lost = new double[domainCount + 1];
        double[] all = new double[domainCount + 1];
        for (int dead = 0; dead < 1 << domainCount; dead++) {
            lost[Integer.bitCount(dead)] += isLoss(placement, domains, dead) ? 1 : 0;
            all[Integer.bitCount(dead)]++;
        }
        for (int failures = 0; failures <= domainCount; failures++) {
            lost[failures] /= all[failures];
        }
        return lost;
    }

    private static boolean isLoss(Placement placement, FailureDomains domains, int dead) {
        return IntStream.range(0, placement.peCount()).anyMatch(range -> IntStream.range(0, placement.replication())
                .allMatch(replica -> (dead >> domains.domainOf(placement.holder(range, replica)) & 1) == 1));
    }

    @Test
    void wholeNodesInTheRegularLayoutAreLikePes() {
        // 512 nodes of 48 ranks; the shift is 128 nodes.
        Placement placement = new Placement(24_576, 24_576, 4);
        DomainLossProbability nodes = new DomainLossProbability(placement, FailureDomains.consecutive(24_576, 48));
        LossProbability pes = new LossProbability(512, 4);
        for (int failures = 0; failures <= 512; failures += 5) {
            Probability.Exact exact = assertInstanceOf(Probability.Exact.class, nodes.afterFailures(failures));
            assertEquals(pes.afterFailures(failures), exact.value());
        }
        assertEquals(0, FailureDomains.consecutive(24_576, 48).rangesInTooFewDomains(placement).count());
    }

    @Test
    void isExactWhereNodesAreRegularButKDoesNotDivideTheirNumber() {
        // 13 nodes of 2 ranks; the shift is 3 nodes, and one node is left over.
        Placement odd = new Placement(26, 26, 4);
        assertInstanceOf(Probability.Exact.class,
                new DomainLossProbability(odd, FailureDomains.consecutive(26, 2)).afterFailures(6));
        assertExactOrBound(odd, FailureDomains.consecutive(26, 2));
    }

    @Test
    void isABoundWhereNodesStraddleTheShift() {
        Placement placement = new Placement(40, 40, 4);
        DomainLossProbability probability = new DomainLossProbability(placement, FailureDomains.consecutive(40, 4));
        assertInstanceOf(Probability.Exact.class, probability.afterFailures(4));
        assertInstanceOf(Probability.Between.class, probability.afterFailures(5));
    }

    @Test
    void ranksDealtRoundRobinMayPutAllReplicasOnOneNode() {
        Placement placement = new Placement(16, 16, 4);
        FailureDomains roundRobin = FailureDomains.of(IntStream.range(0, 16).map(rank -> rank % 4).toArray());
        assertEquals(16, roundRobin.rangesInTooFewDomains(placement).count());
        assertEquals(new Probability.Exact(1), new DomainLossProbability(placement, roundRobin).afterFailures(1));
    }

    @Test
    void namesTheRangesOnTooFewDomains() {
        // Ranges 0 to 7 on ranks r and r + 4 of 8; ranks 1 and 5 on the same node.
        FailureDomains domains = FailureDomains.of(70, 9, 71, 72, 73, 9, 74, 75);
        assertArrayEquals(new int[]{1, 5}, domains.rangesInTooFewDomains(new Placement(8, 8, 2)).toArray());
        assertEquals(7, domains.domainCount());
        assertEquals(1, domains.domainOf(5));
        assertArrayEquals(new int[]{1, 5}, domains.ranksIn(1).toArray());
    }

    @Test
    void wrongArgumentsAreNamed() {
        assertRejected("labels must be those of at least 1 PE: there are none", FailureDomains::of);
        assertRejected("peCount must be at least 1: peCount=0", () -> FailureDomains.consecutive(0, 1));
        assertRejected("ranksPerDomain must be at least 1: ranksPerDomain=0", () -> FailureDomains.consecutive(1, 0));
        FailureDomains domains = FailureDomains.consecutive(10, 4);
        assertRejected("placement must be of 10 PEs as the failure domains are: it is of 9",
                () -> new DomainLossProbability(new Placement(9, 9, 2), domains));
        DomainLossProbability probability = new DomainLossProbability(new Placement(10, 10, 2), domains);
        assertRejected("the number of failures must be in 0..3: it is 4", () -> probability.afterFailures(4));
        assertRejected("a probability must be in 0..1: value=1.5", () -> new Probability.Exact(1.5));
    }

    private static void assertRejected(String message, Runnable call) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
    }
}
