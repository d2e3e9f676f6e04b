package org.restorej.redset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.erasure.ErasureKernels;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.InterruptedCommit;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.RedsetFileNames;
import org.restorej.redset.internal.protocol.EncodeOperation;
import org.restorej.redset.internal.protocol.PostponedFailure;
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
    /** Indices of facts of a directory: the least, and the negated greatest; then those that are 0 or 1. */
    private static final int FILES = 0;
    private static final int WRITERS = 2;
    private static final int COMMITTERS = 4;
    private static final int ABSENT = 6;
    private static final int READABLE = 7;
    private static final int FACTS = 8;

    private final RedsetChannel channel;
    private final DatasetStores stores;
    private final boolean degradesSmallSets;
    private final UnreadableFolders unreadable;

    /**
     * Directories of the ranks of a channel.
     *
     * @param channel stays the caller's
     * @param stores of the checkpoints; stay the caller's
     * @param unreadable gets the directories that ranks can't list
     */
    ProtectedDirectories(RedsetChannel channel, DatasetStores stores, boolean degradesSmallSets,
            UnreadableFolders unreadable) {
        this.channel = channel;
        this.stores = stores;
        this.unreadable = unreadable;
        this.degradesSmallSets = degradesSmallSets;
    }

    /**
     * Protects files in a directory. Called by all ranks.
     *
     * @param subject what is protected, which must be the same on all ranks
     * @param files supplies those of this rank, or throws an {@link IllegalArgumentException}
     */
    void protect(Path directory, String subject, RedundancyDescriptor descriptor, String failureGroup,
            Supplier<@Nullable List<Path>> files) {
        new EncodeOperation("complete", channel, filesIn(directory), stores.locks(), Redset.DEFAULT_PIECE_BYTES)
                .run(subject, settingsOf(descriptor, failureGroup), ErasureKernels::preferred, files);
    }

    private ProtectionSettings settingsOf(RedundancyDescriptor descriptor, String failureGroup) {
        return new ProtectionSettings(descriptor.scheme(), descriptor.setSize(), degradesSmallSets, failureGroup);
    }

    /**
     * Checks that these ranks can have a protection. Called by all ranks.
     *
     * @param failureGroup of this rank; empty if its host has none
     * @throws IllegalArgumentException on all ranks, if they can't
     */
    void requirePossible(RedundancyDescriptor descriptor, String failureGroup) {
        ProtectionSettings settings = settingsOf(descriptor, failureGroup);
        List<KvTree> told = channel.compute(RESTART, () -> channel.allGather(settings.toTree()));
        int without = told.indexOf(settingsOf(descriptor, "").toTree());
        if (without >= 0) {
            throw new IllegalArgumentException("each host must have a failure group of the kind " + descriptor.group()
                    + ", and that of rank " + without + " has none");
        }
        try {
            settings.places(told);
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
    private ProtectionState look(Path directory) {
        Map<Path, String> obstacle = obstacle(directory);
        long[] least = channel.compute(RESTART, () -> {
            PostponedFailure failure = new PostponedFailure();
            long[] own = failure.attempt(() -> facts(filesIn(directory), obstacle.isEmpty())).orElse(new long[FACTS]);
            channel.min(own);
            failure.throwIfAny();
            return own;
        });
        boolean isOfAsMany = isOnly(least, WRITERS);
        boolean isInterrupted = isOnly(least, COMMITTERS);
        return new ProtectionState(least[ABSENT] == 0, isOfAsMany, isOfAsMany && least[FILES] != -least[FILES + 1],
                isInterrupted, least[COMMITTERS + 1] < 0 && least[WRITERS + 1] == 0 && !isInterrupted,
                least[READABLE] == 0
                        ? Optional.of(UnreadableFolders.describe(unreadable.tell(RESTART, obstacle)))
                        : Optional.empty());
    }

    /** What a rank knows of a directory, as numbers whose minima over all ranks tell the state. */
    private static long[] facts(RankFiles own, boolean isReadable) throws IOException {
        long files = isReadable ? own.protectingFiles().size() : 0;
        long writers = isReadable ? own.writers() : 0;
        long committers = isReadable ? own.interrupted().map(InterruptedCommit::processes).orElse(0) : 0;
        boolean isThere = committers > 0 || (isReadable && DirectoryEntries.namesOf(own.directory()).stream()
                .anyMatch(name -> RedsetFileNames.rankOf(own.namePrefix(), name).isPresent()));
        return new long[]{files, -files, writers == 0 ? Long.MAX_VALUE : writers, -writers,
                committers == 0 ? Long.MAX_VALUE : committers, -committers, isThere ? 0 : 1, isReadable ? 1 : 0};
    }

    /** Whether a number that not all ranks have is, on those that have it, the number of these ranks. */
    private boolean isOnly(long[] least, int number) {
        return least[number] == channel.size() && -least[number + 1] == channel.size();
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
    private ProtectionState settle(Path directory) {
        ProtectionState protection = look(directory);
        if (!protection.isInterrupted()) {
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
    private String interruption(Path directory) {
        boolean isReadable = obstacle(directory).isEmpty();
        List<String> own = channel.compute(RESTART, () -> (isReadable
                ? filesIn(directory).interrupted()
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
            return Files.exists(directory.resolve(NAME_PREFIX + channel.rank() + ".redset"))
                    && filesIn(directory).interrupted().isEmpty();
        } catch (IOException unreadable) {
            return false;
        }
    }

    /**
     * Throws if files of this rank in a completed checkpoint are missing, have other sizes, or are no longer protected.
     * Local.
     */
    void requireComplete(long id) throws IOException {
        Path directory = stores.of(id).directoryOf(id);
        List<String> losses = isComplete(directory) ? filesIn(directory).missing() : List.of("all");
        if (!losses.isEmpty()) {
            throw new IOException("what was saved in " + directory + " is gone: " + String.join("; ", losses));
        }
    }

    /**
     * The state of a checkpoint after an interruption was settled; the same on all ranks.
     *
     * @param isProtected whether any file protects it; otherwise it was never completed
     * @param isVisiblyDamaged whether it is of as many ranks as these, and some of them have fewer files than others
     * @param obstacle the reason why these ranks can't settle it, or which of them can't look for it; empty if they can
     */
    record Settled(boolean isProtected, boolean isVisiblyDamaged, Optional<String> obstacle) {}

    /**
     * Completes or undoes an operation in which an equal number of ranks was killed, and rebuilds what is then missing.
     * Called by all ranks.
     */
    Settled settle(long id) {
        boolean isProtected = false;
        boolean damaged = false;
        Optional<String> obstacle = Optional.empty();
        for (DatasetStore store : stores.all()) {
            Path directory = store.directoryOf(id);
            ProtectionState state = settle(directory);
            isProtected |= state.isThere();
            damaged |= state.isVisiblyDamaged();
            if (state.isForOthersToSettle()) {
                obstacle = Optional.of(interruption(directory));
            } else if (obstacle.isEmpty()) {
                obstacle = state.unread();
            }
        }
        return new Settled(isProtected, damaged, obstacle);
    }

    /** Whether no rank sees a file that protects a checkpoint, of any rank. Called by all ranks. */
    boolean wasNeverCompleted(long id) {
        return channel.compute("save", () -> {
            PostponedFailure failure = new PostponedFailure();
            long unprotected = channel.min(failure.attempt(() -> isProtectedHere(id)).orElse(true) ? 0 : 1);
            failure.throwIfAny();
            return unprotected;
        }) == 1;
    }

    private boolean isProtectedHere(long id) throws IOException {
        boolean isProtected = false;
        for (Path directory : stores.directoriesOf(id)) {
            isProtected |= DirectoryEntries.namesOf(directory).stream().anyMatch(RedsetFileNames::isOfSomeEncoding);
        }
        return isProtected;
    }

    /**
     * Repairs a checkpoint as {@link Datasets#restart} does, in all stores. Called by all ranks. Reads everything. A
     * failed repair is not an error, because the caller may get the blocks in another way.
     *
     * @return the reason why it is not complete, the same on all ranks; empty if it is
     */
    Optional<String> recover(long id) {
        Set<Path> places = new LinkedHashSet<>(List.of(stores.of(id).directoryOf(id).toAbsolutePath()));
        places.addAll(List.of(stores.directoriesOf(id)));
        try {
            recover(List.copyOf(places));
            return Optional.empty();
        } catch (IrrecoverableFilesException | RedsetException failure) {
            String reason = String.valueOf(failure.getMessage());
            if (channel.rank() == 0) {
                LOG.log(System.Logger.Level.WARNING, "checkpoint {0} can''t be repaired: {1}", Long.toString(id),
                        reason);
            }
            return Optional.of(reason);
        }
    }

    /**
     * Rebuilds the missing files of a checkpoint. Called by all ranks.
     *
     * @param places directories in which this rank looks for its files; the first is its own
     * @return the files of the former ranks that this rank acts for, by the rank that protected them
     */
    private SortedMap<Integer, List<Path>> recover(List<Path> places) {
        List<RankFiles> files = places.stream().map(this::filesIn).toList();
        return new RecoverOperation(channel, files, stores.locks(), Redset.DEFAULT_PIECE_BYTES, true)
                .run(ErasureKernels::preferred).files();
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
        if (protection.isForOthersToSettle()) {
            skipped.unreachable(id, places, interruption(directory));
            return Optional.empty();
        }
        try {
            return Optional.of(new Datasets.Dataset(id, directory, recover(List.of(directory)), skipped.reasons()));
        } catch (IrrecoverableFilesException lost) {
            String reason = lost.getMessage() + protection.unread().map(folders -> "; " + folders).orElse("");
            // Another number of ranks may only see too little; the job must then not start afresh.
            if (protection.isOfAsMany() && protection.unread().isEmpty()) {
                skipped.lost(id, places, reason);
            } else {
                skipped.unreachable(id, places, reason);
            }
        } catch (RedsetException unreadable) {
            skipped.unreachable(id, places, String.valueOf(unreadable.getMessage()));
        }
        return Optional.empty();
    }

    private RankFiles filesIn(Path directory) {
        return new RankFiles(FileOperations.system(), directory, NAME_PREFIX,
                PathPolicy.within(Path.of(""), directory).at(directory), channel.rank());
    }

    /**
     * The state of the files that protect a directory, by names and descriptors only; the same on all ranks.
     *
     * @param isThere whether any file protects files of any rank, or such an operation was interrupted
     * @param isOfAsMany whether as many ranks as these have protected them, as all descriptors tell
     * @param isVisiblyDamaged whether they have, and some ranks have fewer files than others
     * @param isInterrupted whether there are journals, and all are of as many ranks, who can complete or undo what they
     *        record
     * @param isForOthersToSettle whether there are journals that only another number of ranks can settle, and there is
     *        no descriptor
     * @param unread which ranks can't list the directory, and why; empty if all can
     */
    private record ProtectionState(boolean isThere, boolean isOfAsMany, boolean isVisiblyDamaged,
            boolean isInterrupted, boolean isForOthersToSettle, Optional<String> unread) {}
}
