package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.restorej.redset.internal.coding.MemberChecksums;
import org.restorej.redset.internal.coding.MemberMetadata;
import org.restorej.redset.internal.coding.Progress;
import org.restorej.redset.internal.coding.SetRebuilder;
import org.restorej.redset.internal.coding.SmallFiles;
import org.restorej.redset.internal.erasure.ErasureKernels;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FileTransaction;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.CommitJournal;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.SetDescription;

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
        this(directory, policy, threads, List.of());
    }

    /**
     * A directory with files of several encodings to work on.
     *
     * @param encodings redundancy or descriptor files in the directory that are of the encoding that counts, whatever
     *        the descriptor files say; the encodings that they contradict are left alone
     */
    public OfflineRedset(Path directory, PathPolicy policy, int threads, Collection<Path> encodings) {
        this(FileOperations.system(), directory, policy, threads, encodings);
    }

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
        List<SetInspection> inspections = new ArrayList<>();
        for (FoundSet found : scan().sets()) {
            inspections.add(new SetInspector(operations, found, policy).inspect(null, threads));
        }
        return inspections;
    }

    /** What is missing or damaged, by contents too: reads everything, writes nothing. */
    public List<SetInspection> verify() throws IOException {
        List<SetInspection> inspections = new ArrayList<>();
        for (FoundSet found : scan().sets()) {
            inspections.add(new SetInspector(operations, found, policy).inspect(ErasureKernels.preferred(), threads));
        }
        return inspections;
    }

    /**
     * The journals of commits that were interrupted after files may have been moved, if the journals of all ranks are
     * in this directory. {@link #settleInterrupted} completes or withdraws such a commit. Before that, files of two
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
     * Completes or withdraws commits that were interrupted after files may have been moved. Journals stay when those
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

    /** Bytes that {@link #rebuild} will tell a progress of. */
    public long workBytes(SetInspection damaged) {
        SetDescription set = damaged.description();
        return set == null || damaged.state() != SetInspection.State.REPAIRABLE
                ? 0
                : rebuilder(damaged, set).workBytes();
    }

    /**
     * Repairs all damages of a set, or none. When files are rebuilt, those of the other members get the recorded mode,
     * owner and times, too, as redset does it.
     *
     * @param damaged what {@link #verify} found; must be repairable
     * @throws IOException when something can't be read or written; nothing is worse than before then
     */
    public void rebuild(SetInspection damaged, Progress progress) throws IOException {
        SetDescription set = rebuildMissing(damaged, progress);
        for (int rank = 0; rank < set.ranks() && !damaged.missing().isEmpty(); rank++) {
            if (!damaged.missing().get(rank)) {
                MemberMetadata.restore(operations, set.member(rank), damaged.locations().get(rank));
            }
        }
    }

    /**
     * As {@link #rebuild}, but doesn't change the files of members that are not missing.
     *
     * @return the set
     */
    public SetDescription rebuildMissing(SetInspection damaged, Progress progress) throws IOException {
        SetDescription set = damaged.description();
        if (set == null || damaged.state() == SetInspection.State.LOST) {
            throw new IllegalArgumentException(
                    "the set of " + damaged.prefix() + " can't be rebuilt: " + damaged.damages());
        }
        rebuilder(damaged, set).rebuild(progress);
        rewriteSmallFiles(damaged, set);
        return set;
    }

    private SetRebuilder rebuilder(SetInspection damaged, SetDescription set) {
        return new SetRebuilder(operations, ErasureKernels.preferred(), set, damaged.locations(), damaged.checksums(),
                damaged.missing(), threads);
    }

    /**
     * Writes damaged descriptor and checksum files anew. Checksums that no file knows are computed from the contents,
     * since redundancy and data agree.
     */
    private void rewriteSmallFiles(SetInspection damaged, SetDescription set) throws IOException {
        BitSet ranks = new BitSet();
        damaged.damages().stream().filter(damage -> damage.rank() >= 0).forEach(damage -> ranks.set(damage.rank()));
        SortedMap<Integer, RankChecksums> checksums = new TreeMap<>(damaged.checksums());
        if (checksums.isEmpty() && !damaged.hasDamagedChecksums()) {
            ranks.andNot(damaged.missing());
        } else {
            for (int rank = 0; rank < set.ranks(); rank++) {
                if (!checksums.containsKey(rank)) {
                    checksums.put(rank, MemberChecksums.of(operations, set, rank, damaged.locations().get(rank)));
                }
            }
        }
        try (FileTransaction transaction = new FileTransaction(operations)) {
            for (int rank : ranks.stream().toArray()) {
                SmallFiles.write(transaction, set, rank, damaged.locations().get(rank), checksums);
            }
            transaction.publish();
        }
    }
}
