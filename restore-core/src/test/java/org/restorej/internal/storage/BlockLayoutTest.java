package org.restorej.internal.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.restorej.internal.memory.MappedMemory;
import org.restorej.testing.Deep;

class BlockLayoutTest {
    @Test
    void theBytesOfAUniformLayoutCanBeCounted() {
        UniformLayout layout = new UniformLayout(7, 1L << 40);
        assertEquals(7L << 40, layout.bytes());
        assertEquals(3L << 40, layout.offset(3));
        assertEquals(2L << 40, layout.bytes(3, 2));
        assertEquals(1L << 41, new UniformLayout(1L << 31, 1 << 10).bytes(0, 1L << 31));
        assertThrows(ArithmeticException.class, () -> new UniformLayout(1L << 32, 1L << 32));
    }

    @Test
    void aSliceIsTheMemoryOfItsBlocks() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment all = arena.allocate(60);
            checkSlices(new UniformLayout(12, 5), all);
            MemorySegment sizes = arena.allocate(8L * VariableLayout.SIZE_BYTES);
            for (int block = 0; block < 8; block++) {
                VariableLayout.putSize(sizes, block, block);
            }
            checkSlices(new VariableLayout(sizes, arena), all);
        }
    }

    private static void checkSlices(BlockLayout layout, MemorySegment all) {
        for (long first = 0; first <= layout.count(); first++) {
            for (long blocks = 0; blocks <= layout.count() - first; blocks++) {
                MemorySegment slice = layout.slice(all, first, blocks);
                assertEquals(all.address() + layout.offset(first), slice.address());
                assertEquals(layout.bytes(first, blocks), slice.byteSize());
            }
        }
    }

    /** 1 GiB is the longest piece that is given to the checksum at once; its pages are never written. */
    @Deep
    @Test
    void theChecksumOfMoreThanAGibibyteIsThatOfAllItsBytes() {
        byte[] end = {1, 2, 3};
        try (Arena arena = Arena.ofShared()) {
            MemorySegment bytes = MappedMemory.allocate(arena, (1L << 30) + end.length);
            MemorySegment.copy(MemorySegment.ofArray(end), 0, bytes, 1L << 30, end.length);
            CRC32C expected = new CRC32C();
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 1 << 10; i++) {
                expected.update(zeros);
            }
            expected.update(end);
            assertEquals((int) expected.getValue(), Checksum.of(bytes));
        }
    }
}
