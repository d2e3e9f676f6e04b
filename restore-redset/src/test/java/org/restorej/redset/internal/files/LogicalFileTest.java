package org.restorej.redset.internal.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.testing.SeededRandom;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.FileRecord;
import org.restorej.redset.internal.format.Timestamp;

class LogicalFileTest {
    private static final FileOperations FILES = FileOperations.system();
    private static final FileMetadata PRIVATE = new FileMetadata(0_100600, 0, 0, new Timestamp(1_599_990_001, 100),
            new Timestamp(0, 0), new Timestamp(1_600_000_000, 123_456_789));

    @TempDir
    Path directory;

    @Test
    void readsAndWritesFilesOfAnySizesAsOneInPiecesOfAnySize() throws IOException {
        SeededRandom random = SeededRandom.forTest("readsAndWritesFilesOfAnySizesAsOneInPiecesOfAnySize");
        for (int run = 0; run < 150; run++) {
            int count = random.nextInt(6);
            List<byte[]> contents = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                contents.add(random.bytes(random.nextInt(3) == 0 ? 0 : random.nextInt(40)));
            }
            int pieceBytes = 1 + random.nextInt(30);
            List<Path> paths = writeInPieces(run, contents, pieceBytes, random);
            for (int i = 0; i < count; i++) {
                assertArrayEquals(contents.get(i), Files.readAllBytes(paths.get(i)));
            }
            readInPieces(paths, contents, 1 + random.nextInt(30), random);
        }
    }

    private List<Path> writeInPieces(int run, List<byte[]> contents, int pieceBytes, SeededRandom random)
            throws IOException {
        byte[] whole = join(contents);
        List<Path> paths = new ArrayList<>();
        try (FileTransaction transaction = new FileTransaction(FILES)) {
            List<PendingFile> files = new ArrayList<>();
            List<FileRecord> records = new ArrayList<>();
            for (int i = 0; i < contents.size(); i++) {
                paths.add(directory.resolve("new/" + run + "/" + i));
                files.add(transaction.create(paths.get(i)));
                records.add(new FileRecord("" + i, contents.get(i).length, PRIVATE));
            }
            LogicalFileWriter writer = new LogicalFileWriter(files, records);
            List<Integer> starts = new ArrayList<>();
            for (int start = 0; start < whole.length + 50; start += pieceBytes) {
                starts.add(start);
            }
            Collections.shuffle(starts, random);
            for (int start : starts) {
                byte[] piece = Arrays.copyOfRange(Arrays.copyOf(whole, whole.length + 100), start, start + pieceBytes);
                writer.write(start, MemorySegment.ofArray(piece));
            }
            writer.finish();
            transaction.publish();
        }
        return paths;
    }

    private static void readInPieces(List<Path> paths, List<byte[]> contents, int pieceBytes, SeededRandom random)
            throws IOException {
        byte[] whole = join(contents);
        long[] sizes = contents.stream().mapToLong(content -> content.length).toArray();
        try (LogicalFileReader reader = new LogicalFileReader(FILES, paths, sizes); Arena arena = Arena.ofConfined()) {
            MemorySegment piece = arena.allocate(pieceBytes);
            byte[] padded = Arrays.copyOf(whole, whole.length + 2 * pieceBytes);
            List<Integer> starts = new ArrayList<>();
            for (int start = 0; start < whole.length + pieceBytes; start += pieceBytes) {
                starts.add(start);
            }
            Collections.shuffle(starts, random);
            for (int start : starts) {
                reader.read(start, piece.fill((byte) 7));
                assertArrayEquals(Arrays.copyOfRange(padded, start, start + pieceBytes),
                        piece.toArray(ValueLayout.JAVA_BYTE));
            }
            for (int i = 0; i < contents.size(); i++) {
                CRC32C crc = new CRC32C();
                crc.update(contents.get(i));
                assertEquals(OptionalInt.of((int) crc.getValue()), reader.checksum(i));
            }
        }
    }

    private static byte[] join(List<byte[]> contents) {
        byte[] whole = new byte[contents.stream().mapToInt(content -> content.length).sum()];
        int at = 0;
        for (byte[] content : contents) {
            System.arraycopy(content, 0, whole, at, content.length);
            at += content.length;
        }
        return whole;
    }

    @Test
    void saysSoWhenAFileHasBecomeShorter() throws IOException {
        Path file = Files.write(directory.resolve("short"), new byte[10]);
        try (LogicalFileReader reader = new LogicalFileReader(FILES, List.of(file), new long[]{11})) {
            assertSays(assertThrows(IOException.class, () -> reader.read(0, MemorySegment.ofArray(new byte[20]))),
                    "short",
                    "11 bytes", "after 10");
        }
    }

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
