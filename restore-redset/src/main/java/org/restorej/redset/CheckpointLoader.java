package org.restorej.redset;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.restorej.ReStore;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.redset.internal.blocks.CheckpointFiles;
import org.restorej.redset.internal.blocks.BlockFileHeader.Description;
import org.restorej.redset.internal.blocks.BlockFileHeader.Origin;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.protocol.RedsetChannel;

/**
 * Loads the blocks of one checkpoint into a store. All PEs read headers, and choose which PE reads which file; so each
 * block is read once. Only when files are missing or damaged, all PEs recover the checkpoint, which reads everything.
 * One thread.
 *
 * @param description what the program says the blocks mean
 * @param directories where this PE looks for files
 * @param extension what the names of files with blocks end with
 * @param wanted what the files have in common, the same on all PEs; otherwise the last save of which any PE sees a file
 */
record CheckpointLoader(RedsetChannel channel, FileOperations operations, ReStore store, Description description,
        List<Path> directories, String extension, Optional<Origin.SaveId> wanted) {
    private static final String LOAD = "load";

    /**
     * How one attempt ended; the same on all PEs.
     *
     * @param loaded which files are in the store now
     * @param wasCompleted whether there is redundancy; the files of a save that was never completed have none
     * @param problem why nothing was loaded
     */
    private record Attempt(Optional<Origin.SaveId> loaded, boolean wasCompleted, String problem) {}

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
            datasets.recover(id);
        }
        Attempt attempt = attempt();
        if (attempt.loaded().isEmpty() && attempt.wasCompleted()) {
            Optional<String> lost = datasets.recover(id);
            String before = attempt.problem();
            attempt = lost.isEmpty() ? attempt() : attempt;
            if (attempt.loaded().isEmpty()) {
                skipped.unreachable(id, datasets.places(), before + "; " + lost.orElse(attempt.problem()));
            }
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

    /** Loads what there is. Called by all PEs. */
    private Attempt attempt() {
        try {
            CheckpointFiles files = channel.compute(LOAD,
                    () -> CheckpointFiles.open(operations, directories, extension));
            wanted.ifPresent(files::choose);
            ReaderChoice choice = ReaderChoice.of(channel, files);
            if (!choice.isComplete()) {
                return new Attempt(Optional.empty(), choice.isProtectedAnywhere(), choice.problem());
            }
            requireFit(choice);
            return submit(files, choice);
        } catch (RedsetException failure) {
            return new Attempt(Optional.empty(), true, String.valueOf(failure.getMessage()));
        }
    }

    private void requireFit(ReaderChoice choice) {
        new ArgumentCheck(channel, LOAD).require(Map.of(),
                choice.misfit(store.blockCount(), store.hasVariableBlockSizes(), store.blockSizeBytes())
                        .or(() -> choice.differenceFrom(description)).stream().toList());
    }

    private Attempt submit(CheckpointFiles files, ReaderChoice choice) {
        try {
            store.submit(files.submissionOf(choice.mine()));
            return new Attempt(files.chosen(), true, "");
        } catch (InvalidSubmissionException unreadable) {
            List<Path> damaged = gather(channel, LOAD, files.damaged(choice.mine()));
            return new Attempt(Optional.empty(), true, unreadable.getMessage() + "; damaged are " + damaged);
        }
    }
}
