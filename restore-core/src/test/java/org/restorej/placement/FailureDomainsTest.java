package org.restorej.placement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.restorej.testing.SeededLaw;

class FailureDomainsTest {
    @Test
    void domainsAreNumberedByTheirFirstRanksAndKnowTheirRanks() {
        FailureDomains domains = FailureDomains.of(7, 3, 7, -1, 3, 3);
        assertEquals(6, domains.peCount());
        assertEquals(3, domains.domainCount());
        assertArrayEquals(new int[]{0, 1, 0, 2, 1, 1}, IntStream.range(0, 6).map(domains::domainOf).toArray());
        assertArrayEquals(new int[]{0, 2, 1, 4, 5, 3}, IntStream.range(0, 6).map(domains::rankAt).toArray());
        assertEquals(2, domains.start(1));
        assertEquals(5, domains.start(2));
    }

    @Test
    void consecutiveDomainsFillOneAfterTheOther() {
        for (int peCount = 1; peCount < 12; peCount++) {
            for (int each = 1; each < 14; each++) {
                FailureDomains domains = FailureDomains.consecutive(peCount, each);
                for (int rank = 0; rank < peCount; rank++) {
                    assertEquals(rank / each, domains.domainOf(rank));
                }
                assertEquals(Math.ceilDiv(peCount, each), domains.domainCount());
            }
        }
    }

    @Test
    void theLargestIsTheFirstOfSeveral() {
        assertEquals(0, FailureDomains.of(1, 2, 2, 1).largest());
        assertEquals(1, FailureDomains.of(1, 2, 2, 3, 3).largest());
        assertEquals(0, FailureDomains.of(5).largest());
    }

    @Test
    void theDomainsOfARangeAreThoseOfItsHoldersEachOnce() {
        SeededLaw.holds(300, random -> {
            int peCount = 1 + random.nextInt(20);
            int[] labels = random.ints(peCount, 0, 1 + random.nextInt(peCount)).toArray();
            FailureDomains domains = FailureDomains.of(labels);
            Placement placement = new Placement(peCount, 100, 1 + random.nextInt(peCount));
            int[] inTooFew = IntStream.range(0, peCount)
                    .filter(range -> labels(placement, range, labels).distinct().count() < placement.replication())
                    .toArray();
            assertArrayEquals(inTooFew, domains.rangesInTooFewDomains(placement).toArray());
            for (int range = 0; range < peCount; range++) {
                int[] found = domains.domainsOf(placement, range);
                assertArrayEquals(Arrays.stream(found).sorted().distinct().toArray(), found);
                assertEquals(labels(placement, range, labels).distinct().count(), found.length);
            }
        });
    }

    private static IntStream labels(Placement placement, int range, int[] labels) {
        return IntStream.range(0, placement.replication()).map(replica -> labels[placement.holder(range, replica)]);
    }

    @Test
    void equalDomainsOfNeighboursAreFoundAndOthersAreNot() {
        assertEquals(2, neighbours(1, 1, 2, 2, 3, 3));
        assertEquals(1, neighbours(1, 2, 3));
        assertEquals(0, neighbours(1, 1, 2, 2, 3), "one is smaller");
        assertEquals(0, neighbours(1, 2, 1, 2), "they alternate");
        assertEquals(0, neighbours(1, 1, 2, 3, 3, 3), "of different sizes");
        FailureDomains alternating = FailureDomains.of(1, 2, 1, 2);
        assertEquals(2, alternating.neighboursIn(Placement.separating(10, 2, alternating)));
    }

    private static int neighbours(int... labels) {
        return FailureDomains.of(labels).neighboursIn(new Placement(labels.length, 10, 1));
    }

    @Test
    void wrongArgumentsAreNamedWithRuleAndValue() {
        assertRejected("labels must be those of at least 1 PE: there are none", FailureDomains::of);
        assertRejected("peCount must be at least 1: peCount=0", () -> FailureDomains.consecutive(0, 1));
        assertRejected("ranksPerDomain must be at least 1: ranksPerDomain=0", () -> FailureDomains.consecutive(1, 0));
        assertRejected("placement must be of 3 PEs as the failure domains are: it is of 4",
                () -> FailureDomains.of(1, 2, 3).rangesInTooFewDomains(new Placement(4, 10, 1)));
    }

    private static void assertRejected(String message, Runnable call) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
    }
}
