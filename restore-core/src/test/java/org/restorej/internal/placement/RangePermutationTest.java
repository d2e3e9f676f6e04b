package org.restorej.internal.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.placement.Placement;
import org.restorej.testing.SeededLaw;

class RangePermutationTest {
    private static final long[] SEEDS = {0, 1, -77};

    @Test
    void permutesTheBlocksOfEverySmallDataSetAndInvertsItself() {
        for (int rangeBlocks : new int[]{1, 2, 3, 7, 64, 599, 600, 601, 5000}) {
            for (int blockCount = 0; blockCount <= 600; blockCount++) {
                for (long seed : SEEDS) {
                    checkPermutation(RangePermutation.feistel(blockCount, rangeBlocks, seed), blockCount,
                            "B=" + blockCount + " rangeBlocks=" + rangeBlocks + " seed=" + seed);
                }
            }
        }
    }

    @Test
    void theIdentityIsAPermutationToo() {
        for (int blockCount = 0; blockCount <= 600; blockCount++) {
            checkPermutation(RangePermutation.identity(blockCount), blockCount, "B=" + blockCount);
        }
    }

    private static void checkPermutation(RangePermutation permutation, int blockCount, String what) {
        BitSet positions = new BitSet(blockCount);
        for (int block = 0; block < blockCount; block++) {
            long position = permutation.positionOf(block);
            assertTrue(position >= 0 && position < blockCount, what);
            assertEquals(block, permutation.blockAt(position), what);
            positions.set((int) position);
        }
        assertEquals(blockCount, positions.cardinality(), what);
    }

    @Test
    void aRunOfBlocksHasConsecutivePositions() {
        SeededLaw.holds(200, random -> {
            int blockCount = 1 + random.nextInt(700);
            RangePermutation permutation = anyOf(blockCount, random.nextInt(50), random.nextLong());
            for (int block = 0; block < blockCount; block++) {
                long run = permutation.runAt(block);
                assertTrue(run >= 1 && run <= blockCount - block, "block " + block + " has a run of " + run);
                for (long i = 0; i < run; i++) {
                    assertEquals(permutation.positionOf(block) + i, permutation.positionOf(block + i));
                }
            }
        });
    }

    @Test
    void aRunOfPositionsHoldsConsecutiveBlocks() {
        SeededLaw.holds(200, random -> {
            int blockCount = 1 + random.nextInt(700);
            RangePermutation permutation = anyOf(blockCount, random.nextInt(50), random.nextLong());
            for (int position = 0; position < blockCount; position++) {
                int end = position + 1 + random.nextInt(blockCount - position);
                long next = position;
                for (BlockRange run : permutation.blocksAt(position, end)) {
                    assertTrue(run.count() >= 1, "position " + next + " has a run of " + run);
                    for (long id = run.first(); id < run.end(); id++) {
                        assertEquals(id, permutation.blockAt(next++));
                    }
                }
                assertEquals(end, next);
            }
        });
    }

    private static RangePermutation anyOf(int blockCount, int rangeBlocks, long seed) {
        return rangeBlocks == 0
                ? RangePermutation.identity(blockCount)
                : RangePermutation.feistel(blockCount, rangeBlocks, seed);
    }

    @Test
    void aRunReachesToTheEndOfItsPermutationRange() {
        RangePermutation permutation = RangePermutation.feistel(25, 10, 3);
        assertEquals(10, permutation.runAt(0));
        assertEquals(1, permutation.runAt(9));
        assertEquals(10, permutation.runAt(10));
        assertEquals(5, permutation.runAt(20));
        assertEquals(2, permutation.runAt(23));
        assertEquals(1, permutation.blocksAt(10, 20).size());
        assertEquals(List.of(BlockRange.of(23, 2)), permutation.blocksAt(23, 25));
        assertEquals(List.of(), permutation.blocksAt(25, 25));
        assertEquals(18, RangePermutation.identity(25).runAt(7));
        assertEquals(List.of(BlockRange.of(7, 18)), RangePermutation.identity(25).blocksAt(7, 25));
    }

    @Test
    void theShorterRangeAtTheEndStaysInPlace() {
        for (int rest = 1; rest < 10; rest++) {
            RangePermutation permutation = RangePermutation.feistel(500 + rest, 10, 11);
            for (int block = 500; block < 500 + rest; block++) {
                assertEquals(block, permutation.positionOf(block));
                assertEquals(block, permutation.blockAt(block));
                assertEquals(500 + rest - block, permutation.runAt(block));
            }
        }
    }

    @Test
    void holdsUpAtATrillionBlocks() {
        SeededLaw.holds(5000, random -> {
            long blockCount = 1_000_000_000_000L - random.nextInt(10_000);
            RangePermutation permutation = RangePermutation.feistel(blockCount, 1 + random.nextInt(10_000),
                    random.nextLong());
            long block = random.nextLong(blockCount);
            long position = permutation.positionOf(block);
            assertTrue(position >= 0 && position < blockCount);
            assertEquals(block, permutation.blockAt(position));
            long lastOfRun = permutation.runAt(block) - 1;
            assertEquals(position + lastOfRun, permutation.positionOf(block + lastOfRun));
            assertEquals(blockCount - 1, permutation.blockAt(permutation.positionOf(blockCount - 1)));
        });
    }

    @Test
    void theBlocksOfOnePeSpreadOverNearlyAllPes() {
        int peCount = 64;
        long blockCount = 64L * 10_000;
        Placement placement = new Placement(peCount, blockCount, 1);
        for (long seed : SEEDS) {
            RangePermutation permutation = RangePermutation.feistel(blockCount, 16, seed);
            BitSet ranges = new BitSet(peCount);
            for (long block = 0; block < 10_000; block++) {
                ranges.set(placement.rangeOf(permutation.positionOf(block)));
            }
            // 625 permutation ranges thrown into 64 block ranges: one stays empty once in 300.
            assertTrue(ranges.cardinality() >= 62, "seed=" + seed + " ranges=" + ranges.cardinality());
        }
    }

    @Test
    void wrongArgumentsAreNamedWithRuleAndValue() {
        assertRejected("rangeBlocks must be at least 1: rangeBlocks=0", () -> RangePermutation.feistel(10, 0, 1));
        assertRejected("blockCount must be at least 0: blockCount=-1", () -> RangePermutation.feistel(-1, 10, 1));
        assertRejected("blockCount must be at least 0: blockCount=-1", () -> RangePermutation.identity(-1));
    }

    private static void assertRejected(String message, Runnable call) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
    }
}
