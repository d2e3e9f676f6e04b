package org.restorej.redset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.restorej.internal.erasure.ErasureKernels;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.InterruptedCommit;
import org.restorej.redset.internal.files.LockFile;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.RedsetFileNames;
import org.restorej.redset.internal.protocol.EncodeOperation;
import org.restorej.redset.internal.protocol.RankFiles;
import org.restorej.redset.internal.protocol.RecoverOperation;
import org.restorej.redset.internal.protocol.RedsetChannel;
import org.restorej.redset.internal.sets.ProtectionSettings;

/**
 * The directories of checkpoints, each protected like the directory of a {@link Redset}. They share one channel and its
 * memory. Not thread-safe.
 */
final class ProtectedDirectories {
    private static final System.Logger LOG = System.getLogger(ProtectedDirectories.class.getName());
    private static final String NAME_PREFIX = "rank.";
    private static final String RESTART = "restart";

    private final RedsetChannel channel;
    private final boolean degradesSmallSets;
    private final UnreadableFolders unreadable;

    /**
     * Directories of the ranks of a channel.
     *
     * @param channel stays the caller's
     * @param unreadable gets the directories that ranks can't list
     */
    ProtectedDirectories(RedsetChannel channel, boolean degradesSmallSets, UnreadableFolders unreadable) {
        this.channel = channel;
        this.unreadable = unreadable;
        this.degradesSmallSets = degradesSmallSets;
    }

    private String descriptorName() {
        return NAME_PREFIX + channel.rank() + ".redset";
    }

    /**
     * Protects files in a directory. Called by all ranks.
     *
     * @param subject what is protected, which must be the same on all ranks
     * @param files supplies those of this rank, or throws an {@link IllegalArgumentException}
     */
    void protect(Path directory, String subject, RedundancyDescriptor descriptor, String failureGroup,
            Supplier<List<Path>> files) {
        ProtectionSettings settings = new ProtectionSettings(descriptor.scheme(), descriptor.setSize(),
                degradesSmallSets, failureGroup);
        RankFiles own = filesIn(directory);
        try (LockFile lock = own.lock(channel.originalRank())) {
            new EncodeOperation("complete", channel, own, lock, Redset.DEFAULT_PIECE_BYTES).run(subject, settings,
                    ErasureKernels::preferred, files);
        }
    }

    /**
     * Checks that ranks can have a protection. Local.
     *
     * @param failureGroups of all ranks, by rank; empty for a rank whose host has none
     * @throws IllegalArgumentException if they can't
     */
    void requirePossible(RedundancyDescriptor descriptor, List<String> failureGroups) {
        int without = failureGroups.indexOf("");
        if (without >= 0) {
            throw new IllegalArgumentException("each host must have a failure group of the kind " + descriptor.group()
                    + ", and that of rank " + without + " has none");
        }
        try {
            new ProtectionSettings(descriptor.scheme(), descriptor.setSize(), degradesSmallSets, "")
                    .places(failureGroups.stream().map(group -> new ProtectionSettings(descriptor.scheme(),
                            descriptor.setSize(), degradesSmallSets, group).toTree()).toList());
        } catch (FormatException impossible) {
            throw new IllegalStateException("settings must be as they were written", impossible);
        }
    }

    /**
     * Keeps the redundancy file of a checkpoint that will be removed, for this rank to overwrite at the next
     * checkpoint: writing to existing pages takes a third less time. Local. An error, such as between file systems, has
     * no effect.
     */
    void keepSpare(Path removed, Path newest) {
        try {
            for (Path file : filesIn(removed).protectingFiles()) {
                if (RedsetFileNames.parseRedundancy(String.valueOf(file.getFileName())).isPresent()) {
                    filesIn(newest).commit().keepSpare(file);
                    return;
                }
            }
        } catch (IOException | UncheckedIOException failure) {
            LOG.log(System.Logger.Level.DEBUG, "no spare file is kept", failure);
        }
    }

    /** Moves the spare file of a checkpoint to the directory that is protected next. Local; see {@link #keepSpare}. */
    void moveSpare(Path former, Path next) {
        try {
            filesIn(next).commit().takeSpareOf(filesIn(former).commit());
        } catch (IOException failure) {
            LOG.log(System.Logger.Level.DEBUG, "no spare file is used", failure);
        }
    }

    /**
     * The state of the files that protect a directory. A rank that can't list it has none there. Called by all ranks.
     */
    ProtectionState look(Path directory) {
        RankFiles own = filesIn(directory);
        Map<Path, String> obstacle = obstacle(directory);
        int committers = channel.compute(RESTART,
                () -> obstacle.isEmpty() ? interruptedIn(own).map(InterruptedCommit::processes).orElse(0) : 0);
        ProtectionState state = ProtectionState.of(channel, own, committers, obstacle.isEmpty());
        return state.unread().isEmpty() ? state : state.unread(unreadable.tell(RESTART, obstacle));
    }

    /** The reason why this rank can't list a directory, by its store; empty if it can. Local. */
    private static Map<Path, String> obstacle(Path directory) {
        Path store = Objects.requireNonNull(directory.toAbsolutePath().getParent());
        return DirectoryEntries.obstacle(directory).map(reason -> Map.of(store, reason)).orElse(Map.of());
    }

    /**
     * The state of the files that protect a directory, after an interruption. If all journals are of this number of
     * ranks, it first completes or undoes the operation in which those ranks were killed, and rebuilds what is missing.
     * Called by all ranks.
     */
    ProtectionState settle(Path directory) {
        ProtectionState protection = look(directory);
        if (!protection.isInterruptedIn(channel.size())) {
            return protection;
        }
        try {
            recover(List.of(directory));
        } catch (IrrecoverableFilesException | RedsetException notWhole) {
            // The next look, or the caller that needs the files, reports what matters.
            LOG.log(System.Logger.Level.DEBUG, "not whole after an interruption", notWhole);
        }
        return look(directory);
    }

    /**
     * The reason why these ranks can't complete an operation in which others were killed; the same on all. Called by
     * all ranks if any rank sees a journal.
     */
    String interruption(Path directory) {
        boolean isReadable = obstacle(directory).isEmpty();
        List<String> own = channel.compute(RESTART, () -> (isReadable
                ? interruptedIn(filesIn(directory))
                : Optional.<InterruptedCommit>empty()).map(
                        found -> Stream
                                .concat(Stream.of(found.obstacle(channel.size())), found.directories().stream())
                                .toList())
                .orElse(List.of()));
        List<List<String>> told = channel.compute(RESTART, () -> channel.allGather(own)).stream()
                .filter(texts -> !texts.isEmpty()).toList();
        return told.isEmpty()
                ? "its journal is gone"
                : told.getFirst().getFirst() + told.stream().flatMap(texts -> texts.stream().skip(1)).distinct()
                        .collect(Collectors.joining(" "));
    }

    /** Whether this rank's files in a directory are protected, and no operation on them was interrupted. Local. */
    boolean isComplete(Path directory) {
        try {
            return Files.exists(directory.resolve(descriptorName()))
                    && interruptedIn(filesIn(directory)).isEmpty();
        } catch (IOException unreadable) {
            return false;
        }
    }

    /** What this rank lacks of its files in a directory that was protected, by names and sizes. Local. */
    List<String> missing(Path directory) throws IOException {
        return filesIn(directory).missing();
    }

    /**
     * Rebuilds the missing files of a checkpoint. Called by all ranks.
     *
     * @param places directories in which this rank looks for its files; the first is its own
     * @return the files of the former ranks that this rank acts for, by the rank that protected them
     */
    SortedMap<Integer, List<Path>> recover(List<Path> places) {
        List<RankFiles> files = places.stream().map(this::filesIn).toList();
        List<LockFile> locks = files.stream().map(own -> own.lock(channel.originalRank())).toList();
        try {
            return new RecoverOperation(channel, files, () -> take(locks), Redset.DEFAULT_PIECE_BYTES, true)
                    .run(ErasureKernels::preferred).files();
        } finally {
            locks.forEach(LockFile::close);
        }
    }

    private static void take(List<LockFile> locks) throws IOException {
        for (LockFile lock : locks) {
            lock.take();
        }
    }

    /**
     * Rebuilds the missing files of a checkpoint in a store. Called by all ranks.
     *
     * @param skipped records the reason if it can't be recovered
     * @return empty on all ranks, if it doesn't exist or can't be recovered
     */
    Optional<Datasets.Dataset> restart(DatasetStore store, long id, SkippedCheckpoints skipped) {
        Path directory = store.directoryOf(id);
        List<Path> places = List.of(store.directory());
        ProtectionState protection;
        try {
            protection = settle(directory);
        } catch (RedsetException unreadable) {
            skipped.unreachable(id, places, String.valueOf(unreadable.getMessage()));
            return Optional.empty();
        }
        if (!protection.isThere()) {
            protection.unread().ifPresent(folders -> skipped.unreachable(id, places, folders));
            return Optional.empty();
        }
        if (protection.isForOthersToSettle(channel.size())) {
            skipped.unreachable(id, places, interruption(directory));
            return Optional.empty();
        }
        try {
            return Optional.of(new Datasets.Dataset(id, directory, recover(List.of(directory)), skipped.reasons()));
        } catch (IrrecoverableFilesException lost) {
            String reason = lost.getMessage() + protection.unread().map(folders -> "; " + folders).orElse("");
            // Another number of ranks may only see too little; the job must then not start afresh.
            if (protection.isOfAsMany(channel.size()) && protection.unread().isEmpty()) {
                skipped.lost(id, places, reason);
            } else {
                skipped.unreachable(id, places, reason);
            }
        } catch (RedsetException unreadable) {
            skipped.unreachable(id, places, String.valueOf(unreadable.getMessage()));
        }
        return Optional.empty();
    }

    /**
     * The interrupted operation in the journal of this rank or, if it has none, the first of another rank in the
     * directory.
     */
    private static Optional<InterruptedCommit> interruptedIn(RankFiles own) throws IOException {
        FileCommit commit = own.commit();
        commit.load();
        return commit.journal() != null
                ? Optional.of(new InterruptedCommit(List.of(commit)))
                : InterruptedCommit.in(own.operations(), List.of(own.directory())).stream().findFirst();
    }

    private RankFiles filesIn(Path directory) {
        return new RankFiles(FileOperations.system(), directory, NAME_PREFIX,
                PathPolicy.within(Path.of(""), directory).at(directory), channel.rank());
    }

    /**
     * The state of the files that protect a directory, by names and descriptors only; the same on all ranks.
     *
     * @param isThere whether any file protects files of any rank, or such an operation was interrupted
     * @param fewestFiles minimum number of files of a rank
     * @param maxFiles maximum number of files of a rank
     * @param fewestWriters minimum number of ranks that protected them together, over all descriptors; 0 without
     *        one
     * @param maxWriters maximum such number
     * @param fewestCommitters minimum number of ranks that were killed while protecting them, over all journals; 0
     *        without one
     * @param maxCommitters maximum such number
     * @param unread which ranks can't list the directory, and why; empty if all can
     */
    record ProtectionState(boolean isThere, long fewestFiles, long maxFiles, long fewestWriters, long maxWriters,
            long fewestCommitters, long maxCommitters, Optional<String> unread) {
        /**
         * Determines the state, without the reasons why directories can't be listed. Called by all ranks.
         *
         * @param committers number in the journal that this rank sees; 0 without one
         * @param isReadable whether this rank can list the directory
         */
        static ProtectionState of(RedsetChannel channel, RankFiles own, int committers, boolean isReadable) {
            return channel.compute(RESTART, () -> {
                long count = isReadable ? own.protectingFiles().size() : 0;
                long writers = isReadable ? own.writers() : 0;
                boolean isThere = committers > 0 || (isReadable && DirectoryEntries.namesOf(own.directory()).stream()
                        .anyMatch(name -> RedsetFileNames.rankOf(own.namePrefix(), name).isPresent()));
                long[] found = {count, -count, minOf(writers), -writers, minOf(committers), -committers,
                        isThere ? 0 : 1, isReadable ? 1 : 0};
                channel.min(found);
                return new ProtectionState(found[6] == 0, found[0], -found[1], found[3] == 0 ? 0 : found[2], -found[3],
                        found[5] == 0 ? 0 : found[4], -found[5],
                        found[7] == 0 ? Optional.of("not yet told") : Optional.empty());
            });
        }

        private ProtectionState unread(String folders) {
            return new ProtectionState(isThere, fewestFiles, maxFiles, fewestWriters, maxWriters, fewestCommitters,
                    maxCommitters, Optional.of(folders));
        }

        /** Excludes ranks without a number from the minimum. */
        private static long minOf(long processes) {
            return processes == 0 ? Long.MAX_VALUE : processes;
        }

        /** Whether all descriptors are of this number of ranks. */
        boolean isOfAsMany(int processes) {
            return fewestWriters == processes && maxWriters == processes;
        }

        /** Whether there is a journal, of any number of ranks. */
        boolean isInterrupted() {
            return maxCommitters > 0;
        }

        /**
         * Whether there are journals, all of this number of ranks. As many ranks can complete or undo what they
         * record.
         */
        boolean isInterruptedIn(int processes) {
            return fewestCommitters == processes && maxCommitters == processes;
        }

        /**
         * Whether there are journals that only another number of ranks can settle, and no descriptor has that
         * number.
         */
        boolean isForOthersToSettle(int processes) {
            return isInterrupted() && maxWriters == 0 && !isInterruptedIn(processes);
        }

        /** Whether all ranks have equally many files. */
        boolean isAlike() {
            return fewestFiles == maxFiles;
        }
    }
}
