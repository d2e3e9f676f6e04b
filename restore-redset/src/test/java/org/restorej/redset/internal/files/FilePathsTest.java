package org.restorej.redset.internal.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.testing.SeededRandom;
import org.restorej.redset.internal.format.FileName;

class FilePathsTest {
    @TempDir
    Path temporary;

    @Test
    void everyNameComesOutAgainByteByByte() {
        SeededRandom random = SeededRandom.forTest("everyNameComesOutAgainByteByByte");
        byte[] frequent = {(byte) 0xC3, (byte) 0xA4, (byte) 0xE2, (byte) 0x82, (byte) 0xAC, (byte) 0xF0, (byte) 0x9F,
                (byte) 0x98, (byte) 0x80, (byte) 0xED, (byte) 0xA0, (byte) 0xFF, 'a'};
        for (int run = 0; run < 20_000; run++) {
            byte[] bytes = new byte[random.nextInt(8)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = random.nextInt(2) == 0
                        ? frequent[random.nextInt(frequent.length)]
                        : (byte) (1 + random.nextInt(255));
            }
            String key = new String(bytes, StandardCharsets.ISO_8859_1);
            assertEquals(key, FileName.encode(FileName.decode(key)), Arrays.toString(bytes));
        }
    }

    @Test
    void aNameInUtf8IsItsText() {
        for (String text : List.of("plain", "dätä", "€/😀", "")) {
            String key = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
            assertEquals(text, FileName.decode(key));
            assertEquals(key, FileName.encode(text));
        }
        assertEquals("a\\xFFb", FileName.shown(FileName.decode("a\u00FFb")));
    }

    @Test
    void reachesFilesWhoseNamesNoLocaleCanSay() throws IOException {
        String name = FileName.decode("d\u00FF\u00C3\u00A4%41 ?#");
        Path path = temporary.resolve(FilePaths.of(name));
        Files.write(path, new byte[]{7});
        Path listed = DirectoryEntries.of(temporary).get(0);
        assertEquals(path, listed);
        assertArrayEquals(new byte[]{7}, Files.readAllBytes(listed));
        assertEquals(name, FilePaths.nameOf(temporary.relativize(listed)));
    }

    @Test
    void keepsNamesAsTheyAre() {
        for (String text : List.of("./ä/../b", "ä", "/ä/b", "a/ä", "../ä", "x", "")) {
            assertEquals(text, FilePaths.nameOf(FilePaths.of(text)), text);
        }
        assertEquals("ä/b", FilePaths.nameOf(FilePaths.of("ä//b/")));
        assertThrows(InvalidPathException.class, () -> FilePaths.of("ä\0"));
    }
}
