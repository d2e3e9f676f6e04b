package org.restorej.comm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HugePagesTest {
    private static final Path SETTINGS = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
    private static final Path MAPPINGS = Path.of("/proc/self/smaps");

    @ParameterizedTest
    @ValueSource(longs = {1, 4096, (4 << 20) - 1, 4 << 20, (4 << 20) + 1, 35 << 20})
    void memoryIsZeroAndAlignedAndEndsWithItsArena(long bytes) {
        MemorySegment memory;
        try (Arena arena = Arena.ofShared()) {
            memory = Communicator.allocateOnHugePages(arena, bytes);
            assertEquals(bytes, memory.byteSize());
            assertEquals(0, memory.address() % 64);
            assertEquals(-1, memory.mismatch(MemorySegment.ofArray(new byte[(int) bytes])));
            memory.fill((byte) 1);
        }
        assertThrows(IllegalStateException.class, () -> memory.get(ValueLayout.JAVA_BYTE, 0));
    }

    @Test
    void linuxIsAskedForHugePagesAndGetsTheMemoryBack() throws IOException {
        assumeTrue(Files.exists(SETTINGS) && Files.readString(SETTINGS).contains("[madvise]"),
                "a Linux that gives huge pages to who asks");
        long start;
        try (Arena arena = Arena.ofShared()) {
            start = Communicator.allocateOnHugePages(arena, 6 << 20).address();
            assertTrue(flags(start).contains(" hg"), flags(start));
        }
        assertFalse(flags(start).contains(" hg"), flags(start));
    }

    @Test
    void aClosedArenaIsRefused() {
        Arena arena = Arena.ofShared();
        arena.close();
        assertThrows(IllegalStateException.class, () -> Communicator.allocateOnHugePages(arena, 6 << 20));
    }

    @Test
    void moreThanThereIsIsRefused() {
        try (Arena arena = Arena.ofShared()) {
            assertThrows(OutOfMemoryError.class, () -> Communicator.allocateOnHugePages(arena, 1L << 50));
            assertThrows(OutOfMemoryError.class, () -> Communicator.allocateOnHugePages(arena, Long.MAX_VALUE - 100));
        }
    }

    /** What the system knows of the mapping that an address is in. */
    private static String flags(long address) throws IOException {
        boolean inside = false;
        for (String line : Files.readAllLines(MAPPINGS)) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                String[] range = line.substring(0, line.indexOf(' ')).split("-", 2);
                inside = Long.compareUnsigned(Long.parseUnsignedLong(range[0], 16), address) <= 0
                        && Long.compareUnsigned(Long.parseUnsignedLong(range[1], 16), address) > 0;
            } else if (inside && line.startsWith("VmFlags:")) {
                return line;
            }
        }
        return "";
    }
}
