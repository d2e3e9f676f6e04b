package org.restorej.redset.internal.offline;

import java.util.Objects;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.redset.ScrFiles;
import org.restorej.redset.SeededRandom;
import org.restorej.redset.cli.RedsetCommand;
import org.restorej.redset.internal.coding.Progress;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FailingFileOperations;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.files.PendingFile;
import org.restorej.redset.internal.format.KvTreeBlock;
import picocli.CommandLine;

class OfflineScrTest {
    private static final int MOST_RANKS = 16;

    @TempDir
    Path temporary;

    private final StringWriter out = new StringWriter();

    private Path directory() {
        return temporary.resolve("scr.dataset.6");
    }

    private int run(Object... arguments) {
        CommandLine commandLine = new CommandLine(new RedsetCommand());
        commandLine.setExecutionExceptionHandler((failure, command, parsed) -> {
            command.getErr().println(failure.getMessage());
            return RedsetCommand.exitCodeOf(failure);
        });
        out.getBuffer().setLength(0);
        return commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(out))
                .execute(Stream.of(arguments).map(Object::toString).toArray(String[]::new));
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

    /** Equal, but for the order of keys in headers, which hashes don't have. */
    private void assertSnapshot(Map<String, byte[]> expected, String when) throws IOException {
        Map<String, byte[]> now = snapshot();
        assertEquals(expected.keySet(), now.keySet(), when);
        for (Map.Entry<String, byte[]> file : expected.entrySet()) {
            byte[] content = Objects.requireNonNull(now.get(file.getKey()));
            if (file.getKey().endsWith(".xor") && !Arrays.equals(file.getValue(), content)) {
                KvTreeBlock before = KvTreeBlock.decode(file.getValue());
                KvTreeBlock after = KvTreeBlock.decode(content);
                assertEquals(before.tree(), after.tree(), when);
                assertArrayEquals(behind(before, file.getValue()), behind(after, content), when);
            } else {
                assertArrayEquals(file.getValue(), content, when + ": " + file.getKey());
            }
        }
    }

    private static byte[] behind(KvTreeBlock header, byte[] content) {
        return Arrays.copyOfRange(content, header.sizeBytes(), content.length);
    }

    private void lose(ScrFiles set, int rank, Path dataDirectory, Path xorDirectory) throws IOException {
        for (String name : set.data(rank).keySet()) {
            Files.delete(dataDirectory.resolve(name));
        }
        Files.delete(xorDirectory.resolve(set.xorName(rank)));
    }

    private void flip(Path file, int at) throws IOException {
        byte[] content = Files.readAllBytes(file);
        content[at] ^= 4;
        Files.write(file, content);
    }

    private void says(String... parts) {
        for (String part : parts) {
            assertTrue(out.toString().contains(part), part + " in: " + out);
        }
    }

    @Test
    void rebuildsTheMemberLostAtEachPlaceOfSetsOfTwoToSixteen() throws IOException {
        SeededRandom random = SeededRandom.forTest("rebuildsTheMemberLostAtEachPlaceOfSetsOfTwoToSixteen");
        for (int ranks = 2; ranks <= MOST_RANKS; ranks++) {
            ScrFiles set = ScrFiles.random(random, ranks, 3000);
            Path directory = temporary.resolve("set" + ranks);
            set.write(directory);
            Map<String, byte[]> whole = snapshot();
            assertEquals(RedsetCommand.LOST, run("info", directory), "half of the job's ranks are in no set");
            says("XOR files of the sets of " + ranks + " ranks only, of " + 2 * ranks);
            for (int lost = 0; lost < ranks; lost++) {
                lose(set, lost, directory, directory);
                assertEquals(RedsetCommand.LOST, run("rebuild", "--partial", directory), out.toString());
                assertSnapshot(whole, "rank " + lost + " of " + ranks);
            }
        }
    }

    /** A set of all ranks of its job. */
    private static ScrFiles wholeJob(int ranks, int bytes) {
        SeededRandom random = SeededRandom.forTest("OfflineScrTest");
        List<Map<String, byte[]>> data = new ArrayList<>();
        int[] worldRanks = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            worldRanks[rank] = rank;
            data.add(new LinkedHashMap<>());
            data.get(rank).put("rank_" + rank + ".ckpt", random.bytes(bytes + rank));
        }
        return new ScrFiles(worldRanks, ranks, data);
    }

    @Test
    void findsAWholeSetWholeAndLeavesItAlone() throws IOException {
        ScrFiles set = wholeJob(4, 5000);
        set.write(directory());
        Map<String, byte[]> before = snapshot();
        for (String command : List.of("info", "verify", "list", "rebuild")) {
            assertEquals(RedsetCommand.WHOLE, run(command, directory()), command + out);
        }
        assertSnapshot(before, "nothing may be written");
        assertEquals(RedsetCommand.WHOLE, run("info", directory()));
        says("set 0 of SCR's data set scr.dataset.6, id 6 in " + directory() + ": XOR, 4 ranks: whole");
        assertEquals(RedsetCommand.WHOLE, run("list", directory()));
        says("redundancy  " + directory().resolve("3_of_4_in_0.xor"), "data        " + directory() + "/rank_2.ckpt");
        assertEquals(RedsetCommand.WHOLE, run("info", "--json", directory()));
        says("\"format\" : \"SCR\"", "\"dataset\" : \"scr.dataset.6, id 6\"", "\"directories\" : [");
        assertEquals(RedsetCommand.WHOLE, run("list", "--json", directory()));
        says("\"kind\" : \"redundancy\"");
    }

    @Test
    void rebuildsEmptyFilesAndMembersWithoutFiles() throws IOException {
        List<Map<String, byte[]>> data = List.of(Map.of("a", new byte[0]), Map.of(), Map.of("c", new byte[0]));
        ScrFiles set = new ScrFiles(new int[]{0, 1, 2}, 3, data);
        set.write(directory());
        Map<String, byte[]> whole = snapshot();
        for (int lost = 0; lost < 3; lost++) {
            lose(set, lost, directory(), directory());
            assertEquals(RedsetCommand.REPAIRABLE, run("rebuild", directory()), out.toString());
            assertSnapshot(whole, "rank " + lost);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void refusesTheLossOfTwoMembers(int distance) throws IOException {
        ScrFiles set = wholeJob(4, 1000);
        set.write(directory());
        lose(set, 0, directory(), directory());
        lose(set, distance, directory(), directory());
        Map<String, byte[]> before = snapshot();
        for (String command : List.of("info", "verify", "rebuild")) {
            assertEquals(RedsetCommand.LOST, run(command, directory()), command);
        }
        assertEquals(RedsetCommand.LOST, run("rebuild", "--partial", directory()));
        assertSnapshot(before, "nothing may be written");
    }

    @Test
    void rebuildsASetThatIsSpreadOverFolders() throws IOException {
        ScrFiles set = wholeJob(4, 1000);
        List<Object> arguments = new ArrayList<>(List.of("rebuild"));
        for (int rank = 0; rank < 4; rank++) {
            Path node = temporary.resolve("node" + rank);
            set.write(rank, node, node);
            arguments.add(node);
        }
        Map<String, byte[]> whole = snapshot();
        for (int lost = 0; lost < 4; lost++) {
            Path node = temporary.resolve("node" + lost);
            lose(set, lost, node, node);
            assertEquals(RedsetCommand.REPAIRABLE, run(arguments.toArray()), out.toString());
            assertSnapshot(whole, "node " + lost);
        }
        assertEquals(RedsetCommand.WHOLE, run(arguments.toArray()));
        assertEquals(RedsetCommand.LOST, run("info", temporary.resolve("node1")), "one folder is not all");
    }

    @Test
    void asksWhereALostMemberGoesWhenItCannotBeTold() throws IOException {
        ScrFiles set = wholeJob(3, 100);
        for (int rank = 1; rank < 3; rank++) {
            Path node = temporary.resolve("node" + rank);
            set.write(rank, node, node);
        }
        Path[] nodes = {temporary.resolve("node1"), temporary.resolve("node2")};
        assertEquals(RedsetCommand.LOST, run("rebuild", nodes[0], nodes[1]));
        says("it can't be told where 1_of_3_in_0.xor and its data files belong", "--lost DIR");
        Path fresh = Files.createDirectory(temporary.resolve("fresh"));
        assertEquals(RedsetCommand.REPAIRABLE, run("rebuild", nodes[0], nodes[1], "--lost", fresh), out.toString());
        assertArrayEquals(set.data(0).get("rank_0.ckpt"), Files.readAllBytes(fresh.resolve("rank_0.ckpt")));
        assertEquals(RedsetCommand.WHOLE, run("verify", nodes[0], fresh, nodes[1]));
        assertEquals(RedsetCommand.USAGE, run("verify", nodes[0], "--lost", temporary.resolve("nowhere")));
    }

    @Test
    void rebuildsAfterAScavengeWithXorFilesInAHiddenDirectory() throws IOException {
        ScrFiles set = wholeJob(4, 1000);
        Path hidden = directory().resolve(".scr");
        for (int rank = 0; rank < 4; rank++) {
            set.write(rank, directory(), hidden);
        }
        Map<String, byte[]> whole = snapshot();
        for (Path given : List.of(directory(), hidden)) {
            lose(set, 2, directory(), hidden);
            assertEquals(RedsetCommand.REPAIRABLE, run("rebuild", given), out.toString());
            assertSnapshot(whole, given.toString());
        }
    }

    @Test
    void findsFilesWhereTheApplicationItselfWouldHavePutThem() throws IOException {
        ScrFiles set = wholeJob(3, 1000);
        Path original = temporary.resolve("simulation123");
        for (int rank = 0; rank < 3; rank++) {
            set.write(rank, original, directory());
        }
        Map<String, byte[]> whole = snapshot();
        lose(set, 1, original, directory());
        assertEquals(RedsetCommand.LOST, run("rebuild", directory()), "recorded places are not to be trusted");
        assertEquals(RedsetCommand.REPAIRABLE, run("rebuild", directory(), "--allow", original, "--map",
                "/p/lscratchb/user1/simulation123=" + original), out.toString());
        assertSnapshot(whole, "with original names");
    }

    @Test
    void rebuildsAMemberWhoseFileIsDamagedAndNamesFileRuleAndValue() throws IOException {
        ScrFiles set = wholeJob(4, 1000);
        set.write(directory());
        Map<String, byte[]> whole = snapshot();
        Path xor = directory().resolve("2_of_4_in_0.xor");
        byte[] sound = Files.readAllBytes(xor);
        Map<String, byte[]> damaged = new LinkedHashMap<>();
        byte[] flipped = sound.clone();
        flipped[40] ^= 1;
        damaged.put(xor + ": CRC-32 must be", flipped);
        damaged.put(xor + ": a block has at least 28 bytes, but only 10 are there", Arrays.copyOf(sound, 10));
        damaged.put(xor + ": block size must be in [28, 100]", Arrays.copyOf(sound, 100));
        damaged.put(xor + " has " + (sound.length - 7) + " bytes instead of " + sound.length,
                Arrays.copyOf(sound, sound.length - 7));
        damaged.put(xor + " has " + (sound.length + 1) + " bytes instead of " + sound.length,
                Arrays.copyOf(sound, sound.length + 1));
        damaged.put(xor + ": magic number must be 951fc3f5: 0", new byte[sound.length]);
        for (Map.Entry<String, byte[]> damage : damaged.entrySet()) {
            Files.write(xor, damage.getValue());
            assertEquals(RedsetCommand.REPAIRABLE, run("info", directory()), out.toString());
            says(damage.getKey());
            assertEquals(RedsetCommand.REPAIRABLE, run("rebuild", directory()), out.toString());
            assertSnapshot(whole, damage.getKey());
        }
        Path data = directory().resolve("rank_1.ckpt");
        Files.write(data, new byte[12]);
        assertEquals(RedsetCommand.REPAIRABLE, run("info", directory()), out.toString());
        says(data + " has 12 bytes instead of 1001");
        assertEquals(RedsetCommand.REPAIRABLE, run("rebuild", directory()), out.toString());
        assertSnapshot(whole, "data of another size");
    }

    private void refuses(ScrFiles set, int rank, Consumer<Map<String, Object>> change, String... said)
            throws IOException {
        Map<String, Object> header = set.header(rank);
        change.accept(header);
        byte[] sound = set.xorFile(rank);
        byte[] packed = ScrFiles.pack(header);
        byte[] file = Arrays.copyOf(packed, packed.length + (int) set.chunkBytes());
        System.arraycopy(sound, sound.length - (int) set.chunkBytes(), file, packed.length, (int) set.chunkBytes());
        Path xor = directory().resolve(set.xorName(rank));
        Files.write(xor, file);
        lose(set, (rank + 2) % set.ranks(), directory(), directory());
        Map<String, byte[]> before = snapshot();
        assertEquals(RedsetCommand.LOST, run("rebuild", directory()), out.toString());
        says(said);
        assertSnapshot(before, "nothing may be written");
        set.write(directory());
    }

    @Test
    void refusesHeadersThatContradictTheirNamesOrTheirNeighbours() throws IOException {
        ScrFiles set = wholeJob(4, 1000);
        set.write(directory());
        String xor = set.xorName(1);
        refuses(set, 1, header -> ScrFiles.put(header, "CHUNK", 400),
                xor + ": CHUNK must be as in 1_of_4_in_0.xor, 335: 400");
        refuses(set, 1, header -> ScrFiles.put(header, "COLOUR", "red"),
                xor + ": all keys but CURRENT and PARTNER must be as in 1_of_4_in_0.xor");
        refuses(set, 1, header -> ScrFiles.put(header, "CHUNK", 3), xor, "CHUNK is too small for the files of rank",
                "3");
        refuses(set, 1, header -> ScrFiles.put(header, "RANKS", 3), xor, "must be a number in [0, 2]: 3");
        refuses(set, 1, header -> ScrFiles.put(inner(header, "CURRENT"), "RANK", 3),
                "header/CURRENT/RANK must be 1, as header/GROUP/RANK says: 3");
        refuses(set, 1, header -> ScrFiles.put(inner(header, "PARTNER"), "FILES", 2),
                "header/PARTNER/FILES must be the number of files, 1: 2");
        refuses(set, 1, header -> ScrFiles.put(inner(header, "GROUP"), "RANKS", 5),
                "header/GROUP must list the 4 ranks");
        refuses(set, 1, header -> header.remove("PARTNER"), "header has no key PARTNER");
        for (String name : List.of("../evil", "/evil", "..")) {
            refuses(set, 1, header -> ScrFiles.put(file(header, "PARTNER"), "FILE", name),
                    "FILE must be a name without a directory: " + name);
        }
        refuses(set, 1, header -> ScrFiles.put(file(header, "PARTNER"), "SIZE", 999),
                "PARTNER of 2_of_4_in_0.xor must be CURRENT of its left neighbour, 1_of_4_in_0.xor");
        refuses(set, 1, header -> ScrFiles.put(file(header, "PARTNER"), "CRC", "12"), "CRC must be a number as 0x");
    }

    @Test
    void refusesAChunkSizeThatDoesNotFollowFromTheSizesOfTheFiles() throws IOException {
        ScrFiles set = wholeJob(3, 100);
        for (int rank = 0; rank < 3; rank++) {
            Map<String, Object> header = set.header(rank);
            ScrFiles.put(header, "CHUNK", 99);
            byte[] packed = ScrFiles.pack(header);
            Files.createDirectories(directory());
            Files.write(directory().resolve(set.xorName(rank)), Arrays.copyOf(packed, packed.length + 99));
        }
        assertEquals(RedsetCommand.LOST, run("info", directory()));
        says("1_of_3_in_0.xor: CHUNK must be 51 for the sizes recorded: 99");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRebuildThatFailsAnywhereLeavesWholeFilesAndCanBeRepeated(boolean crash) throws IOException {
        ScrFiles set = wholeJob(4, 1000);
        set.write(directory());
        Map<String, byte[]> whole = snapshot();
        boolean failed = true;
        int failures = 0;
        for (int failAt = 0; failed; failAt++) {
            set.write(directory());
            lose(set, 2, directory(), directory());
            FailingFileOperations failing = new FailingFileOperations(failAt, crash);
            failed = fails(failing);
            assertEquals(failed, failing.hasFailed());
            failures += failed ? 1 : 0;
            Map<String, byte[]> now = snapshot();
            now.keySet().removeIf(name -> crash && name.endsWith(PendingFile.EXTENSION));
            for (String name : now.keySet()) {
                assertEquals(whole.getOrDefault(name, new byte[0]).length, now.getOrDefault(name, new byte[0]).length,
                        name + ", failure at change " + failAt);
            }
            assertEquals(now.keySet().equals(whole.keySet()) ? RedsetCommand.WHOLE : RedsetCommand.REPAIRABLE,
                    run("rebuild", directory()), "failure at change " + failAt + ": " + out);
            for (Path file : DirectoryEntries.of(directory())) {
                if (file.toString().endsWith(PendingFile.EXTENSION)) {
                    Files.delete(file);
                }
            }
            assertSnapshot(whole, "repeated after failure at change " + failAt);
        }
        assertTrue(failures > 10, "failures " + failures);
    }

    private boolean fails(FileOperations operations) throws IOException {
        ScrScan scan = ScrScan.of(operations, List.of(directory()));
        SetInspection damaged = new ScrInspector(operations, scan.sets().get(0), scan)
                .inspect(List.of(directory()), null, PathPolicy.within(directory()), null, 1);
        try {
            new SetRepair(operations, 1).rebuild(damaged, Progress.NONE);
            return false;
        } catch (IOException expected) {
            assertTrue(String.valueOf(expected.getMessage()).contains("No space left"), expected.toString());
            return true;
        }
    }

    private static Map<String, Object> file(Map<String, Object> header, String member) {
        return inner(inner(inner(header, member), "FILE"), "0");
    }

    private static Map<String, Object> inner(Map<String, Object> hash, String key) {
        return ScrFiles.hashOf(Objects.requireNonNull(hash.get(key)));
    }

    @Test
    void takesFilesOfAnotherDataSetForAnotherSet() throws IOException {
        ScrFiles set = wholeJob(4, 1000);
        set.write(directory());
        ScrFiles other = wholeJob(4, 1000).created("1312850690668537");
        Files.write(directory().resolve(other.xorName(1)), other.xorFile(1));
        Map<String, byte[]> before = snapshot();
        assertEquals(RedsetCommand.LOST, run("rebuild", directory()), out.toString());
        assertEquals(RedsetCommand.FAILED, run("rebuild", "--partial", directory()), out.toString());
        says(directory().resolve(other.xorName(1)) + " is there and sound, but of another set");
        assertSnapshot(before, "a sound file of another data set may not be overwritten");
    }

    @Test
    void overwritesNothingThatMayBeGood() throws IOException {
        ScrFiles set = wholeJob(4, 1000);
        set.write(directory());
        Files.delete(directory().resolve(set.xorName(2)));
        flip(directory().resolve("rank_0.ckpt"), 5);
        Map<String, byte[]> before = snapshot();
        assertEquals(RedsetCommand.FAILED, run("rebuild", directory()), out.toString());
        says("rank_2.ckpt is there with its right size, but differs from what was rebuilt");
        assertSnapshot(before, "rank_2.ckpt is right, and what it was rebuilt from is damaged");
    }

    @Test
    void leavesFilesThatAreRightAsTheyAre() throws IOException {
        ScrFiles set = wholeJob(4, 1000);
        set.write(directory());
        Map<String, byte[]> whole = snapshot();
        Files.delete(directory().resolve(set.xorName(2)));
        Path data = directory().resolve("rank_2.ckpt");
        FileTime time = FileTime.fromMillis(1_000_000_000_000L);
        Files.setLastModifiedTime(data, time);
        assertEquals(RedsetCommand.REPAIRABLE, run("rebuild", directory()), out.toString());
        assertSnapshot(whole, "the XOR file alone was lost");
        assertEquals(time, Files.getLastModifiedTime(data));
    }

    @Test
    void saysThatContentsContradictOneAnotherWithoutGuessing() throws IOException {
        ScrFiles set = wholeJob(4, 1000);
        set.write(directory());
        flip(directory().resolve("rank_0.ckpt"), 5);
        Map<String, byte[]> before = snapshot();
        assertEquals(RedsetCommand.WHOLE, run("info", directory()));
        assertEquals(RedsetCommand.LOST, run("verify", directory()));
        says("redundancy and data disagree, and no CRC tells which is wrong");
        assertEquals(RedsetCommand.LOST, run("rebuild", directory()));
        assertSnapshot(before, "nothing may be written");
    }

    @Test
    void findsAndRebuildsTheFileThatACrcCondemns() throws IOException {
        ScrFiles set = wholeJob(4, 1000).withCrcs();
        set.write(directory());
        Map<String, byte[]> whole = snapshot();
        flip(directory().resolve("rank_3.ckpt"), 5);
        assertEquals(RedsetCommand.REPAIRABLE, run("verify", directory()), out.toString());
        says(directory().resolve("rank_3.ckpt") + " must have the CRC-32 that its header records");
        assertEquals(RedsetCommand.REPAIRABLE, run("rebuild", directory()), out.toString());
        assertSnapshot(whole, "a flipped bit");
        flip(directory().resolve("rank_3.ckpt"), 5);
        flip(directory().resolve("rank_0.ckpt"), 5);
        assertEquals(RedsetCommand.LOST, run("verify", directory()), "two are damaged");
    }

    @Test
    void findsByTheCrcThatWhatWasRebuiltIsWrong() throws IOException {
        ScrFiles set = wholeJob(4, 1000).withCrcs();
        set.write(directory());
        lose(set, 1, directory(), directory());
        Path xor = directory().resolve(set.xorName(2));
        flip(xor, (int) Files.size(xor) - 1);
        Map<String, byte[]> before = snapshot();
        assertEquals(RedsetCommand.FAILED, run("rebuild", directory()), out.toString());
        says("rank 1 was rebuilt with wrong content of its file rank_1.ckpt");
        assertSnapshot(before, "nothing may be written");
    }

    @Test
    void followsNoLinkOutOfTheDirectoriesAllowed() throws IOException {
        ScrFiles set = wholeJob(3, 100);
        set.write(directory());
        lose(set, 1, directory(), directory());
        Path outside = temporary.resolve("outside");
        Files.createSymbolicLink(directory().resolve("rank_1.ckpt"), outside);
        assertEquals(RedsetCommand.LOST, run("rebuild", directory()), out.toString());
        assertTrue(Files.notExists(outside));
    }

    @Test
    void keepsSetsOfBothKindsOfADirectoryApart() throws IOException {
        ScrFiles set = wholeJob(3, 100);
        set.write(directory());
        Files.writeString(directory().resolve("ckpt.0.xor.grp_1_of_1.mem_1_of_2.redset"), "x");
        assertEquals(RedsetCommand.LOST, run("info", directory()));
        says("XOR, 3 ranks: whole", "mem_1_of_2.redset: a block has at least");
    }
}
