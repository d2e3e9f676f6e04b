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
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import org.restorej.redset.internal.format.CommitJournal;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.RedsetFileNames;

/**
 * A commit whose processes were killed while they replaced their files, as far as this process finds their journals.
 * {@link FileCommit} explains why the journals determine whether to complete it or to roll it back.
 *
 * @param ofRanks commits of the ranks whose journals were found; at least one
 */
public record InterruptedCommit(List<FileCommit> ofRanks) {
    /** Copies the list. */
    public InterruptedCommit {
        ofRanks = List.copyOf(ofRanks);
    }

    /**
     * Finds the interrupted commits with journals in some directories. The journals of one commit may be in several
     * directories. Those in a copy of a directory belong to another commit.
     *
     * @param unreadable receives the journals that are damaged or can't be read, with reasons; they count as missing
     * @throws IOException if a directory can't be listed
     */
    public static List<InterruptedCommit> in(FileOperations operations, List<Path> directories,
            Map<Path, IOException> unreadable) throws IOException {
        List<InterruptedCommit> commits = new ArrayList<>();
        Map<UUID, List<FileCommit>> spread = new LinkedHashMap<>();
        for (Path directory : directories) {
            Map<UUID, List<FileCommit>> together = new LinkedHashMap<>();
            for (FileCommit ofRank : journalsIn(operations, directory, unreadable)) {
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

    /**
     * Reads all journals in a directory.
     *
     * @param unreadable receives those that are damaged or can't be read, with reasons
     * @throws IOException if the directory can't be listed
     */
    private static List<FileCommit> journalsIn(FileOperations operations, Path directory,
            Map<Path, IOException> unreadable) throws IOException {
        SortedSet<String> prefixes = new TreeSet<>();
        for (String name : DirectoryEntries.namesOf(directory)) {
            for (FileCommit.Stage each : FileCommit.Stage.values()) {
                String prefix = name.substring(0, Math.max(0, name.length() - each.extension().length()));
                if (name.endsWith("." + each.extension()) && RedsetFileNames.isRankPrefix(prefix)) {
                    prefixes.add(prefix);
                }
            }
        }
        List<FileCommit> interrupted = new ArrayList<>();
        for (String prefix : prefixes) {
            FileCommit commit = new FileCommit(operations, directory, prefix);
            try {
                commit.load();
                if (commit.journal() != null) {
                    interrupted.add(commit);
                }
            } catch (FormatException damaged) {
                unreadable.put(commit.journalPath(), damaged);
            } catch (IOException failure) {
                unreadable.put(commit.journalPath(), new IOException(
                        "the journal " + commit.journalPath() + " can't be read: " + Unreachable.reason(failure),
                        failure));
            }
        }
        return interrupted;
    }

    private static CommitJournal journal(FileCommit ofRank) {
        return Objects.requireNonNull(ofRank.journal(), "an interrupted commit has a journal");
    }

    /** Number of processes that took part. */
    public int processes() {
        return journal(ofRanks.getFirst()).ranks();
    }

    /** Current paths of the journals. */
    public List<Path> journals() {
        return ofRanks.stream().map(FileCommit::journalPath).toList();
    }

    private Decision decision() {
        return new Decision(ofRanks.stream().map(FileCommit::stage).toList());
    }

    /** Whether files may have been moved. Otherwise all old files are in their places. */
    public boolean mayHaveMoved() {
        return decision().mayHaveMoved();
    }

    /** Whether the journals of all ranks were found, so that no other journal can decide otherwise. */
    public boolean isWhole() {
        Set<Path> names = new LinkedHashSet<>();
        journals().forEach(path -> names.add(path.getFileName()));
        return names.size() == ofRanks.size() && processes() == ofRanks.size();
    }

    /**
     * Moves all files to their new places, or all back. Keeps the journals.
     *
     * @return the journals of ranks whose files were moved
     */
    public List<Path> move() throws IOException {
        Decision decision = decision();
        List<Path> moved = new ArrayList<>();
        for (FileCommit ofRank : ofRanks) {
            if (decision.apply(ofRank)) {
                moved.add(ofRank.journalPath());
            }
        }
        return moved;
    }

    /** Restores the state before {@link #move}. */
    public void undo() throws IOException {
        for (FileCommit ofRank : ofRanks.reversed()) {
            ofRank.undo();
        }
    }

    /**
     * Removes journals and old files after {@link #move}, if all journals were found. Otherwise the missing ones need
     * them.
     */
    public void end() throws IOException {
        if (isWhole()) {
            for (FileCommit ofRank : ofRanks) {
                ofRank.end();
            }
        }
    }

    /**
     * A message why another number of ranks can't end this commit, with a remedy. The caller appends directories to
     * the command at its end.
     *
     * @param here number of ranks now
     */
    public String obstacle(int here) {
        return processes() + " ranks were killed while they protected it, as " + journals().getFirst()
                + " tells, and here are " + here
                + ": restart with as many, or have it brought to an end by one process that reaches all files: "
                + "bin/restore redset rebuild ";
    }

    /** The directories of the journals. */
    public List<String> directories() {
        return journals().stream().map(journal -> String.valueOf(journal.getParent())).distinct().toList();
    }

    /**
     * The outcome of an interrupted commit by the remaining journals.
     *
     * @param stages of the ranks whose journals were found
     */
    public record Decision(List<FileCommit.Stage> stages) {
        /** Copies the list. */
        public Decision {
            stages = List.copyOf(stages);
        }

        /** Whether all ranks complete the commit. Otherwise all roll back. */
        public boolean completes() {
            return stages.contains(FileCommit.Stage.DECIDED) && stages.stream().noneMatch(FileCommit.Stage::isAborted);
        }

        /** Whether a rank may have moved files. Otherwise all old files still have their names. */
        public boolean mayHaveMoved() {
            return stages.stream().anyMatch(stage -> stage != FileCommit.Stage.STAGED);
        }

        /**
         * Completes or rolls back the commit on one rank.
         *
         * @return whether anything was left to do
         */
        public boolean apply(FileCommit ofRank) throws IOException {
            return completes() ? ofRank.complete() : ofRank.abort();
        }
    }
}
