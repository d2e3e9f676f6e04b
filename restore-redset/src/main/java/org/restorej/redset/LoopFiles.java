package org.restorej.redset;

import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Collectors;
import org.restorej.comm.Communicator;
import org.restorej.internal.host.HostName;
import org.restorej.loop.LoopStorage;
import org.restorej.loop.CheckpointLoop;
import org.restorej.redset.internal.files.FileOperations;

/**
 * Files in which a {@link CheckpointLoop} saves what it keeps, and from which a later job goes on, of any number of PEs
 * that together see enough of the files. Each rank writes its blocks to a file, and the files are protected as the
 * configuration says.
 *
 * <pre>{@code
 * loop.persist(LoopFiles.in(nodeLocal, "job"), CheckpointInterval.time(Duration.ofMinutes(2)))
 *         .persist(LoopFiles.in(Path.of("/scratch/me"), "job"), CheckpointInterval.time(Duration.ofMinutes(20)));
 * }</pre>
 *
 * <p>
 * A checkpoint is a directory {@code <store>/<name>/checkpoint.<id>}, as of {@link Datasets}; blocks that don't change
 * are in {@code <store>/<name>.constant}. Memory: 256 KiB for each store of the loop while it is saved. Immutable.
 */
public final class LoopFiles implements LoopStorage {
    private final Settings settings;

    /** What is set; the same on all ranks, but for paths, failure groups and the host. */
    record Settings(RedundancyConfiguration configuration, String name, String host, boolean degradesSmallSets,
            boolean beginsAnew, FileOperations operations) {}

    private LoopFiles(Settings settings) {
        this.settings = settings;
    }

    /**
     * Files that are protected as a configuration says, which also says how many checkpoints are kept.
     *
     * @param name of the program or job: a directory in each store
     */
    public static LoopFiles in(RedundancyConfiguration configuration, String name) {
        return in(configuration, name, FileOperations.system());
    }

    /** Files in one folder that all ranks see and that outlives their nodes, so without redundancy. */
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

    /** With another name for this host, by which the configuration knows its failure groups. */
    public LoopFiles host(String host) {
        return new LoopFiles(
                new Settings(settings.configuration(), settings.name(), Objects.requireNonNull(host, "host"),
                        settings.degradesSmallSets(), settings.beginsAnew(), settings.operations()));
    }

    /** With sets of too few processes allowed, as {@link Redset.Builder#degradeSmallSets} has it. */
    public LoopFiles degradeSmallSets(boolean degrade) {
        return new LoopFiles(new Settings(settings.configuration(), settings.name(), settings.host(), degrade,
                settings.beginsAnew(), settings.operations()));
    }

    /**
     * Whether a job begins at iteration 0 although there are checkpoints. These stay until enough newer ones are
     * complete. A job that its launcher starts again goes on from its own all the same.
     */
    public LoopFiles beginAnew(boolean anew) {
        return new LoopFiles(new Settings(settings.configuration(), settings.name(), settings.host(),
                settings.degradesSmallSets(), anew, settings.operations()));
    }

    /** Called by the loop. */
    @Override
    public Level open(Communicator communicator) {
        return new OpenLoopFiles(communicator, settings);
    }

    /** Where the files are. */
    @Override
    public String toString() {
        return settings.configuration().descriptors().stream()
                .map(descriptor -> descriptor.store().resolve(settings.name()).toString()).distinct()
                .collect(Collectors.joining(", "));
    }
}
