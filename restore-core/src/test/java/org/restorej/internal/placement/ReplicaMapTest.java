package org.restorej.internal.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import it.unimi.dsi.fastutil.longs.Long2LongSortedMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;
import org.restorej.testing.Deep;
import org.restorej.testing.Failures;
import org.restorej.testing.SeededLaw;

class ReplicaMapTest {
    @Test
    void onlyTheRangesOfTheFailedAreCut() {
        Placement placement = new Placement(8, 66, 3);
        ReplicaRing ring = new ReplicaRing(placement, 4, 1);
        ReplicaMap replicaMap = ReplicaMap.placedWithout(placement, ring, FailedRanks.of(4));
        for (int range = 0; range < 8; range++) {
            assertEquals(range == 0 || range == 2 || range == 4, isCut(replicaMap, range));
            assertFalse(isCut(replicaMap.lost(FailedRanks.of(5)), 1), "a loss alone moves nothing");
        }
    }

    @Test
    void upToTheEndOfAPositionAllHaveTheSameHoldersAndAreInOneRange() {
        SeededLaw.holds(300, random -> {
            ReplicaMap replicaMap = replicaMap(random);
            Placement placement = replicaMap.placement();
            for (int range = 0; range < placement.peCount(); range++) {
                long first = placement.firstPosition(range);
                while (first < placement.firstPosition(range + 1)) {
                    long end = replicaMap.end(first);
                    assertTrue(first < end && end <= placement.firstPosition(range + 1), first + ".." + end);
                    for (long i = first; i < end; i++) {
                        assertEquals(end, replicaMap.end(i));
                        assertEquals(holdersAt(replicaMap, first), holdersAt(replicaMap, i));
                    }
                    first = end;
                }
            }
        });
    }

    @Test
    void aPeHasBeenGivenExactlyTheRunsThatNameItAsHolder() {
        SeededLaw.holds(500, random -> {
            ReplicaMap replicaMap = replicaMap(random);
            checkInverse(replicaMap, replicaMap);
            checkInverse(replicaMap, replicaMap.lost(Failures.someOf(replicaMap.placement().peCount(), random)));
        });
    }

    @Deep
    @Test
    void eachOfManyPesFindsItsRuns() {
        SeededLaw.holds(40, random -> {
            int peCount = 150 + random.nextInt(250);
            int replication = 1 + random.nextInt(4);
            Placement placement = RandomDomains.maybe(peCount, 5L * peCount, replication, random);
            ReplicaRing ring = new ReplicaRing(placement, 1 + random.nextInt(3), random.nextLong());
            FailedRanks failed = Failures.some(peCount, peCount / (2 + random.nextInt(8)), random);
            ReplicaMap replicaMap = ReplicaMap.placedWithout(placement, ring, failed);
            checkInverse(replicaMap, replicaMap);
        });
    }

    /** Of a range that the placement gives it a PE has memory, even where all was lost before. */
    @Test
    void whatWasLostBeforeComesToNobodyNew() {
        int[] lost = new int[1];
        SeededLaw.holds(300, random -> {
            ReplicaMap replicaMap = replicaMap(random);
            Placement placement = replicaMap.placement();
            FailedRanks failed = Failures.moreThan(replicaMap.everFailed(), placement.peCount(), random);
            ReplicaMap placed = replicaMap.lost(failed).replenished(failed);
            BitSet lostPositions = new BitSet();
            placed.lostRuns().forEach((first, end) -> lostPositions.set((int) first, (int) end));
            for (int rank = 0; rank < placement.peCount(); rank++) {
                BitSet expected = positionsNaming(rank, placed);
                for (int position = 0; position < placement.blockCount(); position++) {
                    if (lostPositions.get(position) && !failed.contains(rank)
                            && placement.isHeldBy(placement.rangeOf(position), rank)) {
                        expected.set(position);
                    }
                }
                BitSet given = new BitSet();
                placed.runsHeldBy(rank).forEach((first, end) -> given.set((int) first, (int) end));
                assertEquals(expected, given, "rank " + rank);
            }
            lost[0] += lostPositions.isEmpty() ? 0 : 1;
        });
        assertTrue(lost[0] > 20, () -> "something was lost in " + lost[0] + " of 300 cases");
    }

    /** Parts are reported whether the PE still has them or not, so a loss changes nothing. */
    private static void checkInverse(ReplicaMap placed, ReplicaMap asked) {
        for (int rank = 0; rank < placed.placement().peCount(); rank++) {
            BitSet given = new BitSet();
            asked.runsHeldBy(rank).forEach((first, end) -> {
                assertTrue(given.get((int) first, (int) end).isEmpty(), "a position is given twice");
                given.set((int) first, (int) end);
            });
            assertEquals(positionsNaming(rank, placed), given, "rank " + rank);
        }
    }

    private static BitSet positionsNaming(int rank, ReplicaMap replicaMap) {
        BitSet positions = new BitSet();
        for (long first = 0; first < replicaMap.placement().blockCount(); first = replicaMap.end(first)) {
            if (holdersAt(replicaMap, first).contains(rank)) {
                positions.set((int) first, (int) replicaMap.end(first));
            }
        }
        return positions;
    }

    @Test
    void theLostPartsAreExactlyThoseWithoutHoldersInAscendingOrder() {
        SeededLaw.holds(1000, random -> {
            ReplicaMap replicaMap = replicaMap(random);
            replicaMap = replicaMap.lost(Failures.someOf(replicaMap.placement().peCount(), random));
            List<String> expected = new ArrayList<>();
            for (long first = 0; first < replicaMap.placement().blockCount(); first = replicaMap.end(first)) {
                if (holdersAt(replicaMap, first).isEmpty()) {
                    expected.add(first + ".." + replicaMap.end(first));
                }
            }
            assertEquals(expected, lostParts(replicaMap));
        });
    }

    @Test
    void theRangesOfRanksAreThoseThePlacementGivesThem() {
        SeededLaw.holds(200, random -> {
            ReplicaMap replicaMap = replicaMap(random);
            Placement placement = replicaMap.placement();
            FailedRanks ranks = Failures.someOf(placement.peCount(), random);
            Set<Integer> expected = new TreeSet<>();
            IntStream.range(0, placement.peCount())
                    .filter(range -> Arrays.stream(ranks.values()).anyMatch(rank -> placement.isHeldBy(range, rank)))
                    .forEach(expected::add);
            assertEquals(List.copyOf(expected), List.copyOf(replicaMap.rangesOf(ranks)), "in ascending order");
        });
    }

    /** The model keeps the holders of every position by hand. */
    @Test
    void anyHistoryOfLossesAndReplenishmentsIsThatOfASetOfHoldersForEachPosition() {
        SeededLaw.holds(1500, random -> {
            Placement placement = placement(random);
            ReplicaRing ring = new ReplicaRing(placement, 1 + random.nextInt(8), random.nextLong());
            ReplicaMap replicaMap = ReplicaMap.placedWithout(placement, ring, FailedRanks.NONE);
            List<Set<Integer>> model = new ArrayList<>();
            for (long position = 0; position < placement.blockCount(); position++) {
                model.add(holdersAt(replicaMap, position));
            }
            FailedRanks failed = FailedRanks.NONE;
            for (int event = 0; event < 8; event++) {
                if (random.nextBoolean()) {
                    FailedRanks more = Failures.moreThan(failed, placement.peCount(), random);
                    // A spare takes over from some of them: their data are gone, but the rank goes on.
                    FailedRanks lost = random.nextBoolean()
                            ? more
                            : more.union(
                                    Failures.someOf(placement.peCount(), random));
                    failed = more;
                    replicaMap = replicaMap.lost(lost);
                    model.forEach(holders -> holders.removeIf(lost::contains));
                } else {
                    replicaMap = replicaMap.replenished(failed);
                    for (int position = 0; position < model.size(); position++) {
                        replenish(replicaMap, position, failed, model.get(position));
                    }
                }
                for (int position = 0; position < model.size(); position++) {
                    assertEquals(model.get(position), holdersAt(replicaMap, position), "position " + position);
                }
            }
        });
    }

    /** Whoever has it keeps it, and others get it until there are enough; which ones, the ring has decided. */
    private static void replenish(ReplicaMap after, int position, FailedRanks failed, Set<Integer> holders) {
        if (holders.isEmpty()) {
            return;
        }
        Placement placement = after.placement();
        int wanted = Math.min(placement.replication(), placement.peCount() - failed.size());
        Set<Integer> now = holdersAt(after, position);
        assertEquals(wanted, now.size(), "replicas of position " + position);
        assertTrue(now.containsAll(holders), holders + " had it, but now " + now);
        assertTrue(now.stream().noneMatch(failed::contains), "the failed hold nothing: " + now);
        holders.addAll(now);
    }

    @Test
    void aReplenishmentChangesNothingWhereNothingWasLostAndNobodyElseFailed() {
        Placement placement = new Placement(6, 60, 2);
        ReplicaMap placed = ReplicaMap.placedWithout(placement, new ReplicaRing(placement, 4, 1), FailedRanks.of(3));
        assertSame(placed, placed.replenished(FailedRanks.of(3)));
        assertNotSame(placed, placed.replenished(FailedRanks.NONE));
        ReplicaMap lost = placed.lost(FailedRanks.of(1));
        assertNotSame(lost, lost.replenished(FailedRanks.of(3)));
    }

    /** Each time another PE fails and a spare takes its place, but nothing more is lost. */
    @Test
    void aLossIsRememberedOnceHoweverManyFailuresFollow() {
        Placement placement = new Placement(6, 60, 2);
        ReplicaMap replicaMap = ReplicaMap.placedWithout(placement, new ReplicaRing(placement, 4, 1), FailedRanks.NONE)
                .lost(FailedRanks.of(0, 3)).replenished(FailedRanks.of(0, 3));
        List<String> lost = lostParts(replicaMap);
        for (int repetition = 0; repetition < 20_000; repetition++) {
            replicaMap = replicaMap.lost(FailedRanks.of(5)).replenished(FailedRanks.of(0, 3));
        }
        assertEquals(lost, lostParts(replicaMap));
    }

    /** Ranges 0 and 2 are those of PEs 0 and 2; the pieces that PE 0 had go to PEs 1 and 3. */
    @Test
    void aRangeOfWhichPiecesWereLostStaysCutAndNoOtherDoes() {
        Placement placement = new Placement(4, 400, 2);
        ReplicaRing ring = new ReplicaRing(placement, 16, 1);
        ReplicaMap replicaMap = ReplicaMap.placedWithout(placement, ring, FailedRanks.of(0)).lost(FailedRanks.of(1, 2))
                .replenished(FailedRanks.NONE);
        for (int range = 0; range < 4; range++) {
            assertEquals(range % 2 == 0, isCut(replicaMap, range));
        }
        int lost = lostParts(replicaMap).size();
        assertTrue(lost > 0 && lost < 32, () -> "of 32 pieces were lost: " + lost);
        for (int piece = 0; piece < 16; piece++) {
            int[] holders = new int[2];
            new RepairPlacement(ring, FailedRanks.of(0)).holders(0, piece, holders);
            assertEquals(holders[0] == 3 || holders[1] == 3 ? Set.of(0, 2) : Set.of(),
                    holdersAt(replicaMap, ring.firstPosition(0, piece)));
        }
    }

    private static boolean isCut(ReplicaMap replicaMap, int range) {
        return replicaMap.end(replicaMap.placement().firstPosition(range)) < replicaMap.placement()
                .firstPosition(range + 1);
    }

    private static Placement placement(Random random) {
        int peCount = 1 + random.nextInt(10);
        return RandomDomains.maybe(peCount, random.nextInt(150), 1 + random.nextInt(peCount), random);
    }

    /** Placed with or without failures. */
    private static ReplicaMap replicaMap(Random random) {
        Placement placement = placement(random);
        ReplicaRing ring = new ReplicaRing(placement, 1 + random.nextInt(8), random.nextLong());
        FailedRanks failed = random.nextInt(4) == 0
                ? FailedRanks.NONE
                : Failures.someOf(placement.peCount(), random);
        return ReplicaMap.placedWithout(placement, ring, failed);
    }

    private static Set<Integer> holdersAt(ReplicaMap replicaMap, long position) {
        int[] holders = new int[replicaMap.placement().replication()];
        int count = replicaMap.holders(position, holders);
        Set<Integer> set = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            assertTrue(set.add(holders[i]), "holders must be distinct");
        }
        return set;
    }

    private static List<String> lostParts(ReplicaMap replicaMap) {
        List<String> pieces = new ArrayList<>();
        replicaMap.lostRuns().forEach((first, end) -> pieces.add(first + ".." + end));
        return pieces;
    }

    @Test
    void fewerBlocksThanPesMakeNoEmptyRuns() {
        Placement placement = new Placement(6, 3, 2);
        ReplicaMap replicaMap = ReplicaMap.placedWithout(placement, new ReplicaRing(placement, 4, 1),
                FailedRanks.of(2));
        for (int rank = 0; rank < 6; rank++) {
            replicaMap.runsHeldBy(rank).forEach((first, end) -> assertTrue(first < end, first + ".." + end));
        }
    }

    /** Nobody's replicas were all lost, so nothing has to be remembered of a store rank that a spare has taken. */
    @Test
    void whatWasReplenishedInTimeIsForgottenWhenASpareTakesOver() {
        Placement placement = new Placement(8, 66, 3);
        ReplicaMap replicaMap = ReplicaMap
                .placedWithout(placement, new ReplicaRing(placement, 4, 1), FailedRanks.NONE).lost(FailedRanks.of(4))
                .replenished(FailedRanks.of(4)).lost(FailedRanks.of(5)).replenished(FailedRanks.NONE);
        assertEquals(FailedRanks.NONE, replicaMap.everFailed());
        assertTrue(IntStream.range(0, 8).noneMatch(range -> isCut(replicaMap, range)));
    }

    @Test
    void allFailuresAreRememberedWithoutSpares() {
        int[] lost = new int[1];
        SeededLaw.holds(300, random -> {
            ReplicaMap replicaMap = replicaMap(random);
            FailedRanks failed = replicaMap.everFailed();
            FailedRanks everFailed = failed;
            Placement placement = replicaMap.placement();
            for (int round = 0; round < 3; round++) {
                FailedRanks more = Failures.moreThan(failed, placement.peCount(), random);
                everFailed = everFailed.union(more);
                failed = more;
                replicaMap = replicaMap.lost(more);
                assertEquals(everFailed, replicaMap.everFailed());
                replicaMap = replicaMap.replenished(failed);
                assertEquals(everFailed, replicaMap.everFailed());
            }
            lost[0] += replicaMap.lostRuns().isEmpty() ? 0 : 1;
        });
        assertTrue(lost[0] > 20, () -> "something was lost in " + lost[0] + " of 300 cases");
    }

    /** Of the ranges two have no block, and so no piece that could be lost. */
    @Test
    void rangesWithoutBlocksAreFoundWithTheOthersAfterALoss() {
        Placement placement = new Placement(7, 5, 2);
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> IntStream.range(0, 500).forEach(seed -> {
            ReplicaMap replicaMap = ReplicaMap.placedWithout(placement, new ReplicaRing(placement, 4, seed),
                    FailedRanks.NONE);
            FailedRanks failed = FailedRanks.NONE;
            Random random = new Random(seed);
            while (failed.size() < 4) {
                failed = failed.union(FailedRanks.of(random.nextInt(7), random.nextInt(7)));
                ReplicaMap repaired = replicaMap.lost(failed).replenished(failed);
                replicaMap = repaired;
                assertEquals(2 * (5 - blocks(repaired.lostRuns())), IntStream.range(0, 7)
                        .mapToObj(repaired::runsHeldBy).mapToLong(ReplicaMapTest::blocks).sum(), "seed " + seed);
            }
        }));
    }

    private static long blocks(Long2LongSortedMap runs) {
        return runs.long2LongEntrySet().stream().mapToLong(run -> run.getLongValue() - run.getLongKey()).sum();
    }
}
