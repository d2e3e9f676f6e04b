package org.restorej.cli.redset;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.redset.ProgramRun;
import org.restorej.redset.internal.files.JobLock;
import org.restorej.redset.internal.offline.NodesOfVector;

/** Sets of redset whose members' redundancy lies in the directories of several nodes, as nodes have disks of their own. */
class SpreadCommandTest {
    private static final int RANKS = 4;

    @TempDir
    private Path temporary = Path.of("");

    private static ProgramRun run(NodesOfVector job, String command, Object... more) {
        return RedsetRun.of(Stream.of(Stream.of(command, "--base", job.base()), Stream.of(more),
                Stream.of(0, 1, 2, 3).map(job::node)).flatMap(each -> each).toArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"xor_p4", "rs_p4_k1", "rs_p4_k2", "partner_p4_r2"})
    void aLostNodeIsRebuiltToTheDirectoryWithoutAMember(String vector) throws IOException {
        NodesOfVector job = NodesOfVector.of(temporary, vector);
        Map<String, byte[]> whole = job.content();
        run(job, "list").assertExit(0);
        run(job, "verify").assertExit(0).assertSays("node0", "node3");
        for (int lost = 0; lost < RANKS; lost++) {
            job.lose(lost);
            run(job, "list").assertExit(1).assertSays("(missing)");
            run(job, "rebuild").assertExit(1).assertSays("rebuilt: set 1 of ");
            job.requireContent(whole, false);
            run(job, "verify").assertExit(0);
        }
    }

    @Test
    void moreLostNodesThanTheSchemeSurvivesAreCounted() throws IOException {
        NodesOfVector job = NodesOfVector.of(temporary, "xor_p4");
        job.lose(1);
        job.lose(3);
        run(job, "rebuild").assertExit(3)
                .assertSays("2 of 4 members are missing, of ranks [1, 3] of the job, and XOR can't rebuild");
        job.lose(2);
        run(job, "rebuild").assertExit(3).assertSays("3 of 4 members are missing", "only ranks [0] of the job",
                "give the directories of the others");
    }

    @Test
    void whereSeveralNodesAreLostSomebodySaysWhichIsWhose() throws IOException {
        NodesOfVector job = NodesOfVector.of(temporary, "rs_p4_k2");
        Map<String, byte[]> whole = job.content();
        job.lose(1);
        job.lose(2);
        run(job, "rebuild").assertExit(2).assertSays("where the files of rank 1 go isn't known",
                "--lost 1=DIR");
        run(job, "rebuild", "--lost", "1=" + job.node(1), "--lost", "2=" + job.node(2)).assertExit(1);
        job.requireContent(whole, false);
    }

    @Test
    void lostFilesNeverReplaceThoseOfAnotherCheckpoint() throws IOException {
        NodesOfVector job = NodesOfVector.of(temporary.resolve("a"), "xor_p4");
        NodesOfVector other = NodesOfVector.of(temporary.resolve("b"), "xor_p4_empty");
        job.lose(1);
        Map<String, byte[]> before = other.content();
        run(job, "rebuild", "--lost", other.node(1), "--allow", other.base()).assertExit(3)
                .assertSays("--lost must not name a directory with files of the set from another time");
        other.requireContent(before, true);
        Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
        try (JobLock _ = JobLock.ofThisProcess(elsewhere.resolve("ckpt." + JobLock.NAME))) {
            run(job, "rebuild", "--lost", elsewhere).assertExit(4).assertSays(elsewhere + " is in use");
        }
        run(job, "rebuild", "--lost", elsewhere).assertExit(1);
        assertTrue(Files.exists(elsewhere.resolve("ckpt.1.redset")));
    }

    /** A job holds the lock of a checkpoint beside it. */
    @Test
    void aCheckpointThatAJobHasInUseIsNotRebuiltUnderAnotherNameEither() throws IOException {
        NodesOfVector job = NodesOfVector.of(temporary.resolve("a"), "xor_p4");
        Path checkpoint = Files.createDirectories(temporary.resolve("job/checkpoint.1"));
        Path moved = Files.createDirectories(temporary.resolve("disk/moved"));
        Path latest = Files.createSymbolicLink(temporary.resolve("latest"), checkpoint);
        Path stored = Files.createSymbolicLink(temporary.resolve("job/checkpoint.2"), moved);
        job.lose(1);
        try (JobLock _ = JobLock.ofThisProcess(temporary.resolve("job").resolve("job." + JobLock.NAME))) {
            for (Path given : List.of(checkpoint, latest, stored)) {
                run(job, "rebuild", "--lost", given).assertExit(4).assertSays("job is in use");
            }
        }
        run(job, "rebuild", "--lost", latest).assertExit(1);
    }

    @Test
    void whatIsLeftOfALostMemberSaysWhereItBelongs() throws IOException {
        NodesOfVector job = NodesOfVector.of(temporary, "rs_p4_k2");
        Map<String, byte[]> whole = job.content();
        for (int rank : List.of(1, 2)) {
            try (Stream<Path> files = Files.list(job.node(rank))) {
                for (Path file : files.filter(name -> name.toString().contains(".grp_")).toList()) {
                    Files.write(file, new byte[10]);
                }
            }
        }
        run(job, "rebuild").assertExit(1).assertSays("rebuilt: set 1 of ");
        job.requireContent(whole, false);
    }

    @Test
    void checkpointsOfOtherTimesAreNoPartOfTheSet() throws IOException {
        NodesOfVector job = NodesOfVector.of(temporary.resolve("a"), "xor_p4");
        NodesOfVector other = NodesOfVector.of(temporary.resolve("b"), "xor_p4_empty");
        Map<String, byte[]> whole = job.content();
        Map<String, byte[]> wholeOther = other.content();
        job.lose(2);
        // The data of the other one is not where its names lead.
        List<Object> command = new ArrayList<>(List.of("rebuild", "--partial", "--base", job.base()));
        for (int rank = 0; rank < RANKS; rank++) {
            command.add(job.node(rank));
            command.add(other.node(rank));
        }
        RedsetRun.of(command.toArray()).assertSays("set 1 of 1 of " + job.node(0) + "/ckpt.*, " + job.node(1)
                + "/ckpt.*, " + job.node(3) + "/ckpt.*: XOR", "rebuilt: set 1 of 1 of " + job.node(0) + "/ckpt.*");
        job.requireContent(whole, false);
        other.requireContent(wholeOther, false);
    }

    @Test
    void whatIsLeftOfALostMemberBesideNothingElseIsNoSetOfItsOwn() throws IOException {
        NodesOfVector job = NodesOfVector.of(temporary, "xor_p4");
        Map<String, byte[]> whole = job.content();
        Files.delete(job.redundancy(1));
        run(job, "list").assertExit(1);
        run(job, "rebuild").assertExit(1).assertSays("rebuilt: set 1 of ");
        job.requireContent(whole, false);
        RedsetRun.of("list", "--base", job.base(), job.node(0), job.node(2)).assertExit(3);
        Files.delete(job.redundancy(1));
        RedsetRun.of("list", "--base", job.base(), job.node(1)).assertExit(3)
                .assertSays("describes rank 1 of 4", "none of its redundancy files is there");
    }

    @Test
    void aDirectoryWithTheRanksDescriptorOfAnotherEncodingIsNotTaken() throws IOException {
        NodesOfVector job = NodesOfVector.of(temporary.resolve("a"), "xor_p4");
        NodesOfVector other = NodesOfVector.of(temporary.resolve("b"), "partner_p4_r2");
        job.lose(1);
        Files.copy(other.node(1).resolve("ckpt.1.redset"), job.node(1).resolve("ckpt.1.redset"));
        Map<String, byte[]> before = job.content();
        run(job, "rebuild").assertExit(3).assertSays("where the files of rank 1 go isn't known");
        job.requireContent(before, true);
    }

    @Test
    void copiesGivenTogetherAreNotJoined() throws IOException {
        NodesOfVector job = NodesOfVector.of(temporary, "xor_p4");
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
        RedsetRun.of(command.toArray()).assertExit(3)
                .assertSays("give the directories of one copy of one checkpoint");
        job.requireContent(before, true);
        run(job, "rebuild").assertExit(1);
    }
}
