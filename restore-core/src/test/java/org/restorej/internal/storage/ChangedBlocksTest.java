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

    @Test
    void aRunHasMemoryFromWhenItIsFirstAskedFor() {
        ChangedBlocks changed = new ChangedBlocks(3, pool);
        MemorySegment run = changed.at(12, 2);
        fill(run, 5);
        assertEquals(6, run.byteSize());
        assertEquals(run.address(), changed.at(12, 2).address());
        MemorySegment other = changed.at(4, 1);
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
                try (ChangedBlocks changed = new ChangedBlocks(1, pool)) {
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
        try (ReplicaMemory replicas = ReplicaMemory.allocate(REPLICA_MAP, 0, 1, GRID, pool);
                ChangedBlocks changed = new ChangedBlocks(1, pool)) {
            fill(replicas.at(0, 10), 1);
            fill(replicas.at(10, 10), 1);
            fill(changed.at(3, 2), 2);
            fill(changed.at(10, 1), 3);
            write(changed, replicas);
            assertArrayEquals(new byte[]{1, 1, 1, 2, 2, 1, 1, 1, 1, 1}, array(replicas.at(0, 10)));
            assertArrayEquals(new byte[]{3, 1, 1, 1, 1, 1, 1, 1, 1, 1}, array(replicas.at(10, 10)));
        }
    }

}
