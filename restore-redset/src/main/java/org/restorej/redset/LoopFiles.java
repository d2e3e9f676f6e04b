package org.restorej.redset;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.restorej.comm.Communicator;
import org.restorej.internal.host.HostName;
import org.restorej.loop.LoopStorage;
import org.restorej.loop.CheckpointLoop;
import org.restorej.redset.internal.files.FileOperations;

/**
 * Files in which a {@link CheckpointLoop} saves its state, and from which a later job resumes. That job may have any
 * number of ranks that together see enough of the files; a folder that a rank can't list counts as lost to it. Each
 * rank writes its blocks to a file, and the configuration determines how the files are protected.
 *
 * <pre>{@code
 * loop.persist(LoopFiles.in(nodeLocal, "job"), CheckpointInterval.time(Duration.ofMinutes(2)))
 *         .persist(LoopFiles.in(Path.of("/scratch/me"), "job"), CheckpointInterval.time(Duration.ofMinutes(20)));
 * }</pre>
 *
 * <p>
 * A checkpoint is a directory {@code <store>/<name>/checkpoint.<id>}, as in {@link Datasets}; constant blocks are in
 * {@code <store>/<name>.constant}. If the ranks can't have a scheme of the configuration, since there are too few or
 * they are of too few failure groups, {@code persist} throws an {@link IllegalArgumentException} with the reason. If
 * there are checkpoints, of a job with more ranks, it only warns, as SCR does: the loop goes on from them, and saves
 * nothing there. {@link #degradeSmallSets} saves with less redundancy instead.
 *
 * <p>
 * Takes 256 KiB of memory for each store of the loop while it is saved. Immutable.
 */
public final class LoopFiles implements LoopStorage {
    private final Settings settings;

    /** The settings; the same on all ranks, except paths, failure groups and the host. */
    record Settings(RedundancyConfiguration configuration, String name, String host, boolean degradesSmallSets,
            boolean startsFresh, FileOperations operations) {}

    private LoopFiles(Settings settings) {
        this.settings = settings;
    }

    /**
     * Files protected according to a configuration, which also sets the number of checkpoints that are kept.
     *
     * @param name of the program or job: a directory in each store
     */
    public static LoopFiles in(RedundancyConfiguration configuration, String name) {
        return in(configuration, name, FileOperations.system());
    }

    /** Files without redundancy, in one folder that all ranks see and that survives the failure of nodes. */
    public static LoopFiles in(Path folder, String name) {
        return in(RedundancyConfiguration.of(new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_WORLD, folder,
                Scheme.single(), 1)), name);
    }

    static LoopFiles in(RedundancyConfiguration configuration, String name, FileOperations operations) {
        Objects.requireNonNull(configuration, "configuration");
        ArgumentCheck.mistakesInName(Objects.requireNonNull(name, "name")).stream().findFirst().ifPresent(mistake -> {
            throw new IllegalArgumentException(mistake);
        });
        return new LoopFiles(new Settings(configuration, name, HostName.orLocalhost(), false, false, operations));
    }

    /** Sets the name of this host in the failure groups of the configuration. */
    public LoopFiles host(String host) {
        return new LoopFiles(
                new Settings(settings.configuration(), settings.name(), Objects.requireNonNull(host, "host"),
                        settings.degradesSmallSets(), settings.startsFresh(), settings.operations()));
    }

    /** Sets whether sets of too few ranks are allowed; see {@link Redset.Builder#degradeSmallSets}. */
    public LoopFiles degradeSmallSets(boolean degrade) {
        return new LoopFiles(new Settings(settings.configuration(), settings.name(), settings.host(), degrade,
                settings.startsFresh(), settings.operations()));
    }

    /**
     * Sets whether a job starts at iteration 0 although there are checkpoints. These are kept until enough newer ones
     * are complete. A job that its launcher restarts still resumes from its own checkpoints.
     */
    public LoopFiles startFresh(boolean fresh) {
        return new LoopFiles(new Settings(settings.configuration(), settings.name(), settings.host(),
                settings.degradesSmallSets(), fresh, settings.operations()));
    }

    /** Called by the loop. */
    @Override
    public Level open(Communicator communicator) {
        return new OpenLoopFiles(communicator, settings, Map.of());
    }

    /** The directories of the files. */
    @Override
    public String toString() {
        return settings.configuration().descriptors().stream()
                .map(descriptor -> descriptor.store().resolve(settings.name()).toString()).distinct()
                .collect(Collectors.joining(", "));
    }
}
