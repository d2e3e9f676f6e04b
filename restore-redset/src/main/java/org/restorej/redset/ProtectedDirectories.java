package org.restorej.redset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.restorej.internal.erasure.ErasureKernels;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.InterruptedCommit;
import org.restorej.redset.internal.files.LockFile;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.RedsetFileNames;
import org.restorej.redset.internal.protocol.EncodeOperation;
import org.restorej.redset.internal.protocol.RankFiles;
import org.restorej.redset.internal.protocol.RecoverOperation;
import org.restorej.redset.internal.protocol.RedsetChannel;
import org.restorej.redset.internal.sets.ProtectionSettings;

/**
 * The directories of checkpoints, each protected like the directory of a {@link Redset}. One channel, with its memory,
 * serves all of them. Not thread-safe.
 */
final class ProtectedDirectories {
    private static final System.Logger LOG = System.getLogger(ProtectedDirectories.class.getName());
    private static final String NAME_PREFIX = "rank.";

    private final RedsetChannel channel;
    private final boolean degradesSmallSets;

    /**
     * Directories of the ranks of a channel.
     *
     * @param channel stays the caller's
     */
    ProtectedDirectories(RedsetChannel channel, boolean degradesSmallSets) {
        this.channel = channel;
        this.degradesSmallSets = degradesSmallSets;
    }

    private String descriptorName() {
        return NAME_PREFIX + channel.rank() + ".redset";
    }

    /** Protects files in a directory. Called by all ranks. */
    void protect(Path directory, RedundancyDescriptor descriptor, String failureGroup, List<Path> files) {
        ProtectionSettings settings = new ProtectionSettings(descriptor.scheme(), descriptor.setSize(),
                degradesSmallSets, failureGroup);
        RankFiles own = filesIn(directory);
        try (LockFile lock = own.lock(channel.originalRank())) {
            new EncodeOperation(channel, own, lock, Redset.DEFAULT_PIECE_BYTES).run(settings,
                    ErasureKernels::preferred, files);
        }
    }

    /**
     * Lets this rank write over the redundancy file of a checkpoint that is to be removed, when it next protects one: a
     * file whose pages are there already takes a third less time. Local. Nothing is lost by a failure, such as between
     * file systems.
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

    /** Moves the spare file of a checkpoint to the directory that is protected next. Local, as {@link #keepSpare}. */
    void moveSpare(Path former, Path next) {
        try {
            filesIn(next).commit().takeSpareOf(filesIn(former).commit());
        } catch (IOException failure) {
            LOG.log(System.Logger.Level.DEBUG, "no spare file is used", failure);
        }
    }

    /** What the ranks see of the files that protect a directory. Called by all ranks. */
    ProtectionState look(Path directory) {
        RankFiles own = filesIn(directory);
        int committers = channel.compute("restart",
                () -> interruptedIn(own).map(InterruptedCommit::processes).orElse(0));
        return ProtectionState.of(channel, own, committers);
    }

    /**
     * As {@link #look}. When all journals are of as many ranks as here, it first completes or undoes what those ranks
     * were doing when they were killed, and rebuilds what is missing. Called by all ranks.
     */
    ProtectionState settle(Path directory) {
        ProtectionState protection = look(directory);
        if (!protection.isInterruptedIn(channel.size())) {
            return protection;
        }
        try {
            recover(List.of(directory));
        } catch (IrrecoverableFilesException | RedsetException notWhole) {
            // What of it matters is seen by another look, or told by who tries to have the files.
            LOG.log(System.Logger.Level.DEBUG, "not whole after an interruption", notWhole);
        }
        return look(directory);
    }

    /**
     * Why these ranks can't complete what others were doing when they were killed; the same on all. Called by all
     * ranks, when some rank sees a journal.
     */
    String interruption(Path directory) {
        List<String> own = channel.compute("restart", () -> interruptedIn(filesIn(directory)).map(found -> Stream
                .concat(Stream.of(found.obstacle(channel.size())), found.directories().stream()).toList())
                .orElse(List.of()));
        List<List<String>> told = channel.compute("restart", () -> channel.allGather(own)).stream()
                .filter(texts -> !texts.isEmpty()).toList();
        return told.isEmpty()
                ? "its journal is gone"
                : told.getFirst().getFirst() + told.stream().flatMap(texts -> texts.stream().skip(1)).distinct()
                        .collect(Collectors.joining(" "));
    }

    /** Whether this rank's files in a directory are protected, and not in the middle of being so. Local. */
    boolean isComplete(Path directory) {
        try {
            return Files.exists(directory.resolve(descriptorName()))
                    && interruptedIn(filesIn(directory)).isEmpty();
        } catch (IOException unreadable) {
            return false;
        }
    }

    /**
     * Rebuilds what is missing of a checkpoint. Called by all ranks.
     *
     * @param places directories where this rank looks for its files; the first is that of its own
     * @return the files of the ranks that this process has acted for, by the rank that protected them
     */
    SortedMap<Integer, List<Path>> recover(List<Path> places) {
        List<RankFiles> files = places.stream().map(this::filesIn).toList();
        List<LockFile> locks = files.stream().map(own -> own.lock(channel.originalRank())).toList();
        try {
            return new RecoverOperation(channel, files, () -> take(locks), Redset.DEFAULT_PIECE_BYTES)
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
     * Rebuilds what is missing of a checkpoint in a store. Called by all ranks.
     *
     * @param skipped takes the reason why it can't be had
     * @return empty on all ranks, when it is not there or can't be had
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
            return Optional.empty();
        }
        if (protection.isForOthersToSettle(channel.size())) {
            skipped.unreachable(id, places, interruption(directory));
            return Optional.empty();
        }
        try {
            return Optional.of(new Datasets.Dataset(id, directory, recover(List.of(directory)), skipped.reasons()));
        } catch (IrrecoverableFilesException lost) {
            // Another number of processes may just not see enough: then nothing begins anew.
            if (protection.isOfAsMany(channel.size())) {
                skipped.lost(id, places, String.valueOf(lost.getMessage()));
            } else {
                skipped.unreachable(id, places, String.valueOf(lost.getMessage()));
            }
        } catch (RedsetException unreadable) {
            skipped.unreachable(id, places, String.valueOf(unreadable.getMessage()));
        }
        return Optional.empty();
    }

    /** What the journal of this rank tells of, or, when it has none, the first of another rank in the directory. */
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
     * What the ranks see of the files that protect a directory, by names and descriptors only; the same on all ranks.
     *
     * @param isThere whether anything protects files of any rank, or was about to
     * @param fewestFiles of the rank with fewest
     * @param maxFiles of the rank with most
     * @param fewestWriters how many processes protected them together, by the descriptor that says least; 0 without one
     * @param maxWriters the same, by the descriptor that says most
     * @param fewestCommitters how many processes were killed in the middle of protecting them, by the journal that says
     *        least; 0 without one
     * @param maxCommitters the same, by the journal that says most
     */
    record ProtectionState(boolean isThere, long fewestFiles, long maxFiles, long fewestWriters, long maxWriters,
            long fewestCommitters, long maxCommitters) {
        /**
         * Looks. Called by all ranks.
         *
         * @param committers of the journal that this rank sees; 0 without one
         */
        static ProtectionState of(RedsetChannel channel, RankFiles own, int committers) {
            return channel.compute("restart", () -> {
                long count = own.protectingFiles().size();
                long writers = own.writers();
                boolean isThere = committers > 0 || DirectoryEntries.namesOf(own.directory()).stream()
                        .anyMatch(name -> RedsetFileNames.rankOf(own.namePrefix(), name).isPresent());
                long[] found = {count, -count, minOf(writers), -writers, minOf(committers), -committers,
                        isThere ? 0 : 1};
                channel.least(found);
                return new ProtectionState(found[6] == 0, found[0], -found[1], found[3] == 0 ? 0 : found[2], -found[3],
                        found[5] == 0 ? 0 : found[4], -found[5]);
            });
        }

        /** Keeps ranks without any from being the least. */
        private static long minOf(long processes) {
            return processes == 0 ? Long.MAX_VALUE : processes;
        }

        /** Whether all descriptors that are left are of so many processes. */
        boolean isOfAsMany(int processes) {
            return fewestWriters == processes && maxWriters == processes;
        }

        /** Whether a journal is left, of any number of processes. */
        boolean isInterrupted() {
            return maxCommitters > 0;
        }

        /**
         * Whether journals are left, all of so many processes. As many processes can complete or undo what the journals
         * say.
         */
        boolean isInterruptedIn(int processes) {
            return fewestCommitters == processes && maxCommitters == processes;
        }

        /** Whether journals are left that only another number of processes can settle, and no descriptor says how many. */
        boolean isForOthersToSettle(int processes) {
            return isInterrupted() && maxWriters == 0 && !isInterruptedIn(processes);
        }

        /** Whether all ranks have equally many files. */
        boolean isAlike() {
            return fewestFiles == maxFiles;
        }
    }
}
