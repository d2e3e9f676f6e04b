package org.restorej.internal.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;
import org.restorej.testing.SeededLaw;

class VariableLayoutTest {
    @Test
    void offsetsAreSumsOfSizes() {
        SeededLaw.holds(300, random -> {
            try (Arena arena = Arena.ofConfined()) {
                int count = random.nextInt(200);
                MemorySegment sizes = arena.allocate((long) count * VariableLayout.SIZE_BYTES);
                long[] offsets = new long[count + 1];
                for (int i = 0; i < count; i++) {
                    long size = random.nextInt(3) == 0 ? 0 : random.nextLong(1L << random.nextInt(41));
                    VariableLayout.putSize(sizes, i, size);
                    offsets[i + 1] = offsets[i] + size;
                }
                VariableLayout layout = new VariableLayout(sizes, arena);
                assertEquals(count, layout.count());
                assertEquals(offsets[count], layout.bytes());
                for (int i = 0; i <= count; i++) {
                    assertEquals(offsets[i], layout.offset(i));
                    int blocks = random.nextInt(count - i + 1);
                    assertEquals(offsets[i + blocks] - offsets[i], layout.bytes(i, blocks));
                }
                assertTrue(layout.overheadBytes() <= 6.25 * count + Long.BYTES, "bytes: " + layout.overheadBytes());
            }
        });
    }

    /** Of replicas, a chunk begins where it does whatever becomes of the sizes in other chunks. */
    @Test
    void sizesOfOneChunkMoveNoOther() {
        SeededLaw.holds(300, random -> {
            try (Arena arena = Arena.ofConfined()) {
                Placement placement = new Placement(2, 2 + random.nextInt(600), 1);
                ReplicaRing ring = new ReplicaRing(placement, 1 + random.nextInt(3), random.nextLong());
                ChunkGrid grid = new ChunkGrid(ring, 1 + random.nextInt(100));
                long first = placement.firstPosition(1);
                int count = Math.toIntExact(placement.firstPosition(2) - first);
                MemorySegment sizes = arena.allocate((long) count * VariableLayout.SIZE_BYTES);
                long[] offsets = new long[count + 1];
                for (int i = 0; i < count; i++) {
                    VariableLayout.putSize(sizes, i, random.nextInt(3) == 0 ? 0 : random.nextInt(1_000));
                    offsets[i + 1] = offsets[i] + VariableLayout.size(sizes, i);
                }
                VariableLayout layout = new VariableLayout(sizes, new RunChunks(grid, first, first + count), arena);
                for (int i = 0; i <= count; i++) {
                    assertEquals(offsets[i], layout.offset(i));
                }
                int damaged = random.nextInt(count);
                VariableLayout.putSize(sizes, damaged, 12_345);
                for (int i = 0; i < count; i++) {
                    boolean sameChunk = grid.chunkFirst(first + i) == grid.chunkFirst(first + damaged);
                    assertTrue(sameChunk || layout.offset(i) == offsets[i], "block " + i + " is where it was");
                }
                assertEquals(offsets[count], layout.bytes());
            }
        });
    }

    @Test
    void theLargestSizeIsKeptAndLargerOnesAreRefused() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sizes = arena.allocate(VariableLayout.SIZE_BYTES);
            VariableLayout.putSize(sizes, 0, VariableLayout.MAX_BLOCK_BYTES);
            assertEquals(VariableLayout.MAX_BLOCK_BYTES, VariableLayout.size(sizes, 0));
            for (long wrong : new long[]{-1, VariableLayout.MAX_BLOCK_BYTES + 1}) {
                assertThrows(IllegalArgumentException.class, () -> VariableLayout.putSize(sizes, 0, wrong));
            }
        }
    }

    @Test
    void theChecksumIsCrc32c() {
        // The check value of the catalogue of parametrised CRC algorithms.
        byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
        assertEquals(0xE3069283, Checksum.of(MemorySegment.ofArray(digits)));
        assertEquals((int) new CRC32C().getValue(), Checksum.of(MemorySegment.NULL));
    }

    @Test
    void everyFlippedBitIsFoundInItsChunkAndInNoOther() {
        SeededLaw.holds(200, random -> {
            Placement placement = new Placement(1 + random.nextInt(5), 1 + random.nextInt(200), 1);
            ReplicaMap replicaMap = ReplicaMap.placedWithout(placement, new ReplicaRing(placement, 3, 1),
                    FailedRanks.NONE);
            ChunkGrid grid = new ChunkGrid(replicaMap.ring(), 1 + random.nextInt(12));
            int rank = random.nextInt(placement.peCount());
            long first = placement.firstPosition(rank);
            long blocks = placement.blocksIn(rank);
            try (ReplicaMemory memory = ReplicaMemory.allocate(replicaMap, rank, 5, grid, new SegmentPool())) {
                for (long chunk = first; chunk < first + blocks; chunk = grid.chunkEnd(chunk)) {
                    memory.at(chunk, 1).set(ValueLayout.JAVA_BYTE, 0, (byte) random.nextInt());
                    memory.seal(chunk);
                }
                if (blocks == 0) {
                    return;
                }
                long flipped = first + random.nextLong(blocks);
                MemorySegment block = memory.at(flipped, 1);
                int index = random.nextInt(5);
                block.set(ValueLayout.JAVA_BYTE, index,
                        (byte) (block.get(ValueLayout.JAVA_BYTE, index) ^ 1 << random.nextInt(8)));
                for (long chunk = first; chunk < first + blocks; chunk = grid.chunkEnd(chunk)) {
                    assertEquals(chunk != grid.chunkFirst(flipped), memory.isSound(chunk));
                }
                checkChecksumsOfWholeChunks(memory, grid, first, blocks, random.nextLong(blocks));
            }
        });
    }

    private static void checkChecksumsOfWholeChunks(ReplicaMemory memory, ChunkGrid grid, long first, long blocks,
            long skipped) {
        long from = first + skipped;
        long end = first + blocks;
        int whole = 0;
        for (long chunk = grid.chunkFirst(from); chunk < end; chunk = grid.chunkEnd(chunk)) {
            whole += chunk >= from ? 1 : 0;
        }
        assertEquals((long) whole * Integer.BYTES, memory.checksums(from, end - from).byteSize());
    }
}
