package org.restorej.redset.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UniqueIdsTest {
    private static final int DRAWS = 1000;

    @Test
    void drawsAreDifferent() {
        Set<UUID> drawn = new HashSet<>();
        for (int draw = 0; draw < DRAWS; draw++) {
            drawn.add(UniqueIds.draw());
        }
        assertEquals(DRAWS, drawn.size());
    }

    @Test
    void takesTheBytesOfTheDevice(@TempDir Path folder) throws IOException {
        Path device = Files.write(folder.resolve("device"),
                new byte[]{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
        assertEquals(new UUID(0x0102030405060708L, 0x090a0b0c0d0e0f10L), UniqueIds.draw(device));
    }

    @Test
    void drawsWithoutTheDeviceToo(@TempDir Path folder) throws IOException {
        Path missing = folder.resolve("missing");
        assertNotEquals(UniqueIds.draw(missing), UniqueIds.draw(missing));
        Path tooShort = Files.write(folder.resolve("short"), new byte[15]);
        assertNotEquals(UniqueIds.draw(tooShort), UniqueIds.draw(tooShort));
    }
}
