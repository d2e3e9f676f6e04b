package org.restorej.redset.internal.offline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.restorej.redset.internal.coding.VectorSets;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.scr.ScrFileName;

/**
 * Everything below a directory as it was.
 *
 * @param files content of each, by relative name
 */
public record DirectorySnapshot(Path directory, Map<String, byte[]> files) {
    public static DirectorySnapshot of(Path directory) throws IOException {
        return new DirectorySnapshot(directory, VectorSets.snapshot(directory));
    }

    /** Fails unless everything is as it was, to the byte. */
    public void assertUnchanged(String when) throws IOException {
        Map<String, byte[]> now = VectorSets.snapshot(directory);
        assertEquals(files.keySet(), now.keySet(), when);
        files.forEach((name, content) -> assertArrayEquals(content, now.get(name), () -> when + ": " + name));
    }

    /**
     * Fails unless everything is as it was, but for the order of keys in headers of SCR, which its hashes don't have.
     */
    public void assertEquivalent(String when) throws IOException {
        Map<String, byte[]> now = VectorSets.snapshot(directory);
        assertEquals(files.keySet(), now.keySet(), when);
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            byte[] content = Objects.requireNonNull(now.get(file.getKey()));
            if (isXorFile(file.getKey()) && !Arrays.equals(file.getValue(), content)) {
                KvTreeBlock before = KvTreeBlock.decode(file.getValue());
                KvTreeBlock after = KvTreeBlock.decode(content);
                assertEquals(before.tree(), after.tree(), when);
                assertArrayEquals(behind(before, file.getValue()), behind(after, content), when);
            } else {
                assertArrayEquals(file.getValue(), content, () -> when + ": " + file.getKey());
            }
        }
    }

    private static boolean isXorFile(String name) {
        return ScrFileName.parse(String.valueOf(Path.of(name).getFileName())).isPresent();
    }

    private static byte[] behind(KvTreeBlock header, byte[] content) {
        return Arrays.copyOfRange(content, header.sizeBytes(), content.length);
    }
}
