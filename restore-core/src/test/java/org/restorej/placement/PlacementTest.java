package org.restorej.placement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.restorej.internal.placement.AllocatedBytes;
import org.restorej.internal.placement.RangePermutation;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.testing.Failures;
import org.restorej.testing.SeededLaw;

class PlacementTest {
    private static final int MAX_PES = 13;
    private static final int HUGE_P = 1 << 25;
    private static final long HUGE_B = 1_000_000_000_000L;

    @Test
    void givesTheNumbersOfTheWorkedExample() {
        Placement placement = new Placement(8, 66, 3);
        assertEquals(2, placement.shift());
        assertArrayEquals(new long[]{9, 9, 8, 8, 8, 8, 8, 8},
                IntStream.range(0, 8).mapToLong(placement::blocksIn).toArray());
        assertArrayEquals(new int[]{7, 1, 3}, holders(placement, 7));
        assertEquals(0, placement.rangeOf(8));
        assertEquals(1, placement.rangeOf(9));
        assertEquals(2, placement.rangeOf(18));
        assertEquals(7, placement.rangeOf(65));
    }

    @Test
    void rangesFollowTheFormulaForAllSmallNumbersOfPesAndBlocks() {
        for (int peCount = 1; peCount <= MAX_PES; peCount++) {
            for (long blockCount = 0; blockCount <= 4L * MAX_PES; blockCount++) {
                checkRanges(new Placement(peCount, blockCount, 1), peCount, blockCount);
            }
        }
    }

    /** Deals the blocks out one by one. */
    private static void checkRanges(Placement placement, int peCount, long blockCount) {
        long position = 0;
        for (int range = 0; range < peCount; range++) {
            long blocks = range < blockCount % peCount
                    ? Math.ceilDiv(blockCount, peCount)
                    : Math.floorDiv(blockCount, peCount);
            assertEquals(blocks, placement.blocksIn(range), () -> "P=" + peCount + " B=" + blockCount);
            assertEquals(position, placement.firstPosition(range), () -> "P=" + peCount + " B=" + blockCount);
            for (long i = 0; i < blocks; i++) {
                assertEquals(range, placement.rangeOf(position++), () -> "P=" + peCount + " B=" + blockCount);
            }
        }
        assertEquals(blockCount, position);
        assertEquals(blockCount, placement.firstPosition(peCount));
    }

    @Test
    void holdersFollowTheFormulaAndAreDistinctForAllSmallNumbersOfPesAndReplicas() {
        forAllSmall((peCount, replication) -> {
            Placement placement = new Placement(peCount, 100, replication);
            for (int range = 0; range < peCount; range++) {
                int[] holders = holders(placement, range);
                for (int replica = 0; replica < replication; replica++) {
                    assertEquals((range + replica * (peCount / replication)) % peCount, holders[replica]);
                }
                assertEquals(replication, Arrays.stream(holders).distinct().count());
            }
        });
    }

    @Test
    void everyWayToAskWhoHoldsARangeGivesTheSameAnswer() {
        forAllSmall((peCount, replication) -> {
            Placement placement = new Placement(peCount, 100, replication);
            for (int range = 0; range < peCount; range++) {
                for (int rank = 0; rank < peCount; rank++) {
                    int replica = indexOf(holders(placement, range), rank);
                    assertEquals(replica, placement.replicaAt(range, rank));
                    assertEquals(replica >= 0, placement.isHeldBy(range, rank));
                    if (replica >= 0) {
                        assertEquals(range, placement.rangeHeldBy(rank, replica));
                    }
                }
            }
        });
    }

    @Test
    void theAliveHoldersAreTheHoldersWithoutTheFailed() {
        SeededLaw.holds(500, random -> {
            int peCount = 1 + random.nextInt(40);
            int replication = 1 + random.nextInt(peCount);
            Placement placement = new Placement(peCount, random.nextInt(200), replication);
            FailedRanks failed = Failures.someOf(peCount, random);
            int[] found = new int[replication];
            for (int range = 0; range < peCount; range++) {
                int[] expected = Arrays.stream(holders(placement, range)).filter(rank -> !failed.contains(rank))
                        .toArray();
                int count = placement.aliveHolders(range, failed, found);
                assertArrayEquals(expected, Arrays.copyOf(found, count));
            }
        });
    }

    @Test
    void holdsUpAtTwoToThe25PesAndATrillionBlocks() {
        SeededLaw.holds(20_000, random -> {
            int replication = random.nextBoolean() ? 1 + random.nextInt(16) : 1 + random.nextInt(HUGE_P);
            Placement placement = new Placement(HUGE_P, HUGE_B, replication);
            long position = random.nextLong(HUGE_B);
            int range = placement.rangeOf(position);
            assertTrue(placement.firstPosition(range) <= position);
            assertTrue(position < placement.firstPosition(range + 1));
            assertEquals(placement.firstPosition(range + 1),
                    placement.firstPosition(range) + placement.blocksIn(range));
            int replica = random.nextInt(replication);
            int holder = placement.holder(range, replica);
            assertEquals((int) ((range + (long) replica * (HUGE_P / replication)) % HUGE_P), holder);
            assertEquals(replica, placement.replicaAt(range, holder));
            assertEquals(range, placement.rangeHeldBy(holder, replica));
        });
        assertEquals(HUGE_P - 1, new Placement(HUGE_P, HUGE_B, 4).rangeOf(HUGE_B - 1));
    }

    @Test
    void theLastPeOfTheGreatestNumberOfPesHasItsHolders() {
        Placement placement = new Placement(Integer.MAX_VALUE, Long.MAX_VALUE, 2);
        int last = Integer.MAX_VALUE - 1;
        assertArrayEquals(new int[]{last, Integer.MAX_VALUE / 2 - 1}, holders(placement, last));
        assertEquals(1, placement.replicaAt(last, Integer.MAX_VALUE / 2 - 1));
        assertEquals(Long.MAX_VALUE, placement.firstPosition(last) + placement.blocksIn(last));
        assertEquals(last, placement.rangeOf(Long.MAX_VALUE - 1));
    }

    @Test
    void lookUpsAllocateNothing() {
        Placement placement = new Placement(HUGE_P, HUGE_B, 4);
        FailedRanks failed = FailedRanks.of(1, 5, 1 << 20, HUGE_P - 1);
        int[] holders = new int[4];
        long[] sum = new long[1];
        IntConsumer lookUp = i -> {
            int range = placement.rangeOf(i * 99_991L);
            int rank = placement.holder(range, i & 3);
            sum[0] += placement.aliveHolders(range, failed, holders) + placement.rangeHeldBy(rank, 2)
                    + placement.replicaAt(range, rank) + placement.blocksIn(range) + placement.firstPosition(range);
        };
        assertEquals(0, AllocatedBytes.perCall(lookUp), "bytes a look-up");
        assertTrue(sum[0] != 0);
    }

    @Test
    void permutedLookUpsAllocateNothing() {
        RangePermutation permutation = RangePermutation.feistel(HUGE_B, 4096, 1);
        long[] sum = new long[1];
        IntConsumer lookUp = i -> {
            long position = permutation.positionOf(i * 99_991L);
            sum[0] += permutation.blockAt(position) + permutation.runAt(position);
        };
        assertEquals(0, AllocatedBytes.perCall(lookUp), "bytes a look-up");
        assertTrue(sum[0] != 0);
    }

    @Test
    void lookUpsAfterAReplenishmentAllocateNothing() {
        Placement placement = new Placement(HUGE_P, HUGE_B, 4);
        FailedRanks failed = FailedRanks.of(1, 5, 1 << 20, HUGE_P - 1);
        ReplicaMap replicaMap = ReplicaMap.placedWithout(placement, new ReplicaRing(placement, 64, 1), failed)
                .lost(FailedRanks.of(2));
        int[] holders = new int[4];
        long[] sum = new long[1];
        IntConsumer lookUp = i -> {
            int range = i & 7;
            long position = placement.firstPosition(range) + i % placement.blocksIn(range);
            sum[0] += replicaMap.holders(position, holders) + replicaMap.end(position);
        };
        assertEquals(0, AllocatedBytes.perCall(lookUp), "bytes a look-up");
        assertTrue(sum[0] != 0);
    }

    @Test
    void wrongArgumentsAreNamedWithRuleAndValue() {
        assertRejected("peCount must be at least 1: peCount=0", 0, 10, 1);
        assertRejected("blockCount must be at least 0: blockCount=-1", 4, -1, 1);
        assertRejected("replication must be in 1..4, the number of PEs: replication=0", 4, 10, 0);
        assertRejected("replication must be in 1..4, the number of PEs: replication=5", 4, 10, 5);
    }

    private static void assertRejected(String message, int peCount, long blockCount, int replication) {
        assertEquals(message, assertThrows(IllegalArgumentException.class,
                () -> new Placement(peCount, blockCount, replication)).getMessage());
    }

    private static int[] holders(Placement placement, int range) {
        return IntStream.range(0, placement.replication()).map(replica -> placement.holder(range, replica)).toArray();
    }

    private static int indexOf(int[] values, int value) {
        return IntStream.range(0, values.length).filter(i -> values[i] == value).findFirst().orElse(-1);
    }

    private interface SmallCase {
        void check(int peCount, int replication);
    }

    /** With K = 1, K = P and all levels that divide P or don't. */
    private static void forAllSmall(SmallCase smallCase) {
        for (int peCount = 1; peCount <= MAX_PES; peCount++) {
            for (int replication = 1; replication <= peCount; replication++) {
                smallCase.check(peCount, replication);
            }
        }
    }
}
