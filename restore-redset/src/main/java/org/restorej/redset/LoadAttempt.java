package org.restorej.redset;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.restorej.ReStore;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.redset.internal.blocks.CheckpointFiles;
import org.restorej.redset.internal.blocks.Origin;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.protocol.RedsetChannel;

/**
 * How one attempt to load a checkpoint ended; the same on all PEs.
 *
 * @param loaded which files are in the store now
 * @param wasCompleted whether there is redundancy; the files of a save that was never completed have none
 * @param damaged files that couldn't be read to the end
 * @param missing the ranks whose files no PE saw before any were computed anew, or whose files none had after that
 * @param problem why nothing was loaded
 */
record LoadAttempt(Optional<Origin.SaveId> loaded, boolean wasCompleted, Set<Path> damaged, BitSet missing,
        String problem) {
    private static final String LOAD = "load";

    /** Whether rebuilding files may help. */
    boolean canBeHelped() {
        return loaded.isEmpty() && wasCompleted;
    }

    /**
     * What attempts are made with.
     *
     * @param directories where this PE looks for files
     */
    record Source(RedsetChannel channel, FileOperations operations, ReStore store, Set<Path> directories) {
        /** Loads files that are there. Called by all PEs. */
        LoadAttempt plainly() {
            return attempt(directories, Set.of(), choice -> choice);
        }

        /**
         * Loads, after lost files were computed anew by the PE that sees most redundancy; or else by one PE for each
         * damaged set, from the files of all. Called by all PEs.
         *
         * @param excluded files of blocks that are known to be damaged
         */
        LoadAttempt withRebuilt(Set<Path> excluded) {
            LoadAttempt attempt = attempt(directories, excluded,
                    choice -> choice.isComplete() ? choice : choice.withRebuilt(choice.seesMost()));
            return attempt.canBeHelped() && !attempt.missing.isEmpty() ? together(excluded, attempt.missing) : attempt;
        }

        private LoadAttempt together(Set<Path> excluded, BitSet missing) {
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
        private LoadAttempt attempt(Set<Path> places, Set<Path> excluded, UnaryOperator<ReaderChoice> rebuilding) {
            BitSet missing = new BitSet();
            try (CheckpointFiles files = channel.compute(LOAD,
                    () -> CheckpointFiles.open(operations, places, excluded))) {
                ReaderChoice seen = ReaderChoice.of(channel, files);
                missing.or(seen.missing());
                ReaderChoice choice = rebuilding.apply(seen);
                missing.or(choice.missing());
                if (!choice.isComplete()) {
                    return new LoadAttempt(Optional.empty(), choice.isProtectedAnywhere(), Set.of(), missing,
                            choice.problem());
                }
                requireFit(choice);
                return submit(files, choice);
            } catch (RedsetException failure) {
                return failed(missing, failure);
            }
        }

        private static LoadAttempt failed(BitSet missing, RedsetException failure) {
            return new LoadAttempt(Optional.empty(), true, Set.of(), missing, String.valueOf(failure.getMessage()));
        }

        private void requireFit(ReaderChoice choice) {
            new ArgumentCheck(channel, LOAD).require(Map.of(),
                    choice.misfit(store.blockCount(), store.hasVariableBlockSizes(), store.blockSizeBytes()).stream()
                            .toList());
        }

        private LoadAttempt submit(CheckpointFiles files, ReaderChoice choice) {
            try {
                store.submit(files.submissionOf(choice.mine()));
                return new LoadAttempt(files.chosen(), true, Set.of(), new BitSet(), "");
            } catch (InvalidSubmissionException unreadable) {
                List<Path> damaged = new ArrayList<>(files.damaged(choice.mine()));
                return new LoadAttempt(Optional.empty(), true, CheckpointLoader.gather(channel, LOAD, damaged),
                        new BitSet(), String.valueOf(unreadable.getMessage()));
            }
        }
    }
}
