package org.restorej.redset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.redset.files.FileOperations;
import org.restorej.redset.protocol.IrrecoverableFilesException;
import org.restorej.redset.protocol.RankFiles;
import org.restorej.redset.protocol.RedsetChannel;
import org.restorej.redset.sets.RedundancyConfiguration;
import org.restorej.redset.sets.RedundancyDescriptor;
import org.restorej.redset.sets.SmallSets;

/**
 * Checkpoints, each a directory {@code <store>/<name>/checkpoint.<id>}, protected as the configuration says for its id.
 * The newest ones are kept; after a restart the newest that can be had again is.
 *
 * <pre>{@code
 * Optional<Dataset> latest = datasets.restart();
 * ...
 * Path directory = datasets.begin(id);
 * write(directory.resolve("state." + rank));
 * datasets.complete(id, List.of(directory.resolve("state." + rank)));
 * }</pre>
 *
 * <p>
 * The configuration is the same on all ranks, but for the stores' paths. Ranks that share a store name their files
 * differently. Used by one thread. A failed process ends every collective call as it does for {@link Redset}: survivors
 * shrink and make new {@code Datasets}; an interrupted checkpoint counts as not written. Must be closed, after a failure
 * once the survivors have shrunk.
 */
public final class Datasets implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Datasets.class.getName());
    private static final String NAME_PREFIX = "rank.";

    private final Communicator communicator;
    private final RedsetChannel channel;
    private final RedundancyConfiguration configuration;
    private final String name;
    private final String host;
    private final SmallSets smallSets;
    private final List<DatasetStore> stores;
    /** Their memory may still be in use by MPI. */
    private final List<Redset> failed = new ArrayList<>();

    /**
     * Datasets on this host, with sets that are too small refused. Called by all ranks.
     *
     * @param communicator stays the caller's
     * @param configuration which checkpoint is protected how, and lies where
     * @param name of the program or job: a directory in each store
     */
    public Datasets(Communicator communicator, RedundancyConfiguration configuration, String name) {
        this(communicator, configuration, name, HostName.get(), SmallSets.REFUSE);
    }

    /**
     * Datasets. Called by all ranks.
     *
     * @param communicator stays the caller's
     * @param configuration which checkpoint is protected how, and lies where
     * @param name of the program or job: a directory in each store
     * @param host name of this host, by which the configuration knows its failure groups
     * @param smallSets what becomes of sets with too few processes
     */
    public Datasets(Communicator communicator, RedundancyConfiguration configuration, String name, String host,
            SmallSets smallSets) {
        this.communicator = communicator;
        this.configuration = configuration;
        this.name = name;
        this.host = host;
        this.smallSets = smallSets;
        // One for each descriptor, also where paths are the same: on another rank they may not be.
        stores = configuration.descriptors().stream().map(this::storeOf).toList();
        channel = new RedsetChannel(communicator.duplicate());
    }

    private DatasetStore storeOf(RedundancyDescriptor descriptor) {
        return new DatasetStore(descriptor.store().resolve(name));
    }

    private static void checkId(long id) {
        if (id < 0 || id >= 1_000_000_000_000_000_000L) {
            throw new IllegalArgumentException("id must be in [0, 10^18): id=" + id);
        }
    }

    /**
     * The directory that a new checkpoint's files go to; created. Local.
     *
     * @param id greater than those before
     */
    public Path begin(long id) {
        checkId(id);
        try {
            return Files.createDirectories(storeOf(configuration.forCheckpoint(id)).directoryOf(id));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Protects a checkpoint, and then removes older ones beyond the number that is kept in its store. Called by all ranks.
     *
     * @param id as in {@link #begin}
     * @param files of this rank, complete
     */
    public void complete(long id, List<Path> files) {
        checkId(id);
        RedundancyDescriptor descriptor = configuration.forCheckpoint(id);
        DatasetStore store = storeOf(descriptor);
        Redset redset = redset(store.directoryOf(id), descriptor);
        attempt(redset, () -> {
            redset.apply(files);
            return id;
        });
        try {
            store.keepNewest(configuration.keepCount(descriptor.store()), id,
                    NAME_PREFIX + communicator.rank() + ".redset");
        } catch (IOException failure) {
            LOG.log(System.Logger.Level.WARNING, "old checkpoints in {0} can''t be removed: {1}", store.directory(),
                    failure.getMessage());
        }
    }

    private Redset redset(Path directory, @Nullable RedundancyDescriptor descriptor) {
        RedsetBuilder builder = Redset.builder(communicator).directory(directory).namePrefix(NAME_PREFIX)
                .smallSets(smallSets);
        if (descriptor != null) {
            builder.descriptor(descriptor).failureGroup(configuration.failureGroup(descriptor.group(), host)
                    .orElseThrow(() -> new IllegalArgumentException("the configuration has no failure group "
                            + descriptor.group() + " for the host " + host)));
        }
        return builder.build();
    }

    /** Redsets are used once. After a failure other than of files, one is kept until the end. */
    private <T> T attempt(Redset redset, Supplier<T> action) {
        boolean over = false;
        try {
            T result = action.get();
            over = true;
            return result;
        } catch (IrrecoverableFilesException lost) {
            over = true;
            throw lost;
        } finally {
            if (over) {
                redset.close();
            } else {
                failed.add(redset);
            }
        }
    }

    /**
     * Finds the newest checkpoint that all ranks can have again, and rebuilds what is missing of it. One that is damaged
     * beyond repair is passed over with a warning. Called by all ranks, as many as wrote it.
     *
     * @return empty on all ranks, when there is none
     */
    public Optional<Dataset> restart() {
        long bound = Long.MAX_VALUE;
        while (true) {
            OptionalLong newest = newestBelow(bound);
            if (newest.isEmpty()) {
                return Optional.empty();
            }
            bound = newest.getAsLong();
            for (DatasetStore store : stores) {
                Optional<Dataset> dataset = recover(store, bound);
                if (dataset.isPresent()) {
                    return dataset;
                }
            }
        }
    }

    /** Id of the newest checkpoint before a bound of which any rank has a directory. Called by all ranks. */
    OptionalLong newestBelow(long bound) {
        long[] newest = new long[1];
        List<Long> own = new ArrayList<>();
        channel.step("restart", () -> {
            for (DatasetStore store : stores) {
                SortedSet<Long> older = store.ids().headSet(bound);
                own.add(older.isEmpty() ? -1 : older.last());
            }
        });
        channel.step("restart", () -> newest[0] = -channel.least(-own.stream().mapToLong(id -> id).max().orElse(-1)));
        return newest[0] < 0 ? OptionalLong.empty() : OptionalLong.of(newest[0]);
    }

    private Optional<Dataset> recover(DatasetStore store, long id) {
        Path directory = store.directoryOf(id);
        long[] someProtect = new long[1];
        channel.step("restart", () -> someProtect[0] = -channel.least(-(isProtected(directory) ? 1 : 0)));
        if (someProtect[0] == 0) {
            return Optional.empty();
        }
        Redset redset = redset(directory, null);
        try {
            return Optional.of(attempt(redset, () -> {
                redset.recover();
                return new Dataset(id, directory, redset.originalFiles());
            }));
        } catch (IrrecoverableFilesException lost) {
            LOG.log(System.Logger.Level.WARNING, "checkpoint {0} in {1} is passed over: {2}", Long.toString(id),
                    store.directory(), lost.getMessage());
            return Optional.empty();
        }
    }

    /** Where a checkpoint may lie: a directory for each store. Local. */
    Path[] directoriesOf(long id) {
        return stores.stream().map(store -> store.directoryOf(id).toAbsolutePath()).toArray(Path[]::new);
    }

    /** Removes what this rank sees of a checkpoint. Local; other ranks may be doing the same. */
    void remove(long id) throws IOException {
        checkId(id);
        storeOf(configuration.forCheckpoint(id)).remove(id);
    }

    /** Repairs a checkpoint as {@link #restart} does, if as many ranks have written it. Called by all ranks. */
    void recoverIfAsMany(long id) {
        for (DatasetStore store : stores) {
            long[] ranks = new long[2];
            channel.step("restart", () -> {
                int own = writers(store.directoryOf(id));
                ranks[0] = channel.least(own == 0 ? Long.MAX_VALUE : own);
                ranks[1] = -channel.least(-own);
            });
            if (ranks[0] == communicator.size() && ranks[1] == communicator.size()) {
                recover(store, id);
            }
        }
    }

    /** How many ranks have protected the files of a directory, by a descriptor file there; 0 when there is none. */
    private int writers(Path directory) {
        return new RankFiles(FileOperations.system(), directory, NAME_PREFIX, Path.of(""), communicator.rank())
                .writers();
    }

    /** Whether anything of this rank protects files there: otherwise the checkpoint was never completed, or is lost. */
    private boolean isProtected(Path directory) {
        try {
            return !new RankFiles(FileOperations.system(), directory, NAME_PREFIX, Path.of(""), communicator.rank())
                    .protectingFiles().isEmpty();
        } catch (IOException unreadable) {
            return false;
        }
    }

    /** Lets go of communicators and memory. Never waits for others. */
    @Override
    public void close() {
        failed.forEach(Redset::close);
        channel.close();
    }
}
