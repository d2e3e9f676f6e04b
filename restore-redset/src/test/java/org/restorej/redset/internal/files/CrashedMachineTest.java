package org.restorej.redset.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.restorej.testing.Deep;

/** Commits of two ranks on machines that all crash at once: what was not forced to a disk is not there afterwards. */
class CrashedMachineTest {
    private static final int RANKS = 2;
    /** What a commit writes over. */
    private static final String SPARE = "restorej-spare";
    private static final String OBSOLETE = "xor.grp_1_of_1.mem_1_of_2.redset";
    /** What is recovered is not crashed again. */
    private static final FileOperations UNFORCED = new ForwardingFileOperations() {
        @Override
        public void force(FileChannel channel) {}

        @Override
        public void forceDirectory(Path directory) {}
    };

    @TempDir
    private Path folder = Path.of("");

    /** How a commit goes when nothing crashes. */
    enum Course {
        COMPLETED(RANKS, false, "new"), ABORTED_AFTER_ALL_HAVE_MOVED(RANKS, true,
                "old"), ABORTED_AFTER_ONE_HAS_MOVED(
                        1, true, "old"), ABORTED_BEFORE_ANY_MOVES(0, true, "old");

        private final int moved;
        private final boolean aborted;
        private final String end;

        Course(int moved, boolean aborted, String end) {
            this.moved = moved;
            this.aborted = aborted;
            this.end = end;
        }

        void run(List<FileCommit> commits, CrashedMachineTest test) throws IOException {
            for (int rank = 0; rank < RANKS; rank++) {
                PendingFile file = commits.get(rank).create(test.file(rank, "redset"));
                file.write(0, new byte[]{'n', 'e', 'w'});
                file.finish(3, null);
                commits.get(rank).stage(new UUID(1, 2), RANKS, List.of(test.file(rank, OBSOLETE)));
            }
            for (int rank = 0; rank < moved; rank++) {
                commits.get(rank).complete();
            }
            for (int rank = 0; rank < RANKS && aborted; rank++) {
                commits.get(rank).abort();
            }
            for (FileCommit commit : commits) {
                commit.end();
            }
            for (FileCommit commit : commits) {
                removeLeftovers(commit);
            }
        }
    }

    private static void removeLeftovers(FileCommit commit) throws IOException {
        commit.removeLeftovers(DirectoryEntries.of(commit.journalPath().resolveSibling(".")));
    }

    private Path directory(int rank) {
        return folder.resolve("node" + rank);
    }

    private Path file(int rank, String end) {
        return directory(rank).resolve("rank." + rank + "." + end);
    }

    private List<FileCommit> commits(FileOperations operations) {
        List<FileCommit> commits = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            commits.add(new FileCommit(operations, directory(rank), "rank." + rank + "."));
        }
        return commits;
    }

    private CrashingMachine machine(int crashAt) throws IOException {
        for (Path entry : DirectoryEntries.of(folder)) {
            DirectoryEntries.deleteTree(entry);
        }
        List<Path> present = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            Files.createDirectory(directory(rank));
            present.add(Files.writeString(file(rank, "redset"), "old"));
            present.add(Files.writeString(file(rank, OBSOLETE), "obsolete"));
            present.add(Files.writeString(file(rank, SPARE), "the one before"));
        }
        return new CrashingMachine(Files.createDirectory(folder.resolve("inodes")), crashAt, present);
    }

    /** Brings an interrupted commit to its end, as the next operation of all ranks does. */
    private void recover() throws IOException {
        List<FileCommit> commits = commits(UNFORCED);
        for (FileCommit commit : commits) {
            commit.load();
        }
        List<FileCommit> left = commits.stream().filter(commit -> commit.journal() != null).toList();
        InterruptedCommit.Decision decision = new InterruptedCommit.Decision(
                left.stream().map(FileCommit::stage).toList());
        for (FileCommit commit : left) {
            decision.apply(commit);
        }
        for (FileCommit commit : commits) {
            commit.end();
            removeLeftovers(commit);
        }
    }

    private String state(int rank) throws IOException {
        String content = Files.exists(file(rank, "redset")) ? Files.readString(file(rank, "redset")) : "none";
        boolean obsolete = Files.exists(file(rank, OBSOLETE));
        return obsolete == content.equals("old") ? content : content + ", obsolete file: " + obsolete;
    }

    /** Nothing and everything, one change alone, and all but one. */
    private static List<IntPredicate> survivors(int changes) {
        List<IntPredicate> survivors = new ArrayList<>(List.of(change -> false, change -> true));
        for (int i = 0; i < changes; i++) {
            int one = i;
            survivors.add(change -> change == one);
            survivors.add(change -> change != one);
        }
        return survivors;
    }

    /** Until the others have aborted the commit, it is not over for the rank whose disk comes back. */
    @Test
    void aRankWhoseMachineHasCrashedMovesBackWhenTheOthersHave() throws IOException {
        int aborted = 0;
        boolean crashed = true;
        for (int crashAt = 0; crashed; crashAt++) {
            int choices = 1;
            for (int choice = 0; choice < choices; choice++) {
                CrashingMachine machine = machine(crashAt);
                try {
                    Course.COMPLETED.run(commits(machine), this);
                } catch (IOException crash) {
                    assertTrue(machine.hasCrashed(), crash::toString);
                }
                crashed = machine.hasCrashed();
                List<IntPredicate> survivors = survivors(machine.unforcedChanges());
                choices = survivors.size();
                IntPredicate ofCrashed = survivors.get(choice);
                machine.crash(change -> machine.isIn(change, directory(0)) || ofCrashed.test(change));
                FileCommit survivor = commits(UNFORCED).get(0);
                survivor.load();
                boolean decides = survivor.journal() != null;
                survivor.abort();
                recover();
                String when = "crash at change " + crashAt + ", what survives: " + choice;
                assertEquals(state(0), state(1), when);
                assertTrue(!decides || state(0).equals("old"), () -> when + ": " + stateOf(0));
                aborted += decides ? 1 : 0;
            }
        }
        assertTrue(aborted > 20, aborted + " commits were aborted");
    }

    @Test
    void allRanksHaveTheirOldFilesOrAllTheirNewOnes() throws IOException {
        crash(Course.COMPLETED);
    }

    @Deep
    @ParameterizedTest
    @EnumSource(names = "ABORTED.*", mode = EnumSource.Mode.MATCH_ALL)
    void allRanksHaveTheirOldFilesWhereACommitIsAborted(Course course) throws IOException {
        crash(course);
    }

    private void crash(Course course) throws IOException {
        int crashes = 0;
        int undone = 0;
        int overwritten = 0;
        boolean crashed = true;
        for (int crashAt = 0; crashed; crashAt++) {
            int choices = 1;
            for (int choice = 0; choice < choices; choice++) {
                CrashingMachine machine = machine(crashAt);
                try {
                    course.run(commits(machine), this);
                } catch (IOException crash) {
                    assertTrue(machine.hasCrashed(), crash::toString);
                }
                crashed = machine.hasCrashed();
                List<IntPredicate> survivors = survivors(machine.unforcedChanges());
                choices = survivors.size();
                undone += machine.unforcedChanges();
                machine.crash(survivors.get(choice));
                recover();
                String when = course + ", crash at change " + crashAt + ", what survives: " + choice;
                assertEquals(state(0), state(1), when);
                assertTrue(crashed ? List.of("old", "new").contains(state(0)) : state(0).equals(course.end),
                        () -> when + ": " + stateOf(0));
                long spares = DirectoryEntries.namesOf(directory(0)).stream().filter(each -> each.endsWith(SPARE))
                        .count();
                assertEquals(state(0).equals("old") ? 2 : 1, DirectoryEntries.of(directory(0)).size() - spares, when);
                overwritten += spares == 1 && state(0).equals("new") ? 1 : 0;
                crashes++;
            }
        }
        assertTrue(crashes > 50 && undone > 100, crashes + " crashes that undid " + undone + " changes");
        assertTrue(course != Course.COMPLETED || overwritten > 20, overwritten + " commits kept the file before");
    }

    private String stateOf(int rank) {
        try {
            return state(rank);
        } catch (IOException failure) {
            return failure.toString();
        }
    }
}
