package org.restorej.redset.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.FileMetadata.Timestamp;

class PendingFileTest {
    private static final FileOperations FILES = FileOperations.system();

    @TempDir
    Path directory;

    @Test
    void restoresTimesToTheNanosecondAndTheModeWithoutSetIdBits() throws IOException {
        Path file = directory.resolve("file");
        long readOnlySetGroup = 0_102444;
        FileMetadata wanted = new FileMetadata(readOnlySetGroup, 0, 0, new Timestamp(1_599_990_001, 999_999_999),
                new Timestamp(0, 0),
                new Timestamp(4_000_000_000L, 1));
        try (PendingFile pending = PendingFile.create(FILES, file)) {
            pending.finish(3, wanted);
            pending.publish();
        }
        FileMetadata actual = FILES.metadata(file);
        assertEquals(0_100444, actual.mode());
        assertEquals(wanted.accessTime(), actual.accessTime());
        assertEquals(wanted.modificationTime(), actual.modificationTime());
        assertEquals(3, Files.size(file));
    }

    @Test
    void leavesTheOldFileAndNoTraceWhenAnythingFails() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "old");
        int failures = 0;
        for (int failAt = 0;; failAt++) {
            FailingFileOperations failing = new FailingFileOperations(failAt, false);
            try {
                replace(failing, file);
            } catch (IOException expected) {
                assertSays(expected, "No space left");
            }
            if (!failing.hasFailed()) {
                break;
            }
            failures++;
            String content = Files.readString(file);
            assertEquals(true, content.equals("old") || content.equals("new"), content);
            try (Stream<Path> left = Files.list(directory)) {
                assertEquals(1, left.count(), "after failure at change " + failAt);
            }
            Files.writeString(file, "old");
        }
        assertEquals("new", Files.readString(file));
        assertEquals(7, failures, "changes that can fail: directory, create, write, size, force, rename, force");
    }

    private static void replace(FileOperations operations, Path file) throws IOException {
        try (PendingFile pending = PendingFile.create(operations, file)) {
            pending.write(0, "new".getBytes(StandardCharsets.UTF_8));
            pending.finish(3, null);
            pending.publish();
        }
    }

    @Test
    void keepsNamesWithinTheDirectoriesAllowed() throws IOException {
        Path base = Files.createDirectories(directory.resolve("base"));
        Path outside = Files.createDirectories(directory.resolve("outside"));
        Files.createSymbolicLink(base.resolve("link"), outside);
        Files.createSymbolicLink(base.resolve("nowhere"), directory.resolve("absent"));
        PathPolicy policy = PathPolicy.within(base);
        assertEquals(base.resolve("a/b"), policy.resolve("./a/x/../b"));
        assertEquals(base.resolve("a"), policy.resolve(base + "/a"));
        for (String name : List.of("../outside/a", "a/../../outside/a", outside + "/a", "link/a", ".", "a/..", "",
                "nowhere", "nowhere/a", base + "x/a", "a\0b")) {
            assertThrows(IOException.class, () -> policy.resolve(name), name);
        }
        PathPolicy wider = new PathPolicy(base, List.of(outside), false,
                Map.of("/old/", "moved/", "/out", outside + ""));
        assertEquals(outside.resolve("a"), wider.resolve("../outside/a"));
        assertEquals(base.resolve("moved/a"), wider.resolve("/old/a"));
        assertEquals(outside.resolve("a"), wider.resolve("/out/a"));
        assertEquals(outside.resolve("a"), PathPolicy.trusted(Path.of("")).resolve(outside + "/a"));
        assertFalse(Files.exists(base.resolve("moved")));
    }
}
