package org.restorej.internal.placement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;
import org.restorej.testing.Failures;
import org.restorej.testing.SeededLaw;

class ReplicaRingTest {
    @Test
    void thePiecesOfARangeFollowOneAnotherAndDifferByAtMostOneBlock() {
        SeededLaw.holds(500, random -> {
            Placement placement = placement(random);
            ReplicaRing ring = ring(placement, random);
            for (int range = 0; range < placement.peCount(); range++) {
                assertEquals(placement.firstPosition(range), ring.firstPosition(range, 0));
                assertEquals(placement.firstPosition(range + 1), ring.firstPosition(range, ring.pieces()));
                long shortest = placement.blocksIn(range) / ring.pieces();
                for (int piece = 0; piece < ring.pieces(); piece++) {
                    long blocks = ring.firstPosition(range, piece + 1) - ring.firstPosition(range, piece);
                    assertTrue(blocks == shortest || blocks == shortest + 1, "piece of " + blocks);
                }
            }
        });
    }

    @Test
    void thePositionsOfAPieceAreFoundInIt() {
        SeededLaw.holds(500, random -> {
            Placement placement = placement(random);
            ReplicaRing ring = ring(placement, random);
            for (int range = 0; range < placement.peCount(); range++) {
                for (int piece = 0; piece < ring.pieces(); piece++) {
                    for (long i = ring.firstPosition(range, piece); i < ring.firstPosition(range, piece + 1); i++) {
                        assertEquals(piece, ring.pieceOf(range, i));
                    }
                }
            }
        });
    }

    @Test
    void slicesHoldUpAtATrillionBlocks() {
        SeededLaw.holds(5000, random -> {
            Placement placement = new Placement(1 + random.nextInt(1 << 25), 1_000_000_000_000L, 1);
            ReplicaRing ring = new ReplicaRing(placement, 1 + random.nextInt(1000), random.nextLong());
            int range = random.nextInt(placement.peCount());
            long position = placement.firstPosition(range) + random.nextLong(placement.blocksIn(range));
            int piece = ring.pieceOf(range, position);
            assertTrue(ring.firstPosition(range, piece) <= position);
            assertTrue(position < ring.firstPosition(range, piece + 1));
            assertEquals(placement.firstPosition(range + 1), ring.firstPosition(range, ring.pieces()));
        });
    }

    /** Where a position has more bits than a {@code double}, the estimate of its piece may be one too many. */
    @Test
    void theEndsOfPiecesHoldUpAtTheLargestNumbersOfBlocks() {
        for (int pieces : new int[]{1, 3, 16, 1000}) {
            ReplicaRing ring = new ReplicaRing(new Placement(1, 1L << 62, 1), pieces, 1);
            for (int piece = 0; piece < pieces; piece++) {
                assertEquals(piece, ring.pieceOf(0, ring.firstPosition(0, piece)));
                assertEquals(piece, ring.pieceOf(0, ring.firstPosition(0, piece + 1) - 1));
            }
        }
    }

    @Test
    void theHoldersLieInAsManyDomainsAsTheyCan() {
        forAllPieces((placement, ring, failed, range, piece, random) -> {
            if (placement.domains().isEmpty()) {
                return;
            }
            int[] base = new int[placement.replication()];
            int baseCount = placement.aliveHolders(range, failed, base);
            int[] holders = holders(ring, placement, range, piece, failed);
            int[] alive = Failures.alive(failed, placement.peCount());
            for (FailureDomains level : placement.domains()) {
                long before = domains(level, Arrays.copyOf(base, baseCount));
                assertEquals(Math.min(domains(level, alive), before + holders.length - baseCount),
                        domains(level, holders));
            }
        });
    }

    private static long domains(FailureDomains level, int[] ranks) {
        return Arrays.stream(ranks).map(level::domainOf).distinct().count();
    }

    @Test
    void theHoldersAreAliveAndDistinctAndTheAliveOfThePlacementComeFirst() {
        forAllPieces((placement, ring, failed, range, piece, random) -> {
            int[] holders = holders(ring, placement, range, piece, failed);
            int alive = placement.peCount() - failed.size();
            assertEquals(Math.min(placement.replication(), alive), holders.length);
            assertEquals(holders.length, Arrays.stream(holders).distinct().count());
            assertTrue(Arrays.stream(holders).noneMatch(failed::contains));
            assertTrue(Arrays.stream(holders).allMatch(rank -> rank >= 0 && rank < placement.peCount()));
            int[] base = new int[placement.replication()];
            int baseCount = placement.aliveHolders(range, failed, base);
            assertArrayEquals(Arrays.copyOf(base, baseCount), Arrays.copyOf(holders, baseCount));
        });
    }

    @Test
    void furtherFailuresTakeAPieceFromNobodyWhoIsAlive() {
        forAllPieces((placement, ring, failed, range, piece, random) -> {
            FailedRanks more = Failures.moreThan(failed, placement.peCount(), random);
            Set<Integer> survivors = Arrays.stream(holders(ring, placement, range, piece, failed))
                    .filter(rank -> !more.contains(rank)).boxed().collect(Collectors.toSet());
            Set<Integer> after = Arrays.stream(holders(ring, placement, range, piece, more)).boxed()
                    .collect(Collectors.toSet());
            assertTrue(after.containsAll(survivors), () -> survivors + " before " + more + " but " + after);
        });
    }

    @Test
    void anotherSeedGivesAnotherRing() {
        Placement placement = new Placement(50, 1000, 3);
        FailedRanks failed = FailedRanks.of(3, 19, 35);
        assertNotEquals(replacements(new ReplicaRing(placement, 8, 1), placement, failed),
                replacements(new ReplicaRing(placement, 8, 2), placement, failed));
    }

    private static String replacements(ReplicaRing ring, Placement placement, FailedRanks failed) {
        return IntStream.range(0, 8).mapToObj(piece -> Arrays.toString(holders(ring, placement, 3, piece, failed)))
                .collect(Collectors.joining());
    }

    @Test
    void thePlacesOfAFailedPeGoToManyOthers() {
        Placement placement = new Placement(1000, 1_000_000, 3);
        ReplicaRing ring = new ReplicaRing(placement, 64, 9);
        FailedRanks failed = FailedRanks.of(500);
        Set<Integer> heirs = IntStream.range(0, 3).map(replica -> placement.rangeHeldBy(500, replica)).boxed()
                .flatMap(range -> IntStream.range(0, 64)
                        .mapToObj(piece -> holders(ring, placement, range, piece, failed)[2]))
                .collect(Collectors.toSet());
        // 192 pieces thrown at 1000 PEs meet 175 of them on average.
        assertTrue(heirs.size() > 150, () -> "only " + heirs.size() + " heirs");
    }

    @Test
    void wrongArgumentsAreNamedWithRuleAndValue() {
        assertEquals("pointsPerPe must be at least 1: pointsPerPe=0", assertThrows(IllegalArgumentException.class,
                () -> new ReplicaRing(new Placement(3, 3, 1), 0, 1)).getMessage());
    }

    private static Placement placement(Random random) {
        int peCount = 1 + random.nextInt(12);
        return RandomDomains.maybe(peCount, random.nextInt(300), 1 + random.nextInt(peCount), random);
    }

    private static ReplicaRing ring(Placement placement, Random random) {
        return new ReplicaRing(placement, 1 + random.nextInt(20), random.nextLong());
    }

    private static int[] holders(ReplicaRing ring, Placement placement, int range, int piece, FailedRanks failed) {
        int[] holders = new int[placement.replication()];
        return Arrays.copyOf(holders, new RepairPlacement(ring, failed).holders(range, piece, holders));
    }

    private interface PieceLaw {
        void check(Placement placement, ReplicaRing ring, FailedRanks failed, int range, int piece, Random random);
    }

    private static void forAllPieces(PieceLaw law) {
        SeededLaw.holds(300, random -> {
            Placement placement = placement(random);
            ReplicaRing ring = ring(placement, random);
            FailedRanks failed = Failures.someOf(placement.peCount(), random);
            for (int range = 0; range < placement.peCount(); range++) {
                for (int piece = 0; piece < ring.pieces(); piece++) {
                    law.check(placement, ring, failed, range, piece, random);
                }
            }
        });
    }
}
