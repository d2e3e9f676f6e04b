package org.restorej.redset;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.restorej.ReStore;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.redset.internal.blocks.CheckpointFiles;
import org.restorej.redset.internal.blocks.Description;
import org.restorej.redset.internal.blocks.Origin;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.protocol.RedsetChannel;

/**
 * Loads the blocks of one checkpoint into a store. All PEs read headers, and choose which PE reads which file; so each
 * block is read once. Only when files are missing or damaged, everything is read to repair them. One thread.
 *
 * @param description what the program says the blocks mean
 * @param directories where this PE looks for files
 * @param extension what the names of files with blocks end with
 */
record CheckpointLoader(RedsetChannel channel, FileOperations operations, ReStore store, Description description,
        List<Path> directories, String extension) {
    private static final String LOAD = "load";
    /** Each repair may show more damage; that a second one does is rare. */
    private static final int MOST_REPAIRS = 3;

    /**
     * How one attempt ended; the same on all PEs.
     *
     * @param loaded which files are in the store now
     * @param wasCompleted whether there is redundancy; the files of a save that was never completed have none
     * @param damaged files that couldn't be read to the end
     * @param missing the ranks whose files no PE saw before any were computed anew, or whose files none had after that
     * @param problem why nothing was loaded
     */
    record Attempt(Optional<Origin.SaveId> loaded, boolean wasCompleted, Set<Path> damaged, BitSet missing,
            String problem) {
        /** Whether rebuilding files may help. */
        boolean canBeHelped() {
            return loaded.isEmpty() && wasCompleted;
        }
    }

    /**
     * Loads a checkpoint. Called by all PEs.
     *
     * @param datasets repair it where it lies
     * @param skipped takes the reason why it can't be had, unless it was never completed
     * @return which files are in the store now; empty on all PEs when it can't be had
     * @throws IllegalArgumentException on all PEs, when it is of another kind of blocks than the store, or they are
     *         described as something else
     */
    Optional<Origin.SaveId> load(long id, Datasets datasets, SkippedCheckpoints skipped) {
        Optional<String> interrupted = datasets.settle(id).obstacle();
        if (datasets.isVisiblyDamaged(id)) {
            datasets.recoverIfAsMany(id);
        }
        Set<Path> damaged = new HashSet<>();
        Attempt attempt = plainly();
        boolean repaired = attempt.canBeHelped() && datasets.recoverIfAsMany(id);
        for (int more = 0; more < MOST_REPAIRS && attempt.canBeHelped(); more++) {
            // What was repaired where it lies is sound under the same name.
            damaged.addAll(repaired && more == 0 ? Set.of() : attempt.damaged());
            attempt = withRebuilt(damaged);
        }
        if (attempt.canBeHelped()) {
            skipped.unreachable(id, datasets.places(),
                    attempt.problem() + (damaged.isEmpty() ? "" : "; damaged are " + damaged));
        }
        if (attempt.loaded().isEmpty() && !attempt.wasCompleted() && interrupted.isPresent()) {
            skipped.unreachable(id, datasets.places(), attempt.problem() + "; " + interrupted.get());
        }
        return attempt.loaded();
    }

    /** The paths of all PEs, each once. Called by all PEs. */
    static List<Path> gather(RedsetChannel channel, String operation, List<Path> own) {
        List<String> names = own.stream().map(Path::toString).toList();
        return channel.compute(operation, () -> channel.allGather(names)).stream().flatMap(List::stream).map(Path::of)
                .distinct().toList();
    }

    /** Loads files that are there. Called by all PEs. */
    Attempt plainly() {
        return attempt(directories, Set.of(), choice -> choice);
    }

    /**
     * Loads, after lost files were computed anew by the PE that sees most redundancy; or else by one PE for each
     * damaged set, from the files of all. Called by all PEs.
     *
     * @param excluded files of blocks that are known to be damaged
     */
    Attempt withRebuilt(Set<Path> excluded) {
        Attempt attempt = attempt(directories, excluded,
                choice -> choice.isComplete() ? choice : choice.withRebuilt(choice.seesMost()));
        return attempt.canBeHelped() && !attempt.missing().isEmpty() ? together(excluded, attempt.missing()) : attempt;
    }

    private Attempt together(Set<Path> excluded, BitSet missing) {
        try (GatheredSets gathered = GatheredSets.of(channel, operations, directories, missing)) {
            Set<Path> places = new LinkedHashSet<>(directories);
            places.addAll(gathered.directories());
            // Also when nothing seems to be missing: a copy may be of a damaged file.
            return attempt(places, excluded, choice -> choice.withRebuilt(gathered.isReceiver()));
        } catch (RedsetException failure) {
            return failed(missing, failure);
        }
    }

    /**
     * Loads what there is.
     *
     * @param rebuilding chooses anew, if needed
     */
    private Attempt attempt(Collection<Path> places, Set<Path> excluded, UnaryOperator<ReaderChoice> rebuilding) {
        BitSet missing = new BitSet();
        try (CheckpointFiles files = channel.compute(LOAD,
                () -> CheckpointFiles.open(operations, places, excluded, extension))) {
            ReaderChoice seen = ReaderChoice.of(channel, files);
            missing.or(seen.missing());
            ReaderChoice choice = rebuilding.apply(seen);
            missing.or(choice.missing());
            if (!choice.isComplete()) {
                return new Attempt(Optional.empty(), choice.isProtectedAnywhere(), Set.of(), missing,
                        choice.problem());
            }
            requireFit(choice);
            return submit(files, choice);
        } catch (RedsetException failure) {
            return failed(missing, failure);
        }
    }

    private static Attempt failed(BitSet missing, RedsetException failure) {
        return new Attempt(Optional.empty(), true, Set.of(), missing, String.valueOf(failure.getMessage()));
    }

    private void requireFit(ReaderChoice choice) {
        new ArgumentCheck(channel, LOAD).require(Map.of(),
                choice.misfit(store.blockCount(), store.hasVariableBlockSizes(), store.blockSizeBytes())
                        .or(() -> choice.differenceFrom(description)).stream().toList());
    }

    private Attempt submit(CheckpointFiles files, ReaderChoice choice) {
        try {
            store.submit(files.submissionOf(choice.mine()));
            return new Attempt(files.chosen(), true, Set.of(), new BitSet(), "");
        } catch (InvalidSubmissionException unreadable) {
            List<Path> damaged = files.damaged(choice.mine());
            return new Attempt(Optional.empty(), true, Set.copyOf(gather(channel, LOAD, damaged)),
                    new BitSet(), String.valueOf(unreadable.getMessage()));
        }
    }
}
