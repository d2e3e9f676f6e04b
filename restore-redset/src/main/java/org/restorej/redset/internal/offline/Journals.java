package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.InterruptedCommit;
import org.restorej.redset.internal.files.Unreachable;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.RedsetFileNames;

/**
 * The journals of interrupted commits. An unreadable one may be of a commit that lacks a journal, and decide otherwise
 * than the others. Such a commit is left as it is, and so are the sets of its ranks.
 *
 * @param settled commits that may have moved files, and that no unreadable journal may belong to
 * @param unreadable journals that are damaged or can't be read, with the reasons
 * @param undecided by the beginning of the names of a rank's files: the unreadable journal that decides which of its
 *        files count
 */
record Journals(List<InterruptedCommit> settled, Map<Path, IOException> unreadable, Map<Path, Path> undecided) {
    static Journals in(FileOperations operations, List<Path> directories) throws IOException {
        Journals journals = new Journals(new ArrayList<>(), new TreeMap<>(), new TreeMap<>());
        List<InterruptedCommit> commits = InterruptedCommit.in(operations, directories, journals.unreadable);
        journals.unreadable.keySet().forEach(path -> journals.undecided.put(ofRank(path), path));
        for (InterruptedCommit commit : commits) {
            journals.add(commit);
        }
        return journals;
    }

    private void add(InterruptedCommit commit) {
        List<Path> deciding = commit.isWhole()
                ? List.of()
                : unreadable.keySet().stream().filter(path -> mayBelong(path, commit)).toList();
        if (!deciding.isEmpty()) {
            commit.journals().forEach(journal -> undecided.put(ofRank(journal), deciding.getFirst()));
        } else if (commit.mayHaveMoved()) {
            settled.add(commit);
        }
    }

    /** The rank of a journal, as its directory and the beginning of the names of its files: {@code <prefix><W>.} */
    private static Path ofRank(Path journal) {
        String name = String.valueOf(journal.getFileName());
        return journal.toAbsolutePath().normalize()
                .resolveSibling(name.substring(0, name.lastIndexOf(RedsetFileNames.MARK)));
    }

    /** Whether a journal may be that of a rank whose journal was not found. */
    private static boolean mayBelong(Path journal, InterruptedCommit commit) {
        String rank = String.valueOf(ofRank(journal).getFileName());
        List<String> found = commit.journals().stream().map(each -> String.valueOf(ofRank(each).getFileName()))
                .toList();
        return !found.contains(rank) && withoutRank(rank).equals(withoutRank(found.getFirst()));
    }

    private static String withoutRank(String rankPrefix) {
        return rankPrefix.replaceFirst("\\d+\\.$", "");
    }

    /** These journals after the settled commits have moved their files. */
    Journals withoutSettled() {
        return new Journals(List.of(), unreadable, undecided);
    }

    /** What {@code rebuild} would do with the commits whose journals were all found. */
    List<String> interruptions() {
        return settled.stream().filter(InterruptedCommit::isWhole).flatMap(commit -> commit.journals().stream())
                .sorted().map(journal -> journal
                        + ": files were being replaced when all ranks ended: rebuild brings that to an end")
                .toList();
    }

    /** The unreadable journals. */
    List<OfflineRedset.Problem> problems() {
        List<OfflineRedset.Problem> problems = new ArrayList<>();
        unreadable.forEach((path, reason) -> problems.add(OfflineRedset.Problem.of(new UnreadableFile(path, reason),
                String.valueOf(reason.getMessage()), reason instanceof FormatException ? "" : ": move it away")));
        return problems;
    }

    /**
     * What a set is with the journals. One that seems lost may only have files that were moved. One that is damaged
     * isn't rebuilt while only a journal that can't be read tells which of its files count.
     */
    SetInspection explain(SetInspection set) {
        SetInspection explained = set;
        if (set.state() == SetInspection.State.LOST) {
            for (String interruption : interruptions()) {
                explained = explained.because(interruption, SetInspection.State.REPAIRABLE);
            }
        }
        boolean isLost = false;
        for (SetInspection.Member member : set.members().values()) {
            Path deciding = member.location().small().map(small -> undecided.get(ofRank(small))).orElse(null);
            if (deciding != null && set.state() != SetInspection.State.WHOLE) {
                isLost |= !Unreachable.mayBeIntact(deciding, Objects.requireNonNull(unreadable.get(deciding)));
                explained = explained.because(
                        "files of rank " + member.record().descriptor().worldRank()
                                + " were being replaced, and only the journal " + deciding
                                + " tells which of them count",
                        isLost ? SetInspection.State.LOST : SetInspection.State.UNREACHABLE);
            }
        }
        return explained;
    }

    private static Path ofRank(MemberLocation.Small small) {
        Path descriptor = small.descriptor().toAbsolutePath().normalize();
        String name = String.valueOf(descriptor.getFileName());
        return descriptor.resolveSibling(name.substring(0, name.lastIndexOf('.') + 1));
    }
}
