package org.restorej.redset;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.restorej.ReStore;
import org.restorej.redset.internal.blocks.Origin;
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
    record Loaded(List<Path> directories, Origin.SaveId save) {}

    CheckpointLoader(RedsetChannel channel, Datasets datasets, FileOperations operations, ReStore store) {
        this.channel = channel;
        this.datasets = datasets;
        this.operations = operations;
        this.store = store;
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
        Optional<String> interrupted = datasets.settle(id).obstacle();
        if (datasets.isVisiblyDamaged(id)) {
            datasets.recoverIfAsMany(id);
        }
        LoadAttempt.Source source = new LoadAttempt.Source(channel, operations, store, directories);
        Set<Path> damaged = new HashSet<>();
        LoadAttempt attempt = source.plainly();
        boolean repaired = attempt.canBeHelped() && datasets.recoverIfAsMany(id);
        for (int more = 0; more < MOST_REPAIRS && attempt.canBeHelped(); more++) {
            // What was repaired where it lies is sound under the same name.
            damaged.addAll(repaired && more == 0 ? Set.of() : attempt.damaged());
            attempt = source.withRebuilt(damaged);
        }
        if (attempt.canBeHelped()) {
            skipped.unreachable(id, datasets.places(),
                    attempt.problem() + (damaged.isEmpty() ? "" : "; damaged are " + damaged));
        }
        if (attempt.loaded().isEmpty() && !attempt.wasCompleted() && interrupted.isPresent()) {
            skipped.unreachable(id, datasets.places(), attempt.problem() + "; " + interrupted.get());
        }
        return attempt.loaded().map(save -> new Loaded(List.copyOf(directories), save));
    }

    /** The paths of all PEs. Called by all PEs. */
    static Set<Path> gather(RedsetChannel channel, String operation, List<Path> own) {
        List<String> names = own.stream().map(Path::toString).toList();
        return channel.compute(operation, () -> channel.allGather(names)).stream().flatMap(List::stream).map(Path::of)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
