package org.restorej.internal.storage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;

class ChangedBlocksTest {
    /** The first of two PEs holds positions 0 to 9 and 10 to 19, in chunks of 4 that are cut at 10. */
    private static final Placement PLACEMENT = new Placement(2, 20, 2);
    private static final ReplicaRing RING = new ReplicaRing(PLACEMENT, 1, 1);
    private static final ReplicaMap REPLICA_MAP = ReplicaMap.placedWithout(PLACEMENT, RING, FailedRanks.NONE);
    private static final ChunkGrid GRID = new ChunkGrid(RING, 4);

    private final SegmentPool pool = new SegmentPool();

    @AfterEach
    void free() {
        pool.close();
    }

    private static void fill(MemorySegment blocks, int value) {
        blocks.fill((byte) value);
    }

    private static byte[] array(MemorySegment blocks) {
        return blocks.toArray(ValueLayout.JAVA_BYTE);
    }

    private static void putSizes(ChangedBlocks sizes, long position, long... values) {
        MemorySegment written = sizes.at(position, values.length);
        for (int i = 0; i < values.length; i++) {
            VariableLayout.putSize(written, i, values[i]);
        }
    }

    @Test
    void aRunHasMemoryFromWhenItIsFirstAskedFor() {
        ChangedBlocks changed = ChangedBlocks.ofSize(3, pool);
        MemorySegment run = changed.at(12, 2);
        fill(run, 5);
        assertEquals(6, run.byteSize());
        assertEquals(run.address(), changed.at(12, 2).address());
        MemorySegment other = changed.at(4, 1);
        assertArrayEquals(new long[]{4, 12}, changed.firstPositions());
        assertEquals(9, changed.bytes());
        assertEquals(0, changed.checksums(4, 1).byteSize());
        assertEquals(12, changed.at(12, 4).byteSize());
        changed.close();
        changed.close();
        assertEquals(SegmentPool.SLAB_BYTES, pool.scratchBytes());
        pool.close();
        assertFalse(other.scope().isAlive());
    }

    @Test
    void theChunksOfAllRunsAreTouched() {
        for (int first = 0; first < 20; first++) {
            for (int count = 1; count <= 20 - first; count++) {
                try (ChangedBlocks changed = ChangedBlocks.ofSize(1, pool)) {
                    changed.at(first, count);
                    LongOpenHashSet expected = new LongOpenHashSet();
                    for (long position = first; position < first + count; position++) {
                        expected.add(GRID.chunkFirst(position));
                    }
                    assertEquals(expected, changed.touchedChunks(GRID), first + " + " + count);
                }
            }
        }
    }

    private static void write(ChangedBlocks changed, ReplicaMemory replicas) {
        Overwrites overwrites = new Overwrites();
        changed.writeTo(replicas, overwrites);
        overwrites.apply();
    }

    @Test
    void changedBlocksReplaceTheOldOnesAndNoOthers() {
        try (ReplicaMemory replicas = ReplicaMemory.allocate(REPLICA_MAP, 0, 1, null, pool);
                ChangedBlocks changed = ChangedBlocks.ofSize(1, pool)) {
            fill(replicas.at(0, 10), 1);
            fill(replicas.at(10, 10), 1);
            fill(changed.at(3, 2), 2);
            fill(changed.at(10, 1), 3);
            write(changed, replicas);
            assertArrayEquals(new byte[]{1, 1, 1, 2, 2, 1, 1, 1, 1, 1}, array(replicas.at(0, 10)));
            assertArrayEquals(new byte[]{3, 1, 1, 1, 1, 1, 1, 1, 1, 1}, array(replicas.at(10, 10)));
        }
    }

    /** The sizes come in other runs than the blocks. */
    @Test
    void theSizeOfARunIsTheSumOfTheSizesThatHaveCome() {
        try (ChangedBlocks sizes = ChangedBlocks.ofSize(VariableLayout.SIZE_BYTES, pool);
                ChangedBlocks changed = ChangedBlocks.ofSizes(sizes, pool)) {
            putSizes(sizes, 2, 1, 10);
            putSizes(sizes, 4, 100, 1000, 10_000);
            putSizes(sizes, 12, 7);
            long[] expected = {1, 10, 100, 1000, 10_000};
            for (int first = 0; first < 5; first++) {
                long sum = 0;
                for (int count = 1; count <= 5 - first; count++) {
                    sum += expected[first + count - 1];
                    assertEquals(sum, changed.at(2 + first, count).byteSize(), first + " + " + count);
                }
            }
            assertEquals(1110, changed.at(3, 3).byteSize());
            assertEquals(1110, changed.at(3, 3).byteSize());
            assertEquals(10, changed.at(3, 1).byteSize());
            assertEquals(7, changed.at(12, 1).byteSize());
        }
    }

    /** Of positions 0 to 9 block 1 becomes empty, blocks 3 and 4 get 2 bytes and 9 gets one, 10 to 19 stay. */
    @Test
    void aMergeTakesChangedBlocksAndBetweenThemOldOnes() {
        try (ReplicaMemory oldSizes = ReplicaMemory.allocate(REPLICA_MAP, 0, VariableLayout.SIZE_BYTES, null, pool);
                ReplicaMemory newSizes = ReplicaMemory.allocate(REPLICA_MAP, 0, VariableLayout.SIZE_BYTES, null, pool);
                ChangedBlocks sizes = ChangedBlocks.ofSize(VariableLayout.SIZE_BYTES, pool);
                ChangedBlocks changed = ChangedBlocks.ofSizes(sizes, pool)) {
            for (long position = 0; position < 20; position++) {
                VariableLayout.putSize(oldSizes.at(position, 1), 0, 1);
                VariableLayout.putSize(newSizes.at(position, 1), 0, 1);
            }
            putSizes(sizes, 1, 0);
            putSizes(sizes, 3, 2, 2);
            putSizes(sizes, 9, 1);
            write(sizes, newSizes);
            fill(changed.at(3, 2), 50);
            fill(changed.at(9, 1), 60);
            try (ReplicaMemory old = ReplicaMemory.allocate(oldSizes, GRID, pool);
                    ReplicaMemory fresh = ReplicaMemory.allocate(newSizes, GRID, pool)) {
                for (long position = 0; position < 20; position++) {
                    fill(old.at(position, 1), (int) position);
                }
                for (long chunk = 0; chunk < 20; chunk = GRID.chunkEnd(chunk)) {
                    old.seal(chunk);
                }
                changed.merge(old, fresh);
                assertArrayEquals(new byte[]{0, 2, 50, 50, 50, 50, 5, 6, 7, 8, 60}, array(fresh.at(0, 10)));
                assertArrayEquals(new byte[]{10, 11, 12, 13, 14, 15, 16, 17, 18, 19}, array(fresh.at(10, 10)));
                assertArrayEquals(array(old.checksums(0, 10)), array(fresh.checksums(0, 10)));
                assertArrayEquals(array(old.checksums(10, 10)), array(fresh.checksums(10, 10)));
            }
            assertEquals(LongOpenHashSet.of(0, 4, 8), changed.touchedChunks(GRID));
            assertEquals(5, changed.bytes());
        }
    }
}
