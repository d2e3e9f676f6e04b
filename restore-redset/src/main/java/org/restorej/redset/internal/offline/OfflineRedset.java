package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.erasure.ErasureKernels;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.CommitJournal;

/**
 * Inspects, verifies and rebuilds redundancy sets from one process that reaches all their files. Used by one thread;
 * works with several.
 */
public final class OfflineRedset {
    private final FileOperations operations;
    private final Path directory;
    private final PathPolicy policy;
    private final int threads;
    private final Set<String> encodings;

    /**
     * A directory to work on.
     *
     * @param directory holds redundancy files
     * @param policy where data files may be
     * @param threads how many work at once
     */
    public OfflineRedset(Path directory, PathPolicy policy, int threads) {
        this(FileOperations.system(), directory, policy, threads, List.of());
    }

    /**
     * A directory with files of several encodings to work on.
     *
     * @param encodings redundancy or descriptor files in the directory that are of the encoding that counts, whatever
     *        the descriptor files say; the encodings that they contradict are left alone
     */
    OfflineRedset(FileOperations operations, Path directory, PathPolicy policy, int threads,
            Collection<Path> encodings) {
        if (threads < 1) {
            throw new IllegalArgumentException("threads must be at least 1: threads=" + threads);
        }
        this.operations = operations;
        this.directory = directory;
        this.policy = policy;
        this.threads = threads;
        this.encodings = encodings.stream().map(path -> String.valueOf(path.getFileName()))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The redundancy files of the directory, and which of them count. */
    public DirectoryContent scan() throws IOException {
        return DirectoryContent.of(DirectoryScan.of(operations, directory), encodings);
    }

    /** What is missing, by names and sizes. */
    public List<SetInspection> inspect() throws IOException {
        return inspect(scan(), null);
    }

    /** What is missing or damaged, by contents too: reads everything, writes nothing. */
    public List<SetInspection> verify() throws IOException {
        return inspect(scan(), ErasureKernels.preferred());
    }

    /** The state of all sets, by contents too when there is a kernel to recompute redundancy with. */
    List<SetInspection> inspect(DirectoryContent content, @Nullable ErasureKernel kernel) throws IOException {
        List<SetInspection> inspections = new ArrayList<>();
        for (DirectoryContent.FoundSet found : content.sets()) {
            inspections.add(new SetInspector(operations, found, policy).inspect(kernel, threads));
        }
        return inspections;
    }

    /**
     * The journals of commits that were interrupted after files may have been moved, if the journals of all ranks are
     * in this directory. {@link #settleInterrupted} completes or aborts such a commit. Before that, files of two
     * encodings lie here, and {@link #inspect} and {@link #verify} may find sets worse than they are. Changes nothing.
     */
    public List<Path> interruptedHere() throws IOException {
        List<Path> journals = new ArrayList<>();
        for (InterruptedCommit commit : interruptedCommits()) {
            if (commit.isWhole()) {
                commit.ofRanks().forEach(ofRank -> journals
                        .add(directory.resolve(String.valueOf(ofRank.journalPath().getFileName()))));
            }
        }
        journals.sort(Comparator.naturalOrder());
        return journals;
    }

    /**
     * Completes or aborts commits that were interrupted after files may have been moved. Journals stay when those
     * of other ranks are elsewhere: {@code Redset.recover} on all ranks needs them.
     *
     * <p>
     * Must not be called while a job works in the directory. The journals of a running {@code Redset.apply} look like
     * those of a killed one, and both would move the same files.
     *
     * @return the journals of ranks whose files were moved
     */
    public List<Path> settleInterrupted() throws IOException {
        List<Path> moved = new ArrayList<>();
        for (InterruptedCommit commit : interruptedCommits()) {
            moved.addAll(commit.settle());
        }
        moved.sort(Comparator.naturalOrder());
        return moved;
    }

    /** Those in which files may have been moved. */
    private List<InterruptedCommit> interruptedCommits() throws IOException {
        Map<UUID, List<FileCommit>> byCommit = new HashMap<>();
        for (FileCommit ofRank : FileCommit.interruptedIn(operations, directory)) {
            CommitJournal journal = ofRank.journal();
            if (journal != null) {
                byCommit.computeIfAbsent(journal.commit(), absent -> new ArrayList<>()).add(ofRank);
            }
        }
        List<InterruptedCommit> commits = new ArrayList<>();
        byCommit.forEach((commit, ranks) -> commits.add(new InterruptedCommit(commit, ranks)));
        commits.removeIf(commit -> !commit.decision().mayHaveMoved());
        return commits;
    }

    /** Repairs what was found. */
    public SetRepair repair() {
        return new SetRepair(operations, threads);
    }

    /**
     * What all ranks were in the middle of when they were killed, as far as their journals are in one directory.
     *
     * @param commit which
     * @param ofRanks of the ranks whose journals are here; at least one
     */
    record InterruptedCommit(UUID commit, List<FileCommit> ofRanks) {
        InterruptedCommit {
            ofRanks = List.copyOf(ofRanks);
        }

        FileCommit.Decision decision() {
            return new FileCommit.Decision(commit, ofRanks.stream().map(FileCommit::stage).toList());
        }

        /** Whether the journals of all ranks are here, so that no other decides anything. */
        boolean isWhole() {
            CommitJournal journal = ofRanks.get(0).journal();
            return journal != null && journal.ranks() == ofRanks.size();
        }

        /**
         * Moves all files on, or all back, and removes the journals when all are here.
         *
         * @return the journals of ranks whose files were moved
         */
        List<Path> settle() throws IOException {
            boolean whole = isWhole();
            FileCommit.Decision decision = decision();
            List<Path> moved = new ArrayList<>();
            for (FileCommit ofRank : ofRanks) {
                if (decision.apply(ofRank)) {
                    moved.add(ofRank.journalPath());
                }
            }
            if (whole) {
                for (FileCommit ofRank : ofRanks) {
                    ofRank.end();
                }
            }
            return moved;
        }
    }
}
