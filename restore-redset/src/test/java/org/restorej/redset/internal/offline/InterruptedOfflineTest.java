package org.restorej.redset.internal.offline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FailingFileOperations;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.scr.ScrSets;
import org.restorej.redset.internal.files.PendingFile;
import org.restorej.redset.internal.format.CommitJournal;
import org.restorej.redset.internal.format.KvTreeBlock;

/** A directory in which all ranks were killed while they replaced their files. */
class InterruptedOfflineTest {
    private static final int RANKS = 2;
    private static final String FORMER = ".xor.grp_1_of_1.mem_1_of_2.redset";
    private static final UUID COMMIT = new UUID(1, 2);

    @TempDir
    private Path folder = Path.of("");

    private FileCommit stage(FileOperations operations, int rank) throws IOException {
        Files.writeString(folder.resolve("rank." + rank + ".redset"), "old");
        Files.writeString(folder.resolve("rank." + rank + FORMER), "old");
        FileCommit commit = new FileCommit(operations, folder, "rank." + rank + ".");
        PendingFile file = commit.create(folder.resolve("rank." + rank + ".redset"));
        file.write(0, new byte[]{'n', 'e', 'w'});
        file.finish(3, null);
        commit.stage(COMMIT, RANKS, List.of(folder.resolve("rank." + rank + FORMER)));
        return commit;
    }

    private List<String> names() throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private OfflineRedset offline() {
        return OneDirectory.redset(folder, PathPolicy.within(folder));
    }

    @Test
    void whatWasDecidedIsCompletedWhereverTheMovesWereInterrupted() throws IOException {
        boolean killed = true;
        int moved = 0;
        for (int failAt = 1; killed; failAt++) {
            FileCommit first = stage(FileOperations.system(), 0);
            stage(FileOperations.system(), 1);
            // The same journal, by one who fails.
            FailingFileOperations dying = new FailingFileOperations(failAt, true);
            FileCommit interrupted = new FileCommit(dying, folder, "rank.0.");
            interrupted.load();
            assertEquals(first.journal(), interrupted.journal());
            killed = fails(interrupted);
            moved += settled().size();
            assertEquals(List.of("rank.0.redset", "rank.0.restorej-spare", "rank.1.redset", "rank.1.restorej-spare"),
                    names(), "killed at change " + failAt);
            assertEquals("new", Files.readString(folder.resolve("rank.0.redset")));
            assertEquals("new", Files.readString(folder.resolve("rank.1.redset")));
        }
        assertTrue(moved > 5, "moved " + moved);
    }

    private static boolean fails(FileCommit commit) {
        try {
            commit.complete();
            return false;
        } catch (IOException killed) {
            return true;
        }
    }

    @Test
    void whatWasAbortedAnywhereIsMovedBack() throws IOException {
        FileCommit first = stage(FileOperations.system(), 0);
        FileCommit second = stage(FileOperations.system(), 1);
        first.complete();
        second.complete();
        second.abort();
        assertEquals(1, settled().size());
        assertEquals(List.of("rank.0.redset", "rank.0" + FORMER, "rank.1.redset", "rank.1" + FORMER), names());
        assertEquals("old", Files.readString(folder.resolve("rank.0.redset")));
    }

    private List<Path> settled() throws IOException {
        try (OfflineRedset.Settled settled = offline().settleInterrupted()) {
            settled.keep();
            return settled.journals();
        }
    }

    @Test
    void whatIsNotKeptIsAsItWas() throws IOException {
        for (boolean completes : new boolean[]{true, false}) {
            FileCommit first = stage(FileOperations.system(), 0);
            FileCommit second = stage(FileOperations.system(), 1);
            first.complete();
            if (!completes) {
                second.abort();
            }
            DirectorySnapshot before = DirectorySnapshot.of(folder);
            try (OfflineRedset.Settled settled = offline().settleInterrupted()) {
                assertEquals(1, settled.journals().size());
                assertThrows(AssertionError.class, () -> before.assertUnchanged("settled"));
            }
            before.assertUnchanged("not kept");
            assertEquals(1, settled().size());
            assertEquals(completes ? "new" : "old", Files.readString(folder.resolve("rank.0.redset")));
            for (String name : names()) {
                Files.delete(folder.resolve(name));
            }
        }
    }

    @Test
    void journalsOfOneCommitMayBeInSeveralDirectories() throws IOException {
        stage(FileOperations.system(), 0).complete();
        stage(FileOperations.system(), 1);
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        for (String name : names()) {
            if (name.startsWith("rank.1.")) {
                Files.move(folder.resolve(name), elsewhere.resolve(name));
            }
        }
        OfflineRedset both = new OfflineRedset(FileOperations.system(), LostMemberPlaces.in(folder, elsewhere),
                new ScrSets(), PathPolicy.within(folder));
        assertEquals(2, both.inspect().interruptions().size());
        try (OfflineRedset.Settled settled = both.settleInterrupted()) {
            settled.keep();
        }
        assertEquals("new", Files.readString(elsewhere.resolve("rank.1.redset")));
        assertEquals(List.of(), both.inspect().interruptions());
    }

    @Test
    void journalsStayWhileOthersMayNeedThem() throws IOException {
        stage(FileOperations.system(), 0).complete();
        assertEquals(List.of(), settled());
        assertTrue(names().contains("rank.0.restorej-decided"));
        assertEquals("new", Files.readString(folder.resolve("rank.0.redset")));
    }

    /** The journal may be of a rank of the commit, and may tell that all roll back. */
    @Test
    void onlyACommitIsHeldUpThatAJournalThatCanNotBeReadMayBelongTo() throws IOException {
        stage(FileOperations.system(), 0);
        FileCommit interrupted = new FileCommit(new FailingFileOperations(1, true), folder, "rank.0.");
        interrupted.load();
        assertTrue(fails(interrupted));
        for (String name : List.of("rank.1.restorej-decided", "other.1.restorej-decided")) {
            Path unreadable = Files.write(folder.resolve(name), new byte[100]);
            assertEquals(name.startsWith("other") ? 1 : 0, settled().size(), name);
            Files.delete(unreadable);
        }
    }

    @Test
    void whatWasOnlyStagedIsLeftAsItIs() throws IOException {
        stage(FileOperations.system(), 0);
        List<String> before = names();
        assertEquals(List.of(), settled());
        assertEquals(before, names());
    }

    @Test
    void aJournalThatNamesAnythingButItsRanksFilesMovesAndDeletesNothing() throws IOException {
        Files.writeString(folder.resolve("precious.dat"), "precious");
        Files.writeString(folder.resolve("rank.7.redset"), "of another rank");
        for (String name : List.of("precious.dat", "rank.7.redset", "..", "", "rank.0.restorej-decided")) {
            CommitJournal hostile = new CommitJournal(COMMIT, 1, List.of(new CommitJournal.Move(name, false)));
            Files.write(folder.resolve("rank.0.restorej-decided"), KvTreeBlock.encode(hostile.toTree()));
            Files.write(folder.resolve("precious.restorej-aborted"), KvTreeBlock.encode(hostile.toTree()));
            List<String> before = names();
            assertEquals(List.of(), settled(), name);
            List<OfflineRedset.Problem> problems = offline().inspect().problems();
            assertTrue(problems.getFirst().message().matches(".*rank.0.restorej-decided is damaged.*MOVE/0/NAME.*"),
                    problems::toString);
            assertEquals(before, names(), name);
        }
        assertEquals("precious", Files.readString(folder.resolve("precious.dat")));
        // And the next commit of the rank is not held up when its protection was given up.
        new FileCommit(FileOperations.system(), folder, "rank.0.").removeLeftovers(DirectoryEntries.of(folder));
        stage(FileOperations.system(), 0);
    }
}
