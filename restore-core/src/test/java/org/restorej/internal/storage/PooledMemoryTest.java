package org.restorej.internal.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PooledMemoryTest {
    private final SegmentPool pool = new SegmentPool();

    private static boolean isAlive(MemorySegment segment) {
        return segment.scope().isAlive();
    }

    @Test
    void theCopyBufferReturnsToThePool() {
        PooledMemory first = pool.open();
        MemorySegment buffer = first.allocateCopyBuffer(1 << 20);
        assertEquals(buffer.byteSize(), first.bytes());
        first.close();
        first.close();
        assertEquals(buffer.byteSize(), pool.scratchBytes());
        PooledMemory second = pool.open();
        assertEquals(buffer, second.allocateCopyBuffer(1 << 20));
        second.retire();
    }

    @Test
    void memoryOfOneOperationServesTheNext() {
        long address;
        try (PooledMemory scratch = pool.open()) {
            address = scratch.allocate(100, 8).address();
        }
        assertEquals(SegmentPool.SLAB_BYTES, pool.scratchBytes());
        try (PooledMemory scratch = pool.open()) {
            assertEquals(address, scratch.allocate(1000, 8).address());
            assertEquals(0, pool.scratchBytes());
        }
        pool.close();
    }

    @Test
    void twoHalvesOfASlabShareIt() {
        try (PooledMemory scratch = pool.open()) {
            MemorySegment first = scratch.allocate(SegmentPool.SLAB_BYTES / 2, 64);
            MemorySegment second = scratch.allocate(SegmentPool.SLAB_BYTES / 2, 64);
            assertEquals(first.address() + SegmentPool.SLAB_BYTES / 2, second.address());
        }
        assertEquals(SegmentPool.SLAB_BYTES, pool.scratchBytes());
        pool.close();
    }

    @Test
    void whatIsTakenIsAlignedAndApart() {
        SplittableRandom random = new SplittableRandom(17);
        try (PooledMemory scratch = pool.open()) {
            List<MemorySegment> taken = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                long bytes = random.nextInt(1000) == 0
                        ? random.nextLong(2 * SegmentPool.SLAB_BYTES)
                        : random.nextInt(400);
                long alignment = 1L << random.nextInt(7);
                MemorySegment segment = scratch.allocate(bytes, alignment);
                assertEquals(bytes, segment.byteSize());
                assertEquals(0, segment.address() % alignment);
                segment.fill((byte) i);
                taken.add(segment);
            }
            for (int i = 0; i < taken.size(); i++) {
                byte expected = (byte) i;
                MemorySegment segment = taken.get(i);
                assertEquals(-1, segment.mismatch(MemorySegment.ofArray(filled(segment.byteSize(), expected))));
            }
        }
        pool.close();
    }

    private static byte[] filled(long bytes, byte value) {
        byte[] array = new byte[(int) bytes];
        Arrays.fill(array, value);
        return array;
    }

    @Test
    void littleIsKeptWhateverAnOperationTakes() {
        MemorySegment large;
        try (PooledMemory scratch = pool.open()) {
            large = scratch.allocate(10 * SegmentPool.SLAB_BYTES, 8);
            for (int i = 0; i < 100; i++) {
                scratch.allocate(SegmentPool.SLAB_BYTES / 2 - 8, 8);
            }
        }
        assertFalse(isAlive(large));
        assertEquals(16 * SegmentPool.SLAB_BYTES, pool.scratchBytes());
        pool.close();
    }

    @Test
    void whatIsStillInUseWhenAllIsFreedIsFreedWhenItIsGivenBack() {
        PooledMemory scratch = pool.open();
        MemorySegment used = scratch.allocate(100, 8);
        pool.close();
        assertTrue(isAlive(used));
        scratch.close();
        assertFalse(isAlive(used));
        assertEquals(0, pool.scratchBytes());
    }

    @Test
    void whatSharesASlabIsAtMostHalfAsLong() {
        PooledMemory memory = pool.open();
        MemorySegment half = memory.allocate(SegmentPool.SLAB_BYTES / 2, 8);
        assertEquals(0, memory.bytes());
        MemorySegment more = memory.allocate(SegmentPool.SLAB_BYTES / 2 + 1, 8);
        assertEquals(SegmentPool.SLAB_BYTES / 2 + 1, memory.bytes());
        memory.close();
        assertTrue(isAlive(half));
        assertFalse(isAlive(more));
        pool.close();
        assertFalse(isAlive(half));
    }

    @Test
    void aSlabIsFilledToItsLastByte() {
        PooledMemory memory = pool.open();
        memory.allocate(SegmentPool.SLAB_BYTES / 2 - 7, 8);
        memory.allocate(SegmentPool.SLAB_BYTES / 2 - 7, 8);
        memory.close();
        assertEquals(SegmentPool.SLAB_BYTES, pool.scratchBytes());
        PooledMemory longer = pool.open();
        longer.allocate(SegmentPool.SLAB_BYTES / 2, 1);
        longer.allocate(SegmentPool.SLAB_BYTES / 2, 1);
        longer.allocate(1, 1);
        longer.close();
        assertEquals(2 * SegmentPool.SLAB_BYTES, pool.scratchBytes());
        pool.close();
    }

    @Test
    void buffersAndReplicasAreCountedUntilTheyAreFreed() {
        PooledMemory memory = pool.open();
        List<MemorySegment> taken = new ArrayList<>();
        taken.add(memory.allocateBuffer(100));
        assertEquals(100, memory.bytes());
        taken.add(memory.allocateBuffer(20));
        assertEquals(120, memory.bytes());
        taken.add(memory.allocateOwn(50));
        assertEquals(170, memory.bytes());
        taken.add(memory.allocateReplica(7));
        assertEquals(177, memory.bytes());
        assertEquals(List.of(100L, 20L, 50L, 7L), taken.stream().map(MemorySegment::byteSize).toList());
        taken.forEach(segment -> assertEquals(0, segment.address() % 64));
        memory.close();
        taken.forEach(segment -> assertFalse(isAlive(segment)));
        assertEquals(0, memory.bytes());
        memory.close();
        assertEquals(0, pool.spareBytes() + pool.scratchBytes());
    }

    @Test
    void retiredMemoryServesOtherReplicas() {
        PooledMemory memory = pool.open();
        MemorySegment own = memory.allocateOwn(800);
        MemorySegment buffer = memory.allocateBuffer(800);
        memory.allocate(10, 8);
        memory.retire();
        memory.retire();
        assertFalse(isAlive(buffer));
        assertEquals(800, pool.spareBytes());
        assertEquals(SegmentPool.SLAB_BYTES, pool.scratchBytes());
        assertEquals(0, memory.bytes());
        PooledMemory next = pool.open();
        MemorySegment replica = next.allocateReplica(790);
        assertEquals(own.address(), replica.address());
        assertEquals(790, replica.byteSize());
        assertEquals(800, next.bytes());
        assertEquals(0, pool.freshReplicaBytes());
        next.close();
        pool.close();
    }

    @Test
    void memoryThatWasGivenBackCanBeTakenAnew() {
        PooledMemory memory = pool.open();
        memory.allocate(10, 8);
        memory.allocateBuffer(10);
        memory.close();
        memory.allocate(10, 8).fill((byte) 1);
        memory.allocateBuffer(10).fill((byte) 1);
        assertEquals(0, pool.scratchBytes());
        memory.close();
        assertEquals(SegmentPool.SLAB_BYTES, pool.scratchBytes());
        pool.close();
    }
}
