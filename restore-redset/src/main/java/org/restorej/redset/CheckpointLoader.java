package org.restorej.redset;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.restorej.InvalidSubmissionException;
import org.restorej.ReStore;
import org.restorej.redset.internal.blocks.CheckpointFiles;
import org.restorej.redset.internal.blocks.SaveId;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.protocol.RedsetChannel;

/**
 * Loads the blocks of one checkpoint into a store. All PEs read headers, and choose which PE reads which file; so each
 * block is read once. Only when files are missing or damaged, everything is read to repair them. One thread.
 */
final class CheckpointLoader {
    /** Each repair may show more damage; that a second one does is rare. */
    private static final int MOST_REPAIRS = 3;

    private final RedsetChannel channel;
    private final Datasets datasets;
    private final FileOperations operations;
    private final ReStore store;

    /**
     * What is in the store now.
     *
     * @param directories where its files lie
     * @param save which of the files there
     */
    record Loaded(List<Path> directories, SaveId save) {}

    CheckpointLoader(RedsetChannel channel, Datasets datasets, FileOperations operations, ReStore store) {
        this.channel = channel;
        this.datasets = datasets;
        this.operations = operations;
        this.store = store;
    }

    /** How one attempt ended; the same on all PEs. */
    private record Attempt(Optional<Loaded> loaded, boolean wasCompleted, Set<Path> damaged, BitSet missing,
            String problem) {
        boolean canBeHelped() {
            return loaded.isEmpty() && wasCompleted;
        }
    }

    /** Chooses who reads what. */
    private interface Choosing {
        ReaderChoice choose(CheckpointFiles files);
    }

    /**
     * Loads a checkpoint. Called by all PEs.
     *
     * @param skipped takes the reason why it can't be had, unless it was never completed
     * @return empty on all PEs when it can't be had
     * @throws IllegalArgumentException on all PEs, when it is of another kind of blocks than the store
     */
    Optional<Loaded> load(long id, SkippedCheckpoints skipped) {
        Set<Path> directories = gather(channel, "load", List.of(datasets.directoriesOf(id)));
        Optional<String> interrupted = datasets.settle(id);
        if (datasets.isVisiblyDamaged(id)) {
            datasets.recoverIfAsMany(id);
        }
        Set<Path> damaged = new HashSet<>();
        Attempt attempt = attempt(directories, directories, damaged, files -> ReaderChoice.of(channel, files));
        boolean repaired = attempt.canBeHelped() && datasets.recoverIfAsMany(id);
        for (int more = 0; more < MOST_REPAIRS && attempt.canBeHelped(); more++) {
            // What was repaired where it lies is sound under the same name.
            damaged.addAll(repaired && more == 0 ? Set.of() : attempt.damaged());
            attempt = attempt(directories, directories, damaged, files -> ReaderChoice.withRebuilt(channel, files));
            if (attempt.canBeHelped() && !attempt.missing().isEmpty()) {
                attempt = attemptTogether(directories, damaged, attempt.missing());
            }
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

    /** With the files of damaged sets on the PEs that are to compute lost ones anew. */
    private Attempt attemptTogether(Set<Path> directories, Set<Path> excluded, BitSet missing) {
        try (GatheredSets gathered = GatheredSets.of(channel, operations, directories, missing)) {
            Set<Path> places = new LinkedHashSet<>(directories);
            places.addAll(gathered.directories());
            return attempt(directories, places, excluded,
                    files -> ReaderChoice.withRebuilt(channel, files, gathered.isReceiver()));
        } catch (RedsetException failure) {
            return failed(String.valueOf(failure.getMessage()));
        }
    }

    private Attempt attempt(Set<Path> directories, Set<Path> places, Set<Path> excluded, Choosing choosing) {
        try (CheckpointFiles files = channel.compute("load",
                () -> CheckpointFiles.open(operations, places, excluded))) {
            ReaderChoice choice = choosing.choose(files);
            if (!choice.isComplete()) {
                return new Attempt(Optional.empty(), choice.isProtectedAnywhere(), Set.of(), choice.missing(),
                        choice.problem());
            }
            requireFit(choice);
            return submit(files, choice, directories);
        } catch (RedsetException failure) {
            return failed(String.valueOf(failure.getMessage()));
        }
    }

    private static Attempt failed(String problem) {
        return new Attempt(Optional.empty(), true, Set.of(), new BitSet(), problem);
    }

    private void requireFit(ReaderChoice choice) {
        new ArgumentCheck(channel, "load").require(
                choice.misfit(store.blockCount(), store.hasVariableBlockSizes(), store.blockSizeBytes()).stream()
                        .toList());
    }

    private Attempt submit(CheckpointFiles files, ReaderChoice choice, Set<Path> directories) {
        try {
            store.submit(files.submissionOf(choice.mine()));
            Loaded loaded = new Loaded(List.copyOf(directories), files.chosen().orElseThrow());
            return new Attempt(Optional.of(loaded), true, Set.of(), new BitSet(), "");
        } catch (InvalidSubmissionException unreadable) {
            return new Attempt(Optional.empty(), true, gather(channel, "load", files.damaged(choice.mine())),
                    new BitSet(), String.valueOf(unreadable.getMessage()));
        }
    }

    /** The paths of all PEs. Called by all PEs. */
    static Set<Path> gather(RedsetChannel channel, String operation, List<Path> own) {
        byte[] names = own.stream().map(Path::toString).collect(Collectors.joining("\0"))
                .getBytes(StandardCharsets.UTF_8);
        return channel.compute(operation, () -> {
            Set<Path> all = new LinkedHashSet<>();
            for (byte[] ofRank : channel.allGather(names)) {
                Arrays.stream(new String(ofRank, StandardCharsets.UTF_8).split("\0")).filter(name -> !name.isEmpty())
                        .map(Path::of).forEach(all::add);
            }
            return all;
        });
    }
}
