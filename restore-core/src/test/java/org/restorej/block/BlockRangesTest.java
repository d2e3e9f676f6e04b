package org.restorej.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Set laws against {@link BitSet}, on many small random sets. */
class BlockRangesTest {
    private static final int IDS = 80;
    private static final int ROUNDS = 3_000;

    private static BlockRanges randomRanges(Random random, BitSet same) {
        List<BlockRange> ranges = new ArrayList<>();
        for (int run = random.nextInt(8); run > 0; run--) {
            int first = random.nextInt(IDS);
            int count = random.nextInt(Math.min(12, IDS - first + 1));
            ranges.add(BlockRange.of(first, count));
            same.set(first, first + count);
        }
        return BlockRanges.of(ranges);
    }

    private static void assertSameIds(BitSet expected, BlockRanges actual, String where) {
        assertEquals(expected.cardinality(), actual.blockCount(), where);
        long index = 0;
        long lastEnd = -1;
        for (int run = 0; run < actual.runCount(); run++) {
            assertTrue(actual.runFirst(run) > lastEnd, where + ": runs must be sorted, disjoint and not adjacent");
            assertEquals(index, actual.blocksBefore(run), where);
            for (long id = actual.runFirst(run); id < actual.runEnd(run); id++) {
                assertTrue(expected.get((int) id), where + ", id=" + id);
                assertEquals(index, actual.indexOf(id), where);
                assertEquals(id, actual.blockAt(index++), where);
            }
            lastEnd = actual.runEnd(run);
        }
        assertEquals(index, actual.blocksBefore(actual.runCount()), where);
        assertEquals(expected.cardinality(), index, where + ": ids in all runs");
        for (int id = 0; id < IDS + 2; id++) {
            assertEquals(expected.get(id), actual.contains(id), where + ", id=" + id);
        }
        assertEquals(expected.isEmpty(), actual.isEmpty(), where);
    }

    @Test
    void agreesWithABitSetInEveryOperation() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            String where = "seed=" + seed + ", round=" + round;
            BitSet a = new BitSet();
            BitSet b = new BitSet();
            BlockRanges left = randomRanges(random, a);
            BlockRanges right = randomRanges(random, b);
            assertSameIds(a, left, where);
            BitSet union = (BitSet) a.clone();
            union.or(b);
            assertSameIds(union, left.union(right), where + ", " + left + " union " + right);
            BitSet difference = (BitSet) a.clone();
            difference.andNot(b);
            assertSameIds(difference, left.minus(right), where + ", " + left + " minus " + right);
            BitSet intersection = (BitSet) a.clone();
            intersection.and(b);
            assertSameIds(intersection, left.intersect(right), where + ", " + left + " intersect " + right);
            assertEquals(a.equals(b), left.equals(right), where);
            assertEquals(left.hashCode(), BlockRanges.of(left.runs()).hashCode(), where);
        }
    }

    @Test
    void slicesByPosition() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            BitSet ids = new BitSet();
            BlockRanges ranges = randomRanges(random, ids);
            int from = random.nextInt((int) ranges.blockCount() + 1);
            int to = from + random.nextInt((int) ranges.blockCount() - from + 1);
            BitSet expected = new BitSet();
            ids.stream().skip(from).limit(to - from).forEach(expected::set);
            assertSameIds(expected, ranges.slice(from, to),
                    "seed=" + seed + ", round=" + round + ", " + ranges + " slice " + from + " to " + to);
        }
    }

    @Test
    void mergesNeighboursAndOverlaps() {
        BlockRanges ranges = BlockRanges.of(BlockRange.of(7, 1), BlockRange.of(0, 2), BlockRange.of(2, 2),
                BlockRange.of(9, 4), BlockRange.of(10, 2), BlockRange.of(20, 0));
        assertEquals("{0..3, 7, 9..12}", ranges.toString());
        assertEquals(List.of(BlockRange.of(0, 4), BlockRange.of(7, 1), BlockRange.of(9, 4)), ranges.runs());
    }

    @Test
    void holdsIdsFarBeyondInt() {
        long first = 1L << 50;
        BlockRanges ranges = BlockRanges.of(BlockRange.of(first, 1L << 40), BlockRange.of(3, 1));
        assertEquals((1L << 40) + 1, ranges.blockCount());
        assertEquals(1L << 40, ranges.indexOf(first + (1L << 40) - 1));
        assertEquals(first + 9, ranges.blockAt(10));
        assertEquals(-1, ranges.indexOf(first - 1));
    }

    @Test
    void saysOnlyTheFirstSixteenOfManyRuns() {
        BlockRanges.Builder builder = new BlockRanges.Builder();
        for (int run = 0; run < 16; run++) {
            builder.add(3L * run, 2);
        }
        assertTrue(builder.build().toString().endsWith(", 42..43, 45..46}"));
        builder.add(48, 2);
        assertTrue(builder.build().toString().endsWith(", 45..46, and 1 more runs, 34 blocks in all}"));
    }

    @Test
    void aBuilderTakesOneRunAfterTheOther() {
        assertEquals("{2..6, 9}", new BlockRanges.Builder().add(2, 2).add(3, 4).add(7, 0).add(9, 1).build().toString());
    }

    @Test
    void mostSetsThatDifferHaveHashCodesThatDiffer() {
        Set<Integer> hashCodes = new HashSet<>();
        for (int bits = 0; bits < 1 << 10; bits++) {
            BlockRanges.Builder builder = new BlockRanges.Builder();
            for (int id = 0; id < 10; id++) {
                builder.add(id, bits >> id & 1);
            }
            hashCodes.add(builder.build().hashCode());
        }
        assertTrue(hashCodes.size() > 600, hashCodes.size() + " hash codes of 1024 sets");
    }

    @Test
    void isOneEmptySet() {
        assertSame(BlockRanges.EMPTY, BlockRanges.of(4, 0));
        assertSame(BlockRanges.EMPTY, BlockRanges.of(4, 2).minus(BlockRanges.of(0, 10)));
        assertEquals("{}", BlockRanges.EMPTY.toString());
    }

    @Test
    void rejectsWhatItCanNotHold() {
        BlockRanges ranges = BlockRanges.of(4, 2);
        assertThrows(IndexOutOfBoundsException.class, () -> ranges.blockAt(2));
        assertThrows(IndexOutOfBoundsException.class, () -> ranges.blockAt(-1));
        assertThrows(IndexOutOfBoundsException.class, () -> ranges.slice(0, 3));
        assertThrows(IndexOutOfBoundsException.class, () -> ranges.slice(2, 1));
        BlockRanges.Builder builder = new BlockRanges.Builder().add(4, 2);
        assertThrows(IllegalArgumentException.class, () -> builder.add(3, 1));
        assertThrows(IllegalArgumentException.class, () -> builder.add(-1, 1));
        assertThrows(IllegalArgumentException.class, () -> new BlockRanges.Builder().add(-1, 1));
        assertThrows(IllegalArgumentException.class, () -> builder.add(9, -1));
        assertFalse(ranges.contains(-1));
    }
}
