package org.restorej.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class HugePagesTest {
    private static final Path ENABLED = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
    private static final long BYTES = 64L << 20;

    @Test
    void longMemoryIsOnHugePages() throws IOException {
        assumeTrue(Files.isReadable(ENABLED) && !Files.readString(ENABLED).contains("[never]"),
                "this machine has no transparent huge pages");
        try (Slab slab = Slab.allocate(BYTES)) {
            assertEquals(-1, slab.memory().mismatch(MemorySegment.ofArray(new byte[(int) BYTES])), "all zero");
            slab.memory().fill((byte) 1);
            assertTrue(hugePageBytes(slab.memory()) >= BYTES / 2, "half of it at least: memory may be scattered");
            assertEquals(BYTES, slab.memory().byteSize());
        }
    }

    /** Of the mapping that begins at a segment or before, and goes on beyond its beginning. */
    private static long hugePageBytes(MemorySegment segment) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
        boolean here = false;
        long bytes = 0;
        for (String line : lines) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                String[] ends = line.substring(0, line.indexOf(' ')).split("-", 2);
                here = Long.parseUnsignedLong(ends[0], 16) < segment.address() + segment.byteSize()
                        && Long.parseUnsignedLong(ends[1], 16) > segment.address();
            } else if (here && line.startsWith("AnonHugePages:")) {
                bytes += Long.parseLong(line.replaceAll("\\D", "")) << 10;
            }
        }
        return bytes;
    }
}
