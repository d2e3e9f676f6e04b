package org.restorej.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.restorej.internal.placement.RandomDomains;
import org.restorej.testing.SeededLaw;

class DomainOrderTest {
    /** Bell(8) = 4140 layouts of 8 PEs. */
    private static final int MAX_PES = 8;

    @Test
    void separatesTheReplicasOfEveryRangeInEveryLayoutWhereThatIsPossible() {
        int[] shiftFails = new int[1];
        int[] possible = new int[1];
        forAllLayouts(labels -> {
            for (int replication = 1; replication <= labels.length; replication++) {
                FailureDomains domains = FailureDomains.of(labels);
                DomainOrder order = DomainOrder.of(domains);
                Placement placement = Placement.separating(100, replication, order);
                String what = Arrays.toString(labels) + " K=" + replication;
                boolean enough = maxInADomain(labels) * replication <= labels.length;
                assertEquals(enough, order.levels().getFirst().canSeparate(replication), what);
                assertEquals(enough, areSeparated(placement, labels), what);
                assertEquals(enough, domains.rangesInTooFewDomains(placement).findAny().isEmpty(), what);
                if (enough) {
                    possible[0]++;
                    Placement plain = new Placement(labels.length, 100, replication);
                    shiftFails[0] += areSeparated(plain, labels) ? 0 : 1;
                }
            }
        });
        assertTrue(shiftFails[0] > possible[0] / 10,
                () -> "without domains the shift would do in all but " + shiftFails[0] + " of " + possible[0]);
    }

    private static void forAllLayouts(Consumer<int[]> check) {
        for (int peCount = 1; peCount <= MAX_PES; peCount++) {
            forAllLayouts(new int[peCount], 0, 0, check);
        }
    }

    /** All ways to put PEs into domains, which are numbered as they come. */
    private static void forAllLayouts(int[] labels, int known, int domains, Consumer<int[]> check) {
        if (known == labels.length) {
            check.accept(labels);
            return;
        }
        for (int label = 0; label <= domains; label++) {
            labels[known] = label;
            forAllLayouts(labels, known + 1, Math.max(domains, label + 1), check);
        }
    }

    private static int maxInADomain(int[] labels) {
        return (int) Arrays.stream(labels)
                .mapToLong(label -> Arrays.stream(labels).filter(other -> other == label).count()).max().orElseThrow();
    }

    private static boolean areSeparated(Placement placement, int[] labels) {
        return IntStream.range(0, placement.peCount())
                .allMatch(range -> IntStream.range(0, placement.replication())
                        .map(replica -> labels[placement.holder(range, replica)]).distinct().count() == placement
                                .replication());
    }

    @Test
    void everyPeHoldsKRangesAndIsTheFirstHolderOfItsOwn() {
        forAllLayouts(labels -> {
            for (int replication = 1; replication <= labels.length; replication++) {
                checkInverses(Placement.separating(100, replication, DomainOrder.of(FailureDomains.of(labels))));
            }
        });
        SeededLaw.holds(200, random -> {
            int peCount = 1 + random.nextInt(60);
            checkInverses(
                    Placement.separating(100, 1 + random.nextInt(peCount), RandomDomains.nested(peCount, random)));
        });
    }

    private static void checkInverses(Placement placement) {
        int[] ranges = new int[placement.peCount()];
        for (int range = 0; range < placement.peCount(); range++) {
            assertEquals(range, placement.holder(range, 0));
            assertEquals(range, placement.rankAtSeat(placement.seatOf(range)));
            for (int rank = 0; rank < placement.peCount(); rank++) {
                int replica = placement.replicaAt(range, rank);
                assertEquals(replica >= 0, placement.isHeldBy(range, rank));
                if (replica >= 0) {
                    ranges[rank]++;
                    assertEquals(rank, placement.holder(range, replica));
                    assertEquals(range, placement.rangeHeldBy(rank, replica));
                }
            }
        }
        assertTrue(Arrays.stream(ranges).allMatch(count -> count == placement.replication()));
    }

    @Test
    void separatesNodesAndRacksAtOnceWhereBothAreSmallEnough() {
        int[] bothSeparated = new int[1];
        SeededLaw.holds(2000, random -> {
            int peCount = 2 + random.nextInt(60);
            int[] racks = random.ints(peCount, 0, 1 + random.nextInt(peCount)).toArray();
            int[] nodes = random.ints(peCount, 0, 1 + random.nextInt(peCount)).toArray();
            // A node that two racks share counts as two.
            int[] nodesInRacks = IntStream.range(0, peCount).map(rank -> racks[rank] * peCount + nodes[rank]).toArray();
            DomainOrder order = DomainOrder.of(FailureDomains.of(racks), FailureDomains.of(nodes));
            int replication = 1 + random.nextInt(Math.min(peCount, 5));
            Placement placement = Placement.separating(100, replication, order);
            for (int level = 0; level < 2; level++) {
                int[] labels = level == 0 ? racks : nodesInRacks;
                boolean enough = maxInADomain(labels) * replication <= peCount;
                assertEquals(enough, order.levels().get(level).canSeparate(replication));
                assertEquals(enough, areSeparated(placement, labels));
                assertEquals(Arrays.stream(labels).distinct().count(), order.levels().get(level).domainCount());
            }
            bothSeparated[0] += replication > 1 && order.levels().getFirst().canSeparate(replication) ? 1 : 0;
        });
        assertTrue(bothSeparated[0] > 100, () -> "only " + bothSeparated[0] + " cases with separate racks");
    }

    /** m PEs hold m K replicas of P ranges. */
    @Test
    void aDomainThatIsTooLargeHasAsFewReplicasOfARangeAsPossible() {
        SeededLaw.holds(500, random -> {
            int replication = 1 + random.nextInt(6);
            int peCount = replication * (1 + random.nextInt(10));
            FailureDomains domains = RandomDomains.domains(peCount, random);
            Placement placement = Placement.separating(100, replication, DomainOrder.of(domains));
            for (int range = 0; range < peCount; range++) {
                int[] replicasIn = new int[domains.domainCount()];
                for (int replica = 0; replica < replication; replica++) {
                    replicasIn[domains.domainOf(placement.holder(range, replica))]++;
                }
                for (int domain = 0; domain < replicasIn.length; domain++) {
                    assertTrue(replicasIn[domain] <= Math.ceilDiv(domains.size(domain) * replication, peCount));
                }
            }
        });
    }

    @Test
    void ranksDealtRoundRobinAreSeparatedThoughTheShiftPutsAllReplicasOnOneNode() {
        int[] labels = IntStream.range(0, 16).map(rank -> rank % 4).toArray();
        assertEquals(16, FailureDomains.of(labels).rangesInTooFewDomains(new Placement(16, 16, 4)).count());
        assertTrue(areSeparated(Placement.separating(16, 4, DomainOrder.of(FailureDomains.of(labels))), labels));
    }

    @Test
    void whereRanksFillOneNodeAfterTheOtherEverythingStaysAsWithoutDomains() {
        int[] labels = {7, 7, 7, 2, 2, 9, 9, 9, 4, 4};
        Placement plain = new Placement(10, 100, 3);
        Placement separating = Placement.separating(100, 3, DomainOrder.of(FailureDomains.of(labels)));
        for (int range = 0; range < 10; range++) {
            for (int replica = 0; replica < 3; replica++) {
                assertEquals(plain.holder(range, replica), separating.holder(range, replica));
            }
        }
        assertTrue(DomainOrder.of(FailureDomains.of(labels)).isOrderOfRanks());
        assertFalse(DomainOrder.of(FailureDomains.of(1, 2, 1)).isOrderOfRanks());
    }

    @Test
    void wrongArgumentsAreNamed() {
        assertRejected("there must be at least 1 level of failure domains: there is none", DomainOrder::of);
        assertRejected("all levels must be of 4 PEs as the first is: one is of 3",
                () -> DomainOrder.of(FailureDomains.consecutive(4, 2), FailureDomains.consecutive(3, 1)));
    }

    private static void assertRejected(String message, Runnable call) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
    }
}
