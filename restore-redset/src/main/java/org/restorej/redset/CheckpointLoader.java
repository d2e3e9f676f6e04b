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
 * Loads the blocks of one checkpoint into a store. All ranks read the headers of files, and assign each file to one rank,
 * so each block is read once. If files are missing or damaged, all ranks first recover the checkpoint, which reads
 * everything. Not thread-safe.
 *
 * @param description of the blocks by the program
 * @param directories where this rank looks for files
 * @param extension of the names of files with blocks
 * @param wanted the save to which the files belong, the same on all ranks; if empty, the last save of which any rank sees a
 *        file
 */
record CheckpointLoader(RedsetChannel channel, FileOperations operations, ReStore store, Description description,
        List<Path> directories, String extension, Optional<Origin.SaveId> wanted) {
    private static final String LOAD = "load";

    /**
     * The result of one attempt; the same on all ranks.
     *
     * @param loaded the save that is now in the store
     * @param wasCompleted whether there is redundancy; the files of an incomplete save have none
     * @param problem the reason why nothing was loaded
     */
    private record Attempt(Optional<Origin.SaveId> loaded, boolean wasCompleted, String problem) {}

    /**
     * Loads a checkpoint. Called by all ranks.
     *
     * @param datasets repair it in its directory
     * @param skipped records the reason if it can't be loaded, unless it was never completed
     * @return the save that is now in the store; empty on all ranks if it can't be loaded
     * @throws IllegalArgumentException on all ranks, when its blocks have other sizes, or another number or description,
     *         than those of the store
     */
    Optional<Origin.SaveId> load(long id, Datasets datasets, SkippedCheckpoints skipped) {
        ProtectedDirectories.Settled settled = datasets.directories().settle(id);
        if (settled.isVisiblyDamaged()) {
            datasets.directories().recover(id);
        }
        Attempt attempt = attempt();
        if (attempt.loaded().isEmpty() && attempt.wasCompleted()) {
            Optional<String> lost = datasets.directories().recover(id);
            String before = attempt.problem();
            attempt = lost.isEmpty() ? attempt() : attempt;
            if (attempt.loaded().isEmpty()) {
                skipped.unreachable(id, datasets.stores().places(), before + "; " + lost.orElse(attempt.problem()));
            }
        }
        if (attempt.loaded().isEmpty() && !attempt.wasCompleted() && settled.obstacle().isPresent()) {
            skipped.unreachable(id, datasets.stores().places(), attempt.problem() + "; " + settled.obstacle().get());
        }
        return attempt.loaded();
    }

    /** The paths of all ranks, without duplicates. Called by all ranks. */
    static List<Path> gather(RedsetChannel channel, String operation, List<Path> own) {
        List<String> names = own.stream().map(Path::toString).toList();
        return channel.compute(operation, () -> channel.allGather(names)).stream().flatMap(List::stream).map(Path::of)
                .distinct().toList();
    }

    /** Loads the files that exist. Called by all ranks. */
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
