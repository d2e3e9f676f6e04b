package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.restorej.redset.internal.format.CommitJournal;

/**
 * What processes were doing when they were killed while they replaced their files, as far as their journals are seen
 * from here. {@link FileCommit} says why the journals decide rightly how it ends.
 *
 * @param ofRanks of the ranks whose journals are here; at least one
 */
public record InterruptedCommit(List<FileCommit> ofRanks) {
    /** Copies the list. */
    public InterruptedCommit {
        ofRanks = List.copyOf(ofRanks);
    }

    /**
     * Those of which journals are in some directories. The journals of a commit may be in several; those of a copy of
     * a directory are another commit.
     *
     * @throws IOException when a journal is damaged or can't be read
     */
    public static List<InterruptedCommit> in(FileOperations operations, List<Path> directories) throws IOException {
        List<InterruptedCommit> commits = new ArrayList<>();
        Map<UUID, List<FileCommit>> spread = new LinkedHashMap<>();
        for (Path directory : directories) {
            Map<UUID, List<FileCommit>> together = new LinkedHashMap<>();
            for (FileCommit ofRank : FileCommit.interruptedIn(operations, directory)) {
                together.computeIfAbsent(journal(ofRank).commit(), absent -> new ArrayList<>()).add(ofRank);
            }
            together.forEach((id, ofRanks) -> {
                InterruptedCommit here = new InterruptedCommit(ofRanks);
                if (here.isWhole()) {
                    commits.add(here);
                } else {
                    spread.computeIfAbsent(id, absent -> new ArrayList<>()).addAll(ofRanks);
                }
            });
        }
        spread.values().forEach(ofRanks -> commits.add(new InterruptedCommit(ofRanks)));
        return commits;
    }

    private static CommitJournal journal(FileCommit ofRank) {
        return Objects.requireNonNull(ofRank.journal(), "an interrupted commit has a journal");
    }

    /** How many processes they were. */
    public int processes() {
        return journal(ofRanks.getFirst()).ranks();
    }

    /** The journals, as they are named now. */
    public List<Path> journals() {
        return ofRanks.stream().map(FileCommit::journalPath).toList();
    }

    private FileCommit.Decision decision() {
        return new FileCommit.Decision(ofRanks.stream().map(FileCommit::stage).toList());
    }

    /** Whether files may have been moved; otherwise all old ones are still in their places. */
    public boolean mayHaveMoved() {
        return decision().mayHaveMoved();
    }

    /** Whether the journals of all ranks are here, so that no other decides anything. */
    public boolean isWhole() {
        Set<Path> names = new LinkedHashSet<>();
        journals().forEach(path -> names.add(path.getFileName()));
        return names.size() == ofRanks.size() && processes() == ofRanks.size();
    }

    /**
     * Moves all files on, or all back. The journals stay.
     *
     * @return the journals of ranks whose files were moved
     */
    public List<Path> move() throws IOException {
        FileCommit.Decision decision = decision();
        List<Path> moved = new ArrayList<>();
        for (FileCommit ofRank : ofRanks) {
            if (decision.apply(ofRank)) {
                moved.add(ofRank.journalPath());
            }
        }
        return moved;
    }

    /** Makes everything as it was before {@link #move}. */
    public void undo() throws IOException {
        for (FileCommit ofRank : ofRanks.reversed()) {
            ofRank.undo();
        }
    }

    /** Removes journals and old files after {@link #move}, when all journals are here: otherwise others need them. */
    public void end() throws IOException {
        if (isWhole()) {
            for (FileCommit ofRank : ofRanks) {
                ofRank.end();
            }
        }
    }

    /**
     * Why another number of processes can't settle it, and what can. The command that it ends with wants directories.
     *
     * @param here how many are here
     */
    public String obstacle(int here) {
        return processes() + " processes were killed while they protected it, as " + journals().getFirst()
                + " tells, and here are " + here
                + ": restart with as many, or have it brought to an end by one process that reaches all files: "
                + "bin/restore redset rebuild ";
    }

    /** The directories of the journals. */
    public List<String> directories() {
        return journals().stream().map(journal -> String.valueOf(journal.getParent())).distinct().toList();
    }
}
