package org.restorej.internal.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;
import org.restorej.testing.Failures;
import org.restorej.testing.SeededLaw;

class ReplicaMemoryTest {
    private static final int BLOCK_BYTES = 24;

    @Test
    void emptyRangesTakeNoMemory() {
        try (ReplicaMemory memory = ReplicaMemory.allocate(intact(8, 3, 2), 3, BLOCK_BYTES, grid(intact(8, 3, 2)),
                new SegmentPool());
                ReplicaMemory none = ReplicaMemory.allocate(intact(8, 0, 2), 0, BLOCK_BYTES, grid(intact(8, 0, 2)),
                        new SegmentPool())) {
            assertEquals(0, memory.bytes());
            assertEquals(0, none.bytes());
            assertFalse(none.contains(0, 1));
            assertThrows(IllegalArgumentException.class, () -> none.at(0, 1));
        }
    }

    @Test
    void everyRunOfHeldPositionsIsThereAndNoOther() {
        SeededLaw.holds(200, random -> {
            ReplicaMap replicaMap = damaged(random.nextInt(7) + 1, random.nextInt(40), random);
            int rank = random.nextInt(replicaMap.placement().peCount());
            checkHolds(replicaMap, rank,
                    ReplicaMemory.allocate(replicaMap, rank, BLOCK_BYTES, grid(replicaMap), new SegmentPool()));
        });
    }

    @Test
    void anExtensionAddsWhatIsMissingAndMovesNothing() {
        SeededLaw.holds(200, random -> {
            ReplicaMap before = damaged(6, random.nextInt(40), random);
            ReplicaMap after = before.replenished(before.everFailed().union(Failures.someOf(6, random)));
            int rank = random.nextInt(6);
            ReplicaMemory memory = ReplicaMemory.allocate(before, rank, BLOCK_BYTES, grid(before), new SegmentPool());
            ReplicaMemory extended = memory.extendedFor(after, rank, BLOCK_BYTES);
            before.runsHeldBy(rank).forEach((first, end) -> {
                assertEquals(memory.at(first, end - first).address(), extended.at(first, end - first).address());
            });
            after.runsHeldBy(rank).forEach((first, end) -> assertTrue(extended.contains(first, end - first)));
            extended.closeAllBut(memory);
            // The memory that was extended is as it was.
            checkHolds(before, rank, memory);
        });
    }

    @Test
    void closingAnExtensionWithItsMemoryFreesBoth() {
        ReplicaMap replicaMap = intact(8, 66, 3);
        ReplicaMemory memory = ReplicaMemory.allocate(replicaMap, 3, BLOCK_BYTES, grid(replicaMap), new SegmentPool());
        ReplicaMemory extended = memory.extendedFor(replicaMap.replenished(FailedRanks.of(1, 2)), 3, BLOCK_BYTES);
        MemorySegment old = extended.at(9, 1);
        extended.close();
        assertFalse(old.scope().isAlive());
    }

    /** Checks that the memory holds the parts of a PE, each to its full length, and no other position; closes it. */
    private static void checkHolds(ReplicaMap replicaMap, int rank, ReplicaMemory memory) {
        try (memory) {
            BitSet held = new BitSet();
            replicaMap.runsHeldBy(rank).forEach((first, end) -> {
                held.set((int) first, (int) end);
                for (int from = (int) first; from < end; from++) {
                    checkRun(memory, from, (int) (end - from), true);
                    checkRun(memory, from, (int) (end - from) + 1, false);
                }
            });
            assertEquals((long) held.cardinality() * BLOCK_BYTES, memory.bytes());
            for (int position = 0; position < replicaMap.placement().blockCount(); position++) {
                checkRun(memory, position, 1, held.get(position));
            }
        }
    }

    private static void checkRun(ReplicaMemory memory, int position, int count, boolean held) {
        assertEquals(held, memory.contains(position, count), () -> position + " + " + count);
        if (held) {
            assertEquals((long) count * BLOCK_BYTES, memory.at(position, count).byteSize());
        } else {
            assertThrows(IllegalArgumentException.class, () -> memory.at(position, count));
        }
    }

    @Test
    void everyBlockHasMemoryOfItsOwn() {
        SeededLaw.holds(100, random -> {
            ReplicaMap replicaMap = damaged(6, 100, random);
            int rank = random.nextInt(6);
            try (ReplicaMemory memory = ReplicaMemory.allocate(replicaMap, rank, Long.BYTES, grid(replicaMap),
                    new SegmentPool())) {
                replicaMap.runsHeldBy(rank).forEach((first, end) -> {
                    for (long position = first; position < end; position++) {
                        memory.at(position, 1).set(ValueLayout.JAVA_LONG, 0, ~position);
                    }
                });
                replicaMap.runsHeldBy(rank).forEach((first, end) -> {
                    for (long i = 0; i < end - first; i++) {
                        assertEquals(~(first + i),
                                memory.at(first, end - first).getAtIndex(ValueLayout.JAVA_LONG, i));
                    }
                });
            }
        });
    }

    @Test
    void whatIsNotHereIsNamed() {
        try (ReplicaMemory memory = ReplicaMemory.allocate(intact(8, 66, 3), 3, BLOCK_BYTES, grid(intact(8, 66, 3)),
                new SegmentPool())) {
            assertEquals("this PE holds no replica of all positions 17..18",
                    assertThrows(IllegalArgumentException.class, () -> memory.at(17, 2)).getMessage());
            assertThrows(IllegalArgumentException.class, () -> memory.at(0, 1));
            assertThrows(IllegalArgumentException.class, () -> memory.at(18, 1));
            assertThrows(IllegalArgumentException.class, () -> memory.at(9, Long.MAX_VALUE));
            assertFalse(memory.contains(9, Long.MAX_VALUE));
        }
    }

    @Test
    void runsBeginOnCacheLines() {
        try (ReplicaMemory memory = ReplicaMemory.allocate(intact(8, 66, 3), 3, 1, grid(intact(8, 66, 3)),
                new SegmentPool())) {
            for (long first : new long[]{9, 26, 58}) {
                assertEquals(0, memory.at(first, 1).address() % 64);
            }
        }
    }

    @Test
    void afterCloseEveryAccessThrows() {
        ReplicaMemory memory = ReplicaMemory.allocate(intact(8, 66, 3), 3, BLOCK_BYTES, grid(intact(8, 66, 3)),
                new SegmentPool());
        MemorySegment block = memory.at(9, 1);
        memory.close();
        memory.close();
        assertFalse(block.scope().isAlive());
        assertThrows(IllegalStateException.class, () -> block.get(ValueLayout.JAVA_BYTE, 0));
        assertThrows(IllegalStateException.class, () -> memory.at(9, 1).get(ValueLayout.JAVA_BYTE, 0));
    }

    private static ChunkGrid grid(ReplicaMap replicaMap) {
        return new ChunkGrid(replicaMap.ring(), 4);
    }

    /** The PE holds positions 0 to 9 and 10 to 19, each a piece of three chunks. */
    private static ReplicaMap twoRuns() {
        Placement placement = new Placement(2, 20, 2);
        return ReplicaMap.placedWithout(placement, new ReplicaRing(placement, 1, 1), FailedRanks.NONE);
    }

    /** As many bytes for each block as its position modulo 5 says. */
    private static void putSizes(ReplicaMap replicaMap, int rank, ReplicaMemory sizes) {
        replicaMap.runsHeldBy(rank).forEach((first, end) -> {
            for (long position = first; position < end; position++) {
                VariableLayout.putSize(sizes.at(position, 1), 0, position % 5);
            }
        });
    }

    @Test
    void everyRunKnowsItsBytesAndChecksums() {
        try (ReplicaMemory memory = ReplicaMemory.allocate(twoRuns(), 0, 3, grid(twoRuns()), new SegmentPool())) {
            assertEquals(List.of(0L, 10L), memory.runs().stream().map(ReplicaRun::first).toList());
            assertEquals(6 * 4, memory.overheadBytes());
            assertEquals(12, memory.at(12, 4).byteSize());
            assertEquals(12, memory.checksums(10, 10).byteSize());
            assertSame(memory.runs().getLast(), memory.runOf(19, 1));
            for (long chunk : new long[]{0, 4, 8, 10, 12, 16}) {
                memory.at(chunk, 1).fill((byte) 1);
                memory.seal(chunk);
                assertTrue(memory.isSound(chunk));
                memory.at(chunk, 1).fill((byte) 2);
                assertFalse(memory.isSound(chunk));
            }
        }
    }

    @Test
    void blocksOfAnySizesHaveAsMuchMemoryAsTheirSizesSay() {
        ReplicaMap replicaMap = twoRuns();
        SegmentPool pool = new SegmentPool();
        try (ReplicaMemory sizes = ReplicaMemory.allocate(replicaMap, 0, VariableLayout.SIZE_BYTES, grid(replicaMap),
                pool)) {
            putSizes(replicaMap, 0, sizes);
            try (ReplicaMemory memory = ReplicaMemory.allocate(sizes, pool)) {
                assertEquals(40, memory.bytes());
                assertEquals(6 * 4 + 20 * 6 + 6 * 8, memory.overheadBytes());
                for (long position = 0; position < 20; position++) {
                    assertEquals(position % 5, memory.at(position, 1).byteSize());
                }
                assertEquals(1 + 2 + 3 + 4, memory.at(11, 4).byteSize());
            }
        }
    }

    @Test
    void anExtensionForBlocksOfAnySizesAddsWhatIsMissing() {
        ReplicaMap before = intact(8, 66, 3);
        ReplicaMap after = before.replenished(FailedRanks.of(1, 2));
        SegmentPool pool = new SegmentPool();
        ReplicaMemory sizes = ReplicaMemory.allocate(before, 3, VariableLayout.SIZE_BYTES, grid(before), pool);
        putSizes(before, 3, sizes);
        ReplicaMemory memory = ReplicaMemory.allocate(sizes, pool);
        ReplicaMemory extendedSizes = sizes.extendedFor(after, 3, VariableLayout.SIZE_BYTES);
        putSizes(after, 3, extendedSizes);
        ReplicaMemory extended = memory.extendedFor(extendedSizes);
        assertTrue(extended.runs().size() > memory.runs().size());
        memory.runs().forEach(run -> assertSame(run, extended.runOf(run.first(), 1)));
        long[] bytes = new long[1];
        after.runsHeldBy(3).forEach((first, end) -> {
            for (long position = first; position < end; position++) {
                assertEquals(position % 5, extended.at(position, 1).byteSize());
                bytes[0] += position % 5;
            }
        });
        assertEquals(bytes[0], extended.bytes());
        extended.close();
        extendedSizes.close();
    }

    @Test
    void whatAnotherMemoryUsesTooIsNotFreedWithoutIt() {
        SegmentPool pool = new SegmentPool();
        ReplicaMemory memory = ReplicaMemory.allocate(twoRuns(), 0, 3, grid(twoRuns()), pool);
        MemorySegment old = memory.at(3, 1);
        MemorySegment kept = memory.at(13, 1);
        try (ReplicaMemory second = memory.only(first -> first == 10)) {
            memory.closeAllBut(second);
            assertFalse(old.scope().isAlive());
            assertTrue(kept.scope().isAlive() && second.at(13, 1).scope().isAlive());
            assertEquals(0, pool.spareBytes());
        }
        assertFalse(kept.scope().isAlive());
    }

    private static ReplicaMap intact(int peCount, long blockCount, int replication) {
        Placement placement = new Placement(peCount, blockCount, replication);
        return ReplicaMap.placedWithout(placement, new ReplicaRing(placement, 4, 1), FailedRanks.NONE);
    }

    private static ReplicaMap damaged(int peCount, int blockCount, Random random) {
        Placement placement = new Placement(peCount, blockCount, 1 + random.nextInt(peCount));
        ReplicaRing ring = new ReplicaRing(placement, 1 + random.nextInt(5), random.nextLong());
        return ReplicaMap.placedWithout(placement, ring, Failures.someOf(peCount, random));
    }
}
