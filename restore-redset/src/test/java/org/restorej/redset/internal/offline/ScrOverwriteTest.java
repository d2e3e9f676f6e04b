package org.restorej.redset.internal.offline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.redset.ScrFiles;
import org.restorej.redset.cli.RedsetCommand;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.files.UnreadableFileOperations;
import picocli.CommandLine;

/** No file of SCR that may be good is replaced, however directories are given. */
class ScrOverwriteTest {
    private static final int MOST_SECONDS = 120;
    /** {@code st_mode} of a regular file that its owner may read and write. */
    private static final int REGULAR_FILE_600 = 0x8180;

    @TempDir
    Path temporary;

    private final StringWriter out = new StringWriter();

    /** Runs a command in a process of its own, in a directory of the caller's choice. */
    static final class Main {
        private Main() {}

        public static void main(String[] arguments) {
            System.exit(new CommandLine(new RedsetCommand()).execute(arguments));
        }
    }

    private int run(Object... arguments) {
        out.getBuffer().setLength(0);
        return new CommandLine(new RedsetCommand()).setOut(new PrintWriter(out)).setErr(new PrintWriter(out))
                .execute(Stream.of(arguments).map(Object::toString).toArray(String[]::new));
    }

    private void says(String part) {
        assertTrue(out.toString().contains(part), part + " in: " + out);
    }

    private Map<String, byte[]> snapshot() throws IOException {
        Map<String, byte[]> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(temporary)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                contents.put(temporary.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return contents;
    }

    private void assertSnapshot(Map<String, byte[]> expected, String when) throws IOException {
        Map<String, byte[]> now = snapshot();
        assertEquals(expected.keySet(), now.keySet(), when);
        expected.forEach((name, content) -> assertArrayEquals(content, now.get(name), when + ": " + name));
    }

    private void refusesAndWritesNothing(String reason, Object... directories) throws IOException {
        Map<String, byte[]> before = snapshot();
        for (String option : List.of("--no-progress", "--partial")) {
            Object[] arguments = Stream.concat(Stream.of("rebuild", option), Arrays.stream(directories)).toArray();
            assertEquals(RedsetCommand.LOST, run(arguments), out.toString());
            says(reason);
            assertSnapshot(before, option);
        }
    }

    /** A set of all ranks of its job, with a file each, which are of different sizes. */
    private static ScrFiles set(String... names) {
        return set(IntStream.range(0, names.length).toArray(), names.length, names);
    }

    private static ScrFiles set(int[] worldRanks, int jobRanks, String... names) {
        return new ScrFiles(worldRanks, jobRanks, IntStream.range(0, names.length)
                .mapToObj(rank -> Map.of(names[rank], content(100 + 10 * worldRanks[rank]))).toList()).sorted();
    }

    private static byte[] content(int bytes) {
        byte[] content = new byte[bytes];
        Arrays.fill(content, (byte) bytes);
        return content;
    }

    private static ScrFiles four() {
        return set("a", "b", "c", "d");
    }

    private static void flip(Path file, int at) throws IOException {
        byte[] content = Files.readAllBytes(file);
        content[at] ^= 4;
        Files.write(file, content);
    }

    @Test
    void doesNotReplaceTheDataFileOfAnotherMemberOfTheSameName() throws IOException {
        set("state", "state").write(temporary);
        refusesAndWritesNothing("belongs to two members of the set", temporary);
    }

    @Test
    void doesNotReplaceAnXorFileByADataFileOfItsName() throws IOException {
        set("2_of_3_in_0.xor", "b", "c").write(temporary);
        refusesAndWritesNothing("data files must not be called as redundancy files are", temporary);
    }

    @Test
    void doesNotReplaceFilesOfRedset() throws IOException {
        set("c.0.redset", "b", "c").write(temporary);
        Files.write(temporary.resolve("c.0.redset"), new byte[7]);
        refusesAndWritesNothing("data files must not be called as redundancy files are", temporary);
    }

    @Test
    void doesNotRebuildTwoFilesToOne() throws IOException {
        Map<String, byte[]> twice = new LinkedHashMap<>();
        twice.put("one", content(10));
        twice.put("two", content(20));
        ScrFiles set = new ScrFiles(new int[]{0, 1, 2}, 3,
                List.of(Map.of("a", content(30)), twice, Map.of("c", content(30))));
        set.write(temporary);
        for (int rank = 1; rank < 3; rank++) {
            Map<String, Object> header = set.header(rank);
            Map<String, Object> member = inner(inner(header, rank == 1 ? "CURRENT" : "PARTNER"), "FILE");
            ScrFiles.put(inner(member, "1"), "FILE", "one");
            writeXor(set, rank, header);
        }
        refusesAndWritesNothing("must have different names: rank 1 has one twice", temporary);
    }

    private static Map<String, Object> inner(Map<String, Object> hash, String key) {
        return ScrFiles.hashOf(Objects.requireNonNull(hash.get(key)));
    }

    @Test
    void doesNotReplaceTheDataFileOfAnotherSetOfTheSameName() throws IOException {
        set(new int[]{0, 2}, 4, "state", "c").write(temporary);
        set(new int[]{1, 3}, 4, "state", "d").write(temporary);
        refusesAndWritesNothing("belongs to another set, too", temporary);
    }

    @Test
    void doesNotReplaceThroughALinkToADirectory() throws IOException {
        ScrFiles set = set("state", "state");
        set.write(0, temporary.resolve("node"), temporary.resolve("node"));
        Files.createDirectories(temporary.resolve("other/.scr"));
        Files.createSymbolicLink(temporary.resolve("other/.scr/state"), temporary.resolve("node/state"));
        Files.write(temporary.resolve("other/.scr").resolve(set.xorName(1)), set.xorFile(1));
        Files.write(temporary.resolve("node/state"), content(110));
        refusesAndWritesNothing("belongs to two members of the set", temporary.resolve("node"),
                temporary.resolve("other/.scr"));
    }

    private Object[] nodes(ScrFiles set) throws IOException {
        Object[] nodes = new Object[set.ranks()];
        for (int rank = 0; rank < set.ranks(); rank++) {
            nodes[rank] = temporary.resolve("node" + rank);
            set.write(rank, temporary.resolve("node" + rank), temporary.resolve("node" + rank));
        }
        return nodes;
    }

    @Test
    void rebuildsFilesOfTheSameNameInDifferentDirectories() throws IOException {
        Object[] nodes = nodes(set("state", "state", "state"));
        Map<String, byte[]> whole = snapshot();
        Files.write(temporary.resolve("node1/state"), new byte[7]);
        assertEquals(RedsetCommand.REPAIRABLE, run(Stream.concat(Stream.of("rebuild"), Arrays.stream(nodes))
                .toArray()), out.toString());
        assertSnapshot(whole, "a truncated file");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rebuildsFromNoCopyThatDiffersFromAnother(boolean differs) throws IOException {
        ScrFiles set = four();
        Object[] nodes = nodes(set);
        Map<String, byte[]> whole = snapshot();
        Path copy = temporary.resolve("copy");
        set.write(1, copy, copy);
        Path xor = copy.resolve(set.xorName(1));
        if (differs) {
            flip(xor, (int) Files.size(xor) - 1);
        }
        Files.delete(temporary.resolve("node2/c"));
        Object[] directories = Stream.concat(Stream.of(copy), Arrays.stream(nodes)).toArray();
        if (differs) {
            refusesAndWritesNothing("this member of its set is also in", directories);
        } else {
            assertEquals(RedsetCommand.REPAIRABLE,
                    run(Stream.concat(Stream.of("rebuild"), Arrays.stream(directories)).toArray()), out.toString());
            says("is the same as " + xor + " and left alone");
            assertArrayEquals(whole.get("node2/c"), Files.readAllBytes(temporary.resolve("node2/c")));
        }
    }

    @Test
    void callsASetLostWhoseFileCannotBeReadAtTheMoment() throws IOException {
        ScrFiles set = four();
        set.write(temporary);
        UnreadableFileOperations failing = new UnreadableFileOperations(path -> path.endsWith(set.xorName(1)));
        ScrScan scan = ScrScan.of(failing, List.of(temporary));
        SetInspection inspection = new ScrInspector(failing, scan.sets().get(0), scan)
                .inspect(List.of(temporary), null, PathPolicy.within(temporary), null, 1);
        assertTrue(failing.hits() > 0);
        assertEquals(SetInspection.State.LOST, inspection.state());
        assertTrue(inspection.damages().toString().contains("can't be read at the moment, and may be good"),
                inspection.toString());
        assertEquals(1, scan.unknown().size());
    }

    @Test
    void setsTheRecordedTimesAfterTheCrcWasCompared() throws IOException {
        ScrFiles set = four().withCrcs();
        set.write(temporary);
        for (int rank = 1; rank < 3; rank++) {
            Map<String, Object> header = set.header(rank);
            Map<String, Object> file = inner(inner(inner(header, rank == 1 ? "CURRENT" : "PARTNER"), "FILE"), "0");
            Map<String, Integer> metadata = Map.of("MODE", REGULAR_FILE_600, "ATIME_SECS", 1_000_000_000, "MTIME_SECS",
                    1_100_000_000, "CTIME_SECS", 1_100_000_000, "ATIME_NSECS", 5, "MTIME_NSECS", 6, "CTIME_NSECS", 7);
            metadata.forEach((key, value) -> ScrFiles.put(file, key, value));
            ScrFiles.put(file, "UID", Files.getAttribute(temporary, "unix:uid"));
            ScrFiles.put(file, "GID", Files.getAttribute(temporary, "unix:gid"));
            writeXor(set, rank, header);
        }
        Files.delete(temporary.resolve("b"));
        assertEquals(RedsetCommand.REPAIRABLE, run("rebuild", temporary), out.toString());
        BasicFileAttributes times = Files.readAttributes(temporary.resolve("b"), BasicFileAttributes.class);
        assertEquals("2001-09-09T01:46:40.000000005Z", times.lastAccessTime().toString());
        assertEquals("2004-11-09T11:33:20.000000006Z", times.lastModifiedTime().toString());
    }

    private void writeXor(ScrFiles set, int rank, Map<String, Object> header) throws IOException {
        byte[] packed = ScrFiles.pack(header);
        byte[] file = Arrays.copyOf(packed, packed.length + (int) set.chunkBytes());
        byte[] sound = set.xorFile(rank);
        System.arraycopy(sound, sound.length - (int) set.chunkBytes(), file, packed.length, (int) set.chunkBytes());
        Files.write(temporary.resolve(set.xorName(rank)), file);
    }

    @Test
    void rebuildsInADirectoryWithPointsInItsName() throws IOException {
        ScrFiles set = four();
        set.write(temporary);
        Path below = Files.createDirectory(temporary.resolve("below"));
        Map<String, byte[]> whole = snapshot();
        for (Path directory : List.of(below.resolve(".."), temporary.resolve("."), relative(temporary))) {
            flip(temporary.resolve(set.xorName(1)), 40);
            assertEquals(RedsetCommand.REPAIRABLE, run("rebuild", directory), out.toString());
            assertSnapshot(whole, directory.toString());
        }
    }

    private static Path relative(Path path) {
        return Path.of("").toAbsolutePath().relativize(path);
    }

    @Test
    void worksInTheCurrentDirectoryWhenItIsHidden() throws IOException, InterruptedException {
        Path hidden = temporary.resolve(".scr");
        for (int rank = 0; rank < 4; rank++) {
            four().write(rank, temporary, hidden);
        }
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                Main.class.getName(), "verify", "--threads", "1", ".").directory(hidden.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        boolean ended = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        assertTrue(ended);
        assertEquals(RedsetCommand.WHOLE, process.exitValue());
    }

    @Test
    void rebuildsToAHiddenDirectoryAndAboveIt() throws IOException {
        ScrFiles set = four();
        Path from = temporary.resolve("from");
        for (int rank = 0; rank < 3; rank++) {
            set.write(rank, from, from.resolve(".scr"));
        }
        Path lost = Files.createDirectories(temporary.resolve("to/.scr"));
        assertEquals(RedsetCommand.REPAIRABLE, run("rebuild", from, "--lost", lost), out.toString());
        assertArrayEquals(set.data(3).get("d"), Files.readAllBytes(temporary.resolve("to/d")));
        assertArrayEquals(set.xorFile(3), Files.readAllBytes(lost.resolve(set.xorName(3))));
    }
}
