package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.internal.erasure.ErasureKernels;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.CommitJournal;

/**
 * Inspects, verifies and rebuilds redundancy sets from one process that reaches all their files: sets of redset, each in
 * one directory, and those of another program, which may be spread over the directories. Used by one thread; works with
 * several.
 */
public final class OfflineRedset {
    private static final Pattern CHECKPOINT = Pattern.compile("checkpoint\\.\\d+");

    private final FileOperations operations;
    private final List<Path> directories;
    private final ForeignSets foreign;
    private final PathPolicy policy;
    private final int threads;
    private final Collection<Path> encodings;

    /**
     * One directory to work on, with sets of redset.
     *
     * @param directory holds redundancy files
     * @param policy where data files may be
     * @param threads how many work at once
     */
    public OfflineRedset(Path directory, PathPolicy policy, int threads) {
        this(FileOperations.system(), List.of(directory), (redset, contents, content) -> {}, policy, threads,
                List.of());
    }

    /**
     * Directories to work on.
     *
     * @param operations the file system
     * @param directories hold redundancy files; no two are the same, see {@link #distinct}
     * @param foreign finds the sets of another program, which may be spread over the directories
     * @param policy where data files may be
     * @param threads how many work at once
     * @param encodings redundancy or descriptor files that are of the encoding that counts, whatever the descriptor
     *        files say; the encodings that they contradict are left alone. Each is a directory given and a name
     */
    public OfflineRedset(FileOperations operations, List<Path> directories, ForeignSets foreign, PathPolicy policy,
            int threads, Collection<Path> encodings) {
        if (threads < 1) {
            throw new IllegalArgumentException("threads must be at least 1: threads=" + threads);
        }
        this.operations = operations;
        this.directories = List.copyOf(directories);
        this.foreign = foreign;
        this.policy = policy;
        this.threads = threads;
        this.encodings = List.copyOf(encodings);
    }

    /**
     * Directories without those that are the same as earlier ones, under another name or not.
     *
     * @throws IOException when one isn't there
     */
    public static List<Path> distinct(List<Path> directories) throws IOException {
        Map<Path, Path> byRealPath = new LinkedHashMap<>();
        for (Path directory : directories) {
            byRealPath.putIfAbsent(directory.toRealPath(), directory);
        }
        return List.copyOf(byRealPath.values());
    }

    /** Sets of another program than redset. */
    @FunctionalInterface
    public interface ForeignSets {
        /**
         * Adds those that are there.
         *
         * @param contents gives the arithmetic to compare contents, or null to look at names and sizes only
         */
        void look(OfflineRedset redset, @Nullable ErasureKernel contents, Content content) throws IOException;
    }

    /** The file system. */
    public FileOperations operations() {
        return operations;
    }

    /** The directories, as they were given. */
    public List<Path> directories() {
        return directories;
    }

    /** Where data files may be. */
    public PathPolicy policy() {
        return policy;
    }

    /** How many work at once. */
    public int threads() {
        return threads;
    }

    /**
     * What is in the directories.
     *
     * @param ofRedset which files of redset count, by directory
     * @param sets all sets
     * @param problems what is wrong with files of another program beside sets
     */
    public record Content(List<DirectoryContent> ofRedset, List<SetInspection> sets, List<String> problems) {}

    /** What is missing, by names and sizes. */
    public Content inspect() throws IOException {
        return look(null);
    }

    /** What is missing or damaged, by contents too: reads everything, writes nothing. */
    public Content verify() throws IOException {
        return look(ErasureKernels.preferred());
    }

    private Content look(@Nullable ErasureKernel contents) throws IOException {
        Content content = new Content(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (Path directory : directories) {
            Set<String> named = encodings.stream().map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> encodings.contains(directory.resolve(name))).collect(Collectors.toSet());
            DirectoryContent ofDirectory = DirectoryContent.of(DirectoryScan.of(operations, directory), named);
            content.ofRedset().add(ofDirectory);
            for (DirectoryContent.FoundSet found : ofDirectory.sets()) {
                content.sets().add(new SetInspector(operations, found, policyIn(directory)).inspect(contents, threads));
            }
        }
        foreign.look(this, contents, content);
        return new Content(content.ofRedset(), SharedTargets.withoutConflicts(content.sets()), content.problems());
    }

    /** A directory of a checkpoint may be a copy of another, whose files are not meant. */
    private PathPolicy policyIn(Path directory) {
        Path absolute = directory.toAbsolutePath().normalize();
        return CHECKPOINT.matcher(String.valueOf(absolute.getFileName())).matches() ? policy.at(absolute) : policy;
    }

    /** Repairs what {@link #verify} has found. */
    public SetRepair repair() {
        return new SetRepair(operations, threads);
    }

    /**
     * The journals of commits that were interrupted after files may have been moved, if the journals of all ranks are
     * in one directory. {@link #settleInterrupted} completes or aborts such a commit. Before that, files of two
     * encodings lie there, and {@link #inspect} and {@link #verify} may find sets worse than they are. Changes nothing.
     */
    public List<Path> interruptedHere() throws IOException {
        List<Path> journals = new ArrayList<>();
        for (Path directory : directories) {
            interruptedCommits(directory).stream().filter(InterruptedCommit::isWhole)
                    .flatMap(commit -> commit.ofRanks().stream())
                    .map(ofRank -> directory.resolve(String.valueOf(ofRank.journalPath().getFileName()))).sorted()
                    .forEach(journals::add);
        }
        return journals;
    }

    /**
     * Completes or aborts commits that were interrupted after files may have been moved. Journals stay when those
     * of other ranks are elsewhere: {@code Redset.recover} on all ranks needs them.
     *
     * <p>
     * Must not be called while a job works in the directories. The journals of a running {@code Redset.apply} look like
     * those of a killed one, and both would move the same files.
     *
     * @return the journals of ranks whose files were moved
     */
    public List<Path> settleInterrupted() throws IOException {
        List<Path> moved = new ArrayList<>();
        for (Path directory : directories) {
            List<Path> movedHere = new ArrayList<>();
            for (InterruptedCommit commit : interruptedCommits(directory)) {
                movedHere.addAll(commit.settle());
            }
            movedHere.stream().sorted().forEach(moved::add);
        }
        return moved;
    }

    /** Those in which files may have been moved. */
    private List<InterruptedCommit> interruptedCommits(Path directory) throws IOException {
        Map<UUID, List<FileCommit>> byCommit = new HashMap<>();
        for (FileCommit ofRank : FileCommit.interruptedIn(operations, directory)) {
            CommitJournal journal = ofRank.journal();
            if (journal != null) {
                byCommit.computeIfAbsent(journal.commit(), absent -> new ArrayList<>()).add(ofRank);
            }
        }
        return byCommit.values().stream().map(InterruptedCommit::new)
                .filter(commit -> commit.decision().mayHaveMoved()).toList();
    }

    /**
     * What all ranks were in the middle of when they were killed, as far as their journals are in one directory.
     *
     * @param ofRanks of the ranks whose journals are here; at least one
     */
    record InterruptedCommit(List<FileCommit> ofRanks) {
        InterruptedCommit {
            ofRanks = List.copyOf(ofRanks);
        }

        FileCommit.Decision decision() {
            return new FileCommit.Decision(ofRanks.stream().map(FileCommit::stage).toList());
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
