package org.restorej.redset.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.FormatException;

/** One rank's part in a commit, in a directory that is not as it should be. */
class FileCommitTest {
    private static final FileOperations SYSTEM = FileOperations.system();
    /** Only ends a test that would never end. */
    private static final Duration MAX = Duration.ofMinutes(1);

    @TempDir
    private Path folder = Path.of("");

    private FileCommit part() {
        return new FileCommit(SYSTEM, folder, "rank.0.");
    }

    private FileCommit staged() throws IOException {
        Path target = folder.resolve("rank.0.redset");
        Files.writeString(target, "old");
        FileCommit commit = part();
        PendingFile file = commit.create(target);
        file.write(0, new byte[]{'n', 'e', 'w'});
        file.finish(3, null);
        commit.stage(new UUID(1, 2), 1, List.of());
        return commit;
    }

    @Test
    void theOldFileStaysWhenANewOneIsLostBeforeAnythingMoved() throws IOException {
        staged();
        Files.delete(folder.resolve("rank.0.restorej-new.0"));
        FileCommit aborted = part();
        aborted.load();
        assertEquals(FileCommit.Stage.STAGED, aborted.stage());
        assertFalse(aborted.abort());
        // As after a crash here: what is noted must tell that nothing was moved.
        FileCommit again = part();
        again.load();
        assertEquals(FileCommit.Stage.DROPPED, again.stage());
        assertFalse(again.abort());
        again.end();
        assertEquals(List.of("rank.0.redset"), DirectoryEntries.namesOf(folder));
        assertEquals("old", Files.readString(folder.resolve("rank.0.redset")));
    }

    @Test
    void nothingStaysWhereTheJournalCannotGetItsName() throws IOException {
        FileOperations failing = new ForwardingFileOperations() {
            @Override
            public void replace(Path source, Path target) throws IOException {
                throw new FileSystemException(target.toString(), null, "No space left on device");
            }
        };
        try (FileCommit commit = new FileCommit(failing, folder, "rank.0.")) {
            for (String name : List.of("rank.0.redset", "rank.0.small")) {
                commit.create(folder.resolve(name)).finish(0, null);
            }
            assertThrows(FileSystemException.class, () -> commit.stage(new UUID(1, 2), 1, List.of()));
            assertFalse(commit.abort());
        }
        assertEquals(List.of(), DirectoryEntries.namesOf(folder));
    }

    @Test
    void whatACrashHasLeftIsRemovedAndNothingElse() throws IOException {
        List<String> stay = List.of("rank.0.redset", "rank.1.restorej-old.0", "rank.10.restorej-new.0");
        for (String name : stay) {
            Files.createFile(folder.resolve(name));
        }
        for (String left : List.of("old.0", "old.17", "new.0", "journal", "decided")) {
            Files.writeString(folder.resolve("rank.0.restorej-" + left), "not a journal");
        }
        FileCommit commit = part();
        assertThrows(FormatException.class, commit::load);
        commit.removeLeftovers(DirectoryEntries.of(folder));
        assertEquals(stay.stream().sorted().toList(), DirectoryEntries.namesOf(folder));
    }

    @Test
    void whatAJournalNeedsIsNotRemoved() throws IOException {
        FileCommit commit = staged();
        List<String> before = DirectoryEntries.namesOf(folder);
        assertThrows(IllegalStateException.class, () -> commit.removeLeftovers(DirectoryEntries.of(folder)));
        assertEquals(before, DirectoryEntries.namesOf(folder));
        commit.complete();
        commit.end();
        commit.removeLeftovers(DirectoryEntries.of(folder));
        assertEquals(List.of("rank.0.redset", "rank.0.restorej-spare"), DirectoryEntries.namesOf(folder));
        assertEquals("new", Files.readString(folder.resolve("rank.0.redset")));
    }

    private void commit(String content) throws IOException {
        FileCommit commit = part();
        PendingFile file = commit.create(folder.resolve("rank.0.redset"));
        file.write(0, content.getBytes(StandardCharsets.UTF_8));
        file.finish(content.length(), null);
        PendingFile small = commit.create(folder.resolve("rank.0.small"));
        small.finish(0, null);
        commit.stage(new UUID(1, 2), 1, List.of());
        commit.complete();
        commit.end();
        commit.removeLeftovers(DirectoryEntries.of(folder));
    }

    private Object inode() throws IOException {
        return Files.getAttribute(folder.resolve("rank.0.redset"), "unix:ino");
    }

    @Test
    void theFirstFileIsWrittenOverTheOneBeforeTheLast() throws IOException {
        commit("a longer first one");
        Object first = inode();
        commit("second");
        assertNotEquals(first, inode());
        commit("third");
        assertEquals(first, inode());
        assertEquals("third", Files.readString(folder.resolve("rank.0.redset")));
        assertEquals("second", Files.readString(folder.resolve("rank.0.restorej-spare")));
        assertEquals(List.of("rank.0.redset", "rank.0.restorej-spare", "rank.0.small"),
                DirectoryEntries.namesOf(folder));
        part().removeSpare();
        assertEquals(List.of("rank.0.redset", "rank.0.small"), DirectoryEntries.namesOf(folder));
    }

    @Test
    void aFileThatSomebodyHasLinkedIsNotWrittenOver() throws IOException {
        commit("first");
        Path kept = Files.createLink(folder.resolve("kept"), folder.resolve("rank.0.redset"));
        commit("second");
        commit("third");
        assertEquals("first", Files.readString(kept));
        assertEquals("third", Files.readString(folder.resolve("rank.0.redset")));
        Path spare = folder.resolve("rank.0.restorej-spare");
        Files.delete(spare);
        Files.createSymbolicLink(spare, kept);
        commit("fourth");
        assertEquals("first", Files.readString(kept));
        assertEquals("fourth", Files.readString(folder.resolve("rank.0.redset")));
    }

    @Test
    void aFileThatOthersMayReadOrOwnIsNotWrittenOver() throws IOException {
        commit("first");
        Path target = folder.resolve("rank.0.redset");
        Object usual = Files.getAttribute(target, "unix:mode");
        Map<String, Integer> changes = Map.of("mode", 0_444, "gid", 4243, "uid", 4242);
        boolean isRoot = SYSTEM.metadata(target).userId() == 0;
        for (Map.Entry<String, Integer> change : changes.entrySet()) {
            if (!isRoot && !change.getKey().equals("mode")) {
                continue;
            }
            commit("second");
            Path spare = folder.resolve("rank.0.restorej-spare");
            Files.setAttribute(spare, "unix:" + change.getKey(), change.getValue());
            FileMetadata changed = SYSTEM.metadata(spare);
            commit("third");
            FileMetadata fresh = SYSTEM.metadata(target);
            assertEquals(usual, (int) fresh.mode(), change::getKey);
            assertEquals("third", Files.readString(target));
            if (isRoot) {
                assertEquals(0, fresh.userId() + fresh.groupId(), () -> "owner of what replaced " + changed);
            }
        }
    }

    @Test
    void aFileThatCannotBeOpenedIsNotWrittenOver() throws IOException {
        Path fresh = Files.createFile(folder.resolve("fresh"));
        assertEquals(Optional.empty(), SYSTEM.openToOverwrite(folder.resolve("gone"), fresh));
        Path former = Files.createFile(folder.resolve("former"));
        for (Path file : List.of(fresh, former)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
        }
        Optional<FileChannel> opened = SYSTEM.openToOverwrite(former, fresh);
        assertEquals(Files.isWritable(former), opened.isPresent(), "root may write");
        if (opened.isPresent()) {
            opened.get().close();
        }
    }

    /** Where it can't be found out whether a file was moved, the commit stays as it is, for a later attempt. */
    @ParameterizedTest
    @ValueSource(strings = {"rank.0.restorej-new.0", "rank.0.redset"})
    void whatCannotBeFoundOutIsNotTakenForAbsent(String unknown) throws IOException {
        staged();
        FileCommit failing = new FileCommit(withUnknown(unknown), folder, "rank.0.");
        failing.load();
        assertThrows(FileSystemException.class, failing::complete);
        FileCommit next = part();
        next.load();
        assertEquals(FileCommit.Stage.DECIDED, next.stage());
        assertTrue(next.complete());
        next.end();
        assertEquals("new", Files.readString(folder.resolve("rank.0.redset")));
        assertEquals("old", Files.readString(folder.resolve("rank.0.restorej-spare")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rank.0.restorej-new.0", "rank.0.restorej-old.0", "rank.0.redset"})
    void whatCannotBeFoundOutIsNotTakenForMovedBack(String unknown) throws IOException {
        staged().complete();
        FileCommit failing = new FileCommit(withUnknown(unknown), folder, "rank.0.");
        failing.load();
        assertThrows(FileSystemException.class, failing::abort);
        FileCommit next = part();
        next.load();
        assertEquals(FileCommit.Stage.ABORTED, next.stage());
        assertTrue(next.abort());
        next.end();
        assertEquals("old", Files.readString(folder.resolve("rank.0.redset")));
    }

    private static FileOperations withUnknown(String name) {
        return new ForwardingFileOperations() {
            @Override
            public boolean isThere(Path path) throws IOException {
                if (path.endsWith(name)) {
                    throw new FileSystemException(path.toString(), null, "Stale file handle");
                }
                return super.isThere(path);
            }
        };
    }

    @Test
    void whoHasDroppedItTellsTheOthersToMoveBack() {
        InterruptedCommit.Decision decision = new InterruptedCommit.Decision(
                List.of(FileCommit.Stage.DECIDED, FileCommit.Stage.DROPPED));
        assertFalse(decision.completes());
        assertTrue(decision.mayHaveMoved());
    }

    @Test
    void aNamedPipeIsNoJournalAndHoldsNobodyUp() throws Exception {
        Path pipe = folder.resolve("rank.0.restorej-decided");
        Process made = new ProcessBuilder("mkfifo", pipe.toString()).inheritIO().start();
        assertEquals(0, made.waitFor());
        assertTimeoutPreemptively(MAX, () -> {
            FileCommit commit = part();
            assertThrows(FileSystemException.class, commit::load);
            Map<Path, IOException> unreadable = new TreeMap<>();
            assertEquals(List.of(), InterruptedCommit.in(SYSTEM, List.of(folder), unreadable));
            assertTrue(unreadable.toString().contains(pipe + " can't be read: not a regular file"),
                    unreadable::toString);
            FileSystemException refused = assertThrows(FileSystemException.class, () -> SYSTEM.readBlock(pipe));
            assertEquals(pipe + ": not a regular file", refused.getMessage());
        });
    }
}
