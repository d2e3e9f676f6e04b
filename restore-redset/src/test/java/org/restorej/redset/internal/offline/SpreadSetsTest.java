package org.restorej.redset.internal.offline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.redset.ProgramRun;
import org.restorej.redset.Vectors;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.LockFile;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.Descriptor;

/** Sets of redset whose members' redundancy lies in the directories of several nodes, as nodes have disks of their own. */
class SpreadSetsTest {
    private static final int RANKS = 4;

    @TempDir
    private Path temporary = Path.of("");

    /**
     * A job on four nodes: what protects rank {@code r} is in {@code node<r>}.
     *
     * @param base where data files are
     * @param data of each rank
     */
    private record Job(Path base, List<List<Path>> data) {
        static Job of(Path base, String vector) throws IOException {
            Vectors.named(vector).copyTo(base);
            List<List<Path>> data = new ArrayList<>();
            SetInspection set = OneDirectory.redset(base.resolve("enc"), PathPolicy.within(base)).inspect().sets()
                    .getFirst();
            for (int rank = 0; rank < RANKS; rank++) {
                MemberLocation location = set.locations().get(rank);
                Path node = Files.createDirectory(base.resolve("node" + rank));
                for (Path file : List.of(location.redundancy(), location.descriptor())) {
                    Files.move(file, node.resolve(file.getFileName()));
                }
                data.add(location.files());
            }
            return new Job(base, data);
        }

        Path node(int rank) {
            return base.resolve("node" + rank);
        }

        Path redundancy(int rank) throws IOException {
            try (Stream<Path> files = Files.list(node(rank))) {
                return files.filter(file -> file.toString().matches(".*mem_.*\\.redset")).findFirst().orElseThrow();
            }
        }

        void lose(int rank) throws IOException {
            for (Path file : data.get(rank)) {
                Files.deleteIfExists(file);
            }
            try (Stream<Path> files = Files.list(node(rank))) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
        }

        Map<String, byte[]> content() throws IOException {
            Map<String, byte[]> content = new TreeMap<>();
            try (Stream<Path> files = Files.walk(base)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    content.put(base.relativize(file).toString(), Files.readAllBytes(file));
                }
            }
            return content;
        }

        ProgramRun run(String command, Object... more) {
            return ProgramRun.redset(Stream.of(Stream.of(command, "--base", base),
                    Stream.of(more), Stream.of(0, 1, 2, 3).map(this::node)).flatMap(each -> each).toArray());
        }

        void requireContent(Map<String, byte[]> expected, boolean withChecksums) throws IOException {
            Map<String, byte[]> now = content();
            now.keySet().removeIf(name -> !withChecksums && name.endsWith(".checksums"));
            assertEquals(expected.keySet(), now.keySet());
            expected.forEach((name, bytes) -> assertArrayEquals(bytes, now.get(name), name));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"xor_p4", "rs_p4_k1", "rs_p4_k2", "partner_p4_r2"})
    void aLostNodeIsRebuiltToTheDirectoryWithoutAMember(String vector) throws IOException {
        Job job = Job.of(temporary, vector);
        Map<String, byte[]> whole = job.content();
        job.run("list").assertExit(0);
        job.run("verify").assertExit(0).assertSays("node0", "node3");
        for (int lost = 0; lost < RANKS; lost++) {
            job.lose(lost);
            job.run("list").assertExit(1).assertSays("(missing)");
            job.run("rebuild").assertExit(1).assertSays("rebuilt: set 1 of ");
            job.requireContent(whole, false);
            job.run("verify").assertExit(0);
        }
    }

    @Test
    void moreLostNodesThanTheSchemeSurvivesAreCounted() throws IOException {
        Job job = Job.of(temporary, "xor_p4");
        job.lose(1);
        job.lose(3);
        job.run("rebuild").assertExit(3)
                .assertSays("2 of 4 members are missing, {1, 3} in the set, and XOR can't rebuild");
        job.lose(2);
        job.run("rebuild").assertExit(3).assertSays("3 of 4 members are missing", "only members [0] of the set",
                "give the directories of the others");
    }

    @Test
    void whereSeveralNodesAreLostSomebodySaysWhichIsWhose() throws IOException {
        Job job = Job.of(temporary, "rs_p4_k2");
        Map<String, byte[]> whole = job.content();
        job.lose(1);
        job.lose(2);
        job.run("rebuild").assertExit(2).assertSays("where the files of rank 1 go isn't known",
                "--lost 1=DIR");
        job.run("rebuild", "--lost", "1=" + job.node(1), "--lost", "2=" + job.node(2)).assertExit(1);
        job.requireContent(whole, false);
    }

    @Test
    void lostFilesNeverReplaceThoseOfAnotherCheckpoint() throws IOException {
        Job job = Job.of(temporary.resolve("a"), "xor_p4");
        Job other = Job.of(temporary.resolve("b"), "xor_p4_empty");
        job.lose(1);
        Map<String, byte[]> before = other.content();
        job.run("rebuild", "--lost", other.node(1), "--allow", other.base()).assertExit(3)
                .assertSays("--lost must not name a directory with files of the set from another time");
        other.requireContent(before, true);
        Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
        try (LockFile lock = new LockFile(elsewhere.resolve("ckpt.1.restorej-lock"))) {
            lock.take();
            job.run("rebuild", "--lost", elsewhere).assertExit(4).assertSays(elsewhere + " is in use");
        }
        job.run("rebuild", "--lost", elsewhere).assertExit(1);
        assertTrue(Files.exists(elsewhere.resolve("ckpt.1.redset")));
    }

    @Test
    void whatIsLeftOfALostMemberSaysWhereItBelongs() throws IOException {
        Job job = Job.of(temporary, "rs_p4_k2");
        Map<String, byte[]> whole = job.content();
        for (int rank : List.of(1, 2)) {
            try (Stream<Path> files = Files.list(job.node(rank))) {
                for (Path file : files.filter(name -> name.toString().contains(".grp_")).toList()) {
                    Files.write(file, new byte[10]);
                }
            }
        }
        job.run("rebuild").assertExit(1).assertSays("rebuilt: set 1 of ");
        job.requireContent(whole, false);
    }

    @Test
    void checkpointsOfOtherTimesAreNoPartOfTheSet() throws IOException {
        Job job = Job.of(temporary.resolve("a"), "xor_p4");
        Job other = Job.of(temporary.resolve("b"), "xor_p4_empty");
        Map<String, byte[]> whole = job.content();
        Map<String, byte[]> wholeOther = other.content();
        job.lose(2);
        // The data of the other one is not where its names lead.
        List<Object> command = new ArrayList<>(List.of("rebuild", "--partial", "--base", job.base()));
        for (int rank = 0; rank < RANKS; rank++) {
            command.add(job.node(rank));
            command.add(other.node(rank));
        }
        ProgramRun.redset(command.toArray()).assertSays("set 1 of 1 of " + job.node(0) + "/ckpt.*, " + job.node(1)
                + "/ckpt.*, " + job.node(3) + "/ckpt.*: XOR", "rebuilt: set 1 of " + job.node(0) + "/ckpt.*");
        job.requireContent(whole, false);
        other.requireContent(wholeOther, false);
    }

    @Test
    void whatIsLeftOfALostMemberBesideNothingElseIsNoSetOfItsOwn() throws IOException {
        Job job = Job.of(temporary, "xor_p4");
        Map<String, byte[]> whole = job.content();
        Files.delete(job.redundancy(1));
        job.run("list").assertExit(1);
        job.run("rebuild").assertExit(1).assertSays("rebuilt: set 1 of ");
        job.requireContent(whole, false);
        ProgramRun.redset("list", "--base", job.base(), job.node(0), job.node(2)).assertExit(3);
        Files.delete(job.redundancy(1));
        ProgramRun.redset("list", "--base", job.base(), job.node(1)).assertExit(3)
                .assertSays("describes rank 1 of 4", "none of its redundancy files is there");
    }

    @Test
    void aDirectoryWithTheRanksDescriptorOfAnotherEncodingIsNotTaken() throws IOException {
        Job job = Job.of(temporary.resolve("a"), "xor_p4");
        Job other = Job.of(temporary.resolve("b"), "partner_p4_r2");
        job.lose(1);
        Files.copy(other.node(1).resolve("ckpt.1.redset"), job.node(1).resolve("ckpt.1.redset"));
        Map<String, byte[]> before = job.content();
        job.run("rebuild").assertExit(3).assertSays("where the files of rank 1 go isn't known");
        job.requireContent(before, true);
    }

    @Test
    void copiesGivenTogetherAreNotJoined() throws IOException {
        Job job = Job.of(temporary, "xor_p4");
        List<Object> command = new ArrayList<>(List.of("rebuild", "--base", temporary));
        for (int rank = 0; rank < RANKS; rank++) {
            Path copy = Files.createDirectory(temporary.resolve("copy" + rank));
            try (Stream<Path> files = Files.list(job.node(rank))) {
                for (Path file : files.toList()) {
                    Files.copy(file, copy.resolve(file.getFileName()));
                }
            }
            command.addAll(List.of(job.node(rank), copy));
        }
        job.lose(1);
        Map<String, byte[]> before = job.content();
        ProgramRun.redset(command.toArray()).assertExit(3)
                .assertSays("give the directories of one copy of one checkpoint");
        job.requireContent(before, true);
        job.run("rebuild").assertExit(1);
    }

    @Test
    void membersWhoseCheckpointCanNotBeToldAreNotJoined() throws IOException {
        Job job = Job.of(temporary, "partner_p4_r2");
        List<DirectoryContent.FoundSet> parts = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            parts.addAll(
                    DirectoryContent.of(DirectoryScan.of(FileOperations.system(), job.node(rank))).sets());
        }
        assertEquals(List.of(4), sizes(SpreadSets.joined(parts)));
        assertEquals(List.of(2), sizes(SpreadSets.joined(List.of(parts.get(0), parts.get(3)))));
        List<DirectoryContent.FoundSet> twice = SpreadSets.joined(
                List.of(parts.get(0), parts.get(1), copyOf(parts.get(1))));
        assertEquals(List.of(1, 1, 1), sizes(twice));
        assertTrue(twice.stream().allMatch(set -> set.doubt().contains("aren't joined")), twice::toString);
    }

    @Test
    void setsOfWhichOnlyTheLostNodesHadFilesAreAbsent() throws IOException {
        Job job = Job.of(temporary, "xor_p4");
        List<DirectoryContent.FoundSet> parts = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            DirectoryContent.FoundSet part = DirectoryContent
                    .of(DirectoryScan.of(FileOperations.system(), job.node(rank))).sets().getFirst();
            // As if there were two sets of two.
            parts.add(new DirectoryContent.FoundSet(part.prefix(),
                    new Descriptor(part.place().scheme(), rank / 2, 2, rank % 2, 2, rank, RANKS), part.headers(), ""));
        }
        assertEquals(List.of(), SpreadSets.absent(SpreadSets.joined(parts)));
        assertEquals(List.of(), SpreadSets.absent(SpreadSets.joined(parts.subList(1, 4))), "one is left of set 1");
        assertEquals(List.of("ckpt.* of 4 ranks in 2 sets: there are files of sets [2] only, of 2"),
                SpreadSets.absent(SpreadSets.joined(parts.subList(2, 4))));
    }

    private static List<Integer> sizes(List<DirectoryContent.FoundSet> sets) {
        return sets.stream().map(set -> set.headers().size()).toList();
    }

    /** The same in another directory. */
    private static DirectoryContent.FoundSet copyOf(DirectoryContent.FoundSet set) {
        Map<Integer, DirectoryScan.FoundHeader> headers = new TreeMap<>();
        set.headers().forEach((rank, header) -> headers.put(rank, new DirectoryScan.FoundHeader("copy/ckpt.",
                Path.of("copy").resolve(header.path().getFileName()), header.header(), header.headerBytes())));
        return new DirectoryContent.FoundSet("copy/ckpt.", set.place(), headers, "");
    }
}
