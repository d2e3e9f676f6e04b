package org.restorej.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MappedMemoryTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 4096, (256 << 10) - 1, 256 << 10, (256 << 10) + 1, 35 << 20})
    void memoryIsZeroAndAlignedAndEndsWithItsArena(long bytes) {
        MemorySegment memory;
        try (Arena arena = Arena.ofShared()) {
            memory = MappedMemory.allocate(arena, bytes);
            assertEquals(bytes, memory.byteSize());
            assertEquals(0, memory.address() % 64);
            assertEquals(-1, memory.mismatch(MemorySegment.ofArray(new byte[(int) bytes])));
            memory.fill((byte) 1);
        }
        assertThrows(IllegalStateException.class, () -> memory.get(ValueLayout.JAVA_BYTE, 0));
    }

    @Test
    void aClosedArenaIsRefused() {
        Arena arena = Arena.ofShared();
        arena.close();
        assertThrows(IllegalStateException.class, () -> MappedMemory.allocate(arena, 6 << 20));
    }

    @Test
    void moreThanThereIsIsRefused() {
        try (Arena arena = Arena.ofShared()) {
            assertThrows(OutOfMemoryError.class, () -> MappedMemory.allocate(arena, 1L << 50));
            assertThrows(OutOfMemoryError.class, () -> MappedMemory.allocate(arena, Long.MAX_VALUE - 100));
        }
    }
}
