package org.restorej.internal.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;
import org.restorej.testing.SeededRandom;

/** Bytes that replace others in place, with checksums that are computed before. */
class OverwritesTest {
    private static final long BLOCKS = 40;
    private static final Placement PLACEMENT = new Placement(2, BLOCKS, 2);
    private static final ReplicaRing RING = new ReplicaRing(PLACEMENT, 1, 1);
    private static final ChunkGrid GRID = new ChunkGrid(RING, 8);

    private static ReplicaMemory sealed(SegmentPool pool) {
        ReplicaMemory memory = ReplicaMemory.allocate(ReplicaMap.placedWithout(PLACEMENT, RING, FailedRanks.NONE), 0,
                3, GRID, pool);
        memory.forEachRun((first, count) -> memory.at(first, count).fill((byte) first));
        for (long chunk = 0; chunk < BLOCKS; chunk = GRID.chunkEnd(chunk)) {
            memory.seal(chunk);
        }
        return memory;
    }

    @Test
    void checksumsFitWhateverIsWritten() {
        SeededRandom random = SeededRandom.forTest("checksumsFitWhateverIsWritten");
        try (SegmentPool pool = new SegmentPool(); ReplicaMemory memory = sealed(pool)) {
            for (int round = 0; round < 200; round++) {
                Overwrites overwrites = new Overwrites();
                for (long next = random.nextInt(5); next < BLOCKS; next += random.nextInt(6)) {
                    long end = Math.min(next + 1 + random.nextInt(9), next < BLOCKS / 2 ? BLOCKS / 2 : BLOCKS);
                    byte[] bytes = new byte[(int) (end - next) * 3];
                    random.nextBytes(bytes);
                    overwrites.add(MemorySegment.ofArray(bytes), memory.at(next, end - next));
                    next = end;
                }
                for (long chunk = 0; chunk < BLOCKS; chunk = GRID.chunkEnd(chunk)) {
                    overwrites.seal(memory, chunk);
                }
                overwrites.apply();
                for (long chunk = 0; chunk < BLOCKS; chunk = GRID.chunkEnd(chunk)) {
                    assertTrue(memory.isSound(chunk), "chunk " + chunk + " of round " + round);
                }
            }
        }
    }

    @Test
    void aDamagedChunkKeepsTheChecksumThatGivesItAway() {
        try (SegmentPool pool = new SegmentPool(); ReplicaMemory memory = sealed(pool)) {
            memory.at(7, 1).fill((byte) 99);
            Overwrites overwrites = new Overwrites();
            overwrites.add(MemorySegment.ofArray(new byte[]{1, 2, 3}), memory.at(0, 1));
            overwrites.seal(memory, 0);
            overwrites.apply();
            assertEquals(1, memory.at(0, 1).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)[0]);
            assertFalse(memory.isSound(0));
            assertTrue(memory.isSound(8));
        }
    }
}
