package org.restorej.cli.redset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.redset.ScrFiles.inner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.cli.RestoreCommand;
import org.restorej.redset.FileDamage;
import org.restorej.redset.ProgramRun;
import org.restorej.redset.ScrFiles;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.files.UnreadableFileOperations;
import org.restorej.redset.internal.offline.DirectorySnapshot;
import org.restorej.redset.internal.offline.LostMemberPlaces;
import org.restorej.redset.internal.offline.OfflineRedset;
import org.restorej.redset.internal.offline.SetInspection;
import org.restorej.redset.internal.scr.ScrSets;

/** No file of SCR that may be good is replaced, however directories are given. */
class ScrOverwriteTest {
    /** {@code st_mode} of a regular file that its owner may read and write. */
    private static final int REGULAR_FILE_600 = 0x8180;

    @TempDir
    Path temporary;

    private void refusesAndWritesNothing(String reason, Object... directories) throws IOException {
        for (String option : List.of("--no-progress", "--partial")) {
            RedsetRun.assertWritesNothing(temporary, RedsetCommand.LOST, rebuild(option, directories))
                    .assertSays(reason);
        }
    }

    private static Object[] rebuild(String option, Object... directories) {
        return Stream.concat(Stream.of("rebuild", option), Stream.of(directories)).toArray();
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
            set.writeXor(rank, header, temporary);
        }
        refusesAndWritesNothing("must have different names: rank 1 has one twice", temporary);
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
        DirectorySnapshot whole = DirectorySnapshot.of(temporary);
        Files.write(temporary.resolve("node1/state"), new byte[7]);
        RedsetRun.of(rebuild("--no-progress", nodes)).assertExit(RedsetCommand.REPAIRABLE);
        whole.assertUnchanged("a truncated file");
    }

    @Test
    void rebuildsNothingWhereAMemberIsThereTwice() throws IOException {
        ScrFiles set = four();
        Object[] nodes = nodes(set);
        Path copy = temporary.resolve("copy");
        set.write(1, copy, copy);
        Files.delete(temporary.resolve("node2/c"));
        Object[] directories = Stream.concat(Stream.of(copy), Arrays.stream(nodes)).toArray();
        refusesAndWritesNothing("this member of its set is also in", directories);
    }

    @Test
    void looksAtNoSetWhoseFileCannotBeReadAtTheMoment() throws IOException {
        ScrFiles set = four();
        set.write(temporary);
        UnreadableFileOperations failing = new UnreadableFileOperations(path -> path.endsWith(set.xorName(1)));
        OfflineRedset redset = new OfflineRedset(failing, LostMemberPlaces.in(temporary),
                new ScrSets(),
                PathPolicy.within(temporary));
        SetInspection found = redset.inspect().sets().getFirst();
        assertEquals(SetInspection.State.UNREACHABLE, found.state());
        assertTrue(found.damages().toString().matches(".*" + set.xorName(1) + ": .*it may be intact: move it away.*"),
                found.damages()::toString);
        assertTrue(failing.hits() > 0);
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
            set.writeXor(rank, header, temporary);
        }
        Files.delete(temporary.resolve("b"));
        RedsetRun.of("rebuild", temporary).assertExit(RedsetCommand.REPAIRABLE);
        BasicFileAttributes times = Files.readAttributes(temporary.resolve("b"), BasicFileAttributes.class);
        assertEquals("2001-09-09T01:46:40.000000005Z", times.lastAccessTime().toString());
        assertEquals("2004-11-09T11:33:20.000000006Z", times.lastModifiedTime().toString());
    }

    @Test
    void rebuildsInADirectoryWithPointsInItsName() throws IOException {
        ScrFiles set = four();
        set.write(temporary);
        Path below = Files.createDirectory(temporary.resolve("below"));
        DirectorySnapshot whole = DirectorySnapshot.of(temporary);
        for (Path directory : List.of(below.resolve(".."), temporary.resolve("."), relative(temporary))) {
            FileDamage.flip(temporary.resolve(set.xorName(1)), 40);
            RedsetRun.of("rebuild", directory).assertExit(RedsetCommand.REPAIRABLE);
            whole.assertUnchanged(directory.toString());
        }
    }

    private static Path relative(Path path) {
        return Path.of("").toAbsolutePath().relativize(path);
    }

    @Test
    void worksInTheCurrentDirectoryWhenItIsHidden() throws IOException, InterruptedException {
        Path hidden = temporary.resolve(".scr");
        four().write(temporary, hidden);
        ProgramRun.inOwnJvm(RestoreCommand.class, process -> process.directory(hidden.toFile()), "redset", "verify",
                ".").assertExit(RedsetCommand.WHOLE);
    }

    @Test
    void rebuildsToAHiddenDirectoryAndAboveIt() throws IOException {
        ScrFiles set = four();
        Path from = temporary.resolve("from");
        for (int rank = 0; rank < 3; rank++) {
            set.write(rank, from, from.resolve(".scr"));
        }
        Path lost = Files.createDirectories(temporary.resolve("to/.scr"));
        RedsetRun.of("rebuild", from, "--lost", lost).assertExit(RedsetCommand.REPAIRABLE);
        assertArrayEquals(set.data(3).get("d"), Files.readAllBytes(temporary.resolve("to/d")));
        assertArrayEquals(set.xorFile(3), Files.readAllBytes(lost.resolve(set.xorName(3))));
    }
}
