package org.restorej.redset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.internal.host.HostName;
import org.restorej.internal.message.Completely;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.protocol.RedsetChannel;

/**
 * Checkpoints of files. Each is a directory {@code <store>/<name>/checkpoint.<id>}, protected according to the
 * configuration for its id. The newest ones are kept. A restart uses the newest one that can be recovered.
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
 * The name and the configuration are the same on all ranks, except for the stores' paths and the failure groups. Ranks
 * that share a store must name their files differently. From the first call until {@link #close}, another job that uses
 * the same name in the same store, whatever ranks it has there, or another group of the same job, gets an exception; so
 * do other {@code Datasets} of the same thread. A job that was killed blocks no other. Not thread-safe.
 *
 * <p>
 * A failed rank ends every collective call, as in {@link Redset}. The survivors shrink and create new
 * {@code Datasets}; an interrupted checkpoint counts as not written. Must be closed; after a failure, when the
 * survivors have shrunk.
 */
public final class Datasets implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Datasets.class.getName());
    private static final String CREATE = "datasets";
    private static final String RESTART = "restart";

    private final RedsetChannel channel;
    private final RedundancyConfiguration configuration;
    private final String host;
    private final ProtectedDirectories directories;
    private final DatasetStores stores;
    /** Checkpoints that couldn't be loaded: they don't count among those that are kept. */
    private final Set<Long> unusable = new HashSet<>();

    /**
     * Creates datasets on this host that reject sets with too few ranks. Called by all ranks.
     *
     * @param communicator stays the caller's
     * @param configuration protection and place of each checkpoint
     * @param name of the program or job: a directory in each store
     */
    public Datasets(Communicator communicator, RedundancyConfiguration configuration, String name) {
        this(communicator, configuration, name, HostName.orLocalhost(), false);
    }

    /**
     * Creates datasets. Called by all ranks.
     *
     * @param communicator stays the caller's
     * @param configuration protection and place of each checkpoint
     * @param name of the program or job: a directory in each store
     * @param host name of this host in the failure groups of the configuration
     * @param degradeSmallSets as in {@link Redset.Builder#degradeSmallSets}
     * @throws IllegalArgumentException on all ranks, when an argument of any rank is null, the name is not one element
     *         of a path, or values differ that must be equal
     * @throws RedsetException on all ranks, when the thread of any rank has the same name in the same store open
     *         already, and no rank has failed since
     */
    public Datasets(Communicator communicator, RedundancyConfiguration configuration, String name, String host,
            boolean degradeSmallSets) {
        this.configuration = configuration;
        this.host = host;
        channel = new RedsetChannel(communicator.duplicate());
        try {
            List<String> mistakes = mistakes(configuration, name, host);
            new ArgumentCheck(channel, CREATE).require(
                    mistakes.isEmpty() ? uniformSettings(name, degradeSmallSets) : Map.of(), mistakes);
            UnreadableFolders unreadable = new UnreadableFolders(channel);
            stores = new DatasetStores(channel, CREATE, configuration, name, unreadable);
            directories = new ProtectedDirectories(channel, stores, degradeSmallSets, unreadable);
        } catch (RuntimeException refusedOrFailed) {
            channel.close();
            throw refusedOrFailed;
        }
    }

    /** Null or invalid arguments, which are reported on all ranks. */
    private static List<String> mistakes(@Nullable Object configuration, @Nullable String name,
            @Nullable Object host) {
        List<String> mistakes = new ArrayList<>();
        requirePresent("configuration", configuration, mistakes);
        requirePresent("name", name, mistakes);
        if (name != null) {
            mistakes.addAll(ArgumentCheck.mistakesInName(name));
        }
        requirePresent("host", host, mistakes);
        return mistakes;
    }

    private static void requirePresent(String argument, @Nullable Object value, List<String> mistakes) {
        if (value == null) {
            mistakes.add(argument + " must not be null");
        }
    }

    /** The settings except paths and failure groups, which may differ between hosts. */
    private Map<String, String> uniformSettings(String name, boolean degradesSmallSets) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("name", name);
        values.put("degradeSmallSets", Boolean.toString(degradesSmallSets));
        values.put("configuration.descriptors.size()", Integer.toString(configuration.descriptors().size()));
        for (int i = 0; i < configuration.descriptors().size(); i++) {
            RedundancyDescriptor descriptor = configuration.descriptors().get(i);
            String path = "configuration.descriptors[" + i + "].";
            values.put(path + "interval", Long.toString(descriptor.interval()));
            values.put(path + "group", descriptor.group());
            values.put(path + "scheme", descriptor.scheme().toString());
            values.put(path + "setSize", Integer.toString(descriptor.setSize()));
            values.put("keep count of the store of descriptors[" + i + "]",
                    Integer.toString(configuration.keepCount(descriptor.store())));
        }
        return values;
    }

    /**
     * Creates the directory for the files of a new checkpoint, and returns it. Local.
     *
     * @param id greater than all previous ones
     */
    public Path begin(long id) {
        ArgumentCheck.requireId(id);
        try {
            return create(FileOperations.system(), id);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** As {@link #begin}, called inside a step. */
    Path create(FileOperations operations, long id) throws IOException {
        Path directory = stores.of(id).directoryOf(id);
        operations.createDirectories(directory);
        stores.locks().take();
        return directory;
    }

    /**
     * Protects a checkpoint, and then removes older ones beyond the number that is kept in its store. Called by all
     * ranks.
     *
     * @param id as in {@link #begin}
     * @param files of this rank, complete, in the directory of {@link #begin} or below the working directory
     * @throws IllegalArgumentException on all ranks, when ids differ, the configuration lacks a failure group of some
     *         host, a set is too small, or a file is elsewhere
     */
    public void complete(long id, List<Path> files) {
        DatasetStore store = protect(id, files);
        try {
            store.keepNewest(configuration.keepCount(configuration.forCheckpoint(id).store()), id,
                    kept -> kept == id
                            || (!unusable.contains(kept) && directories.isComplete(store.directoryOf(kept))),
                    removed -> directories.keepSpare(removed, store.directoryOf(id)));
        } catch (IOException failure) {
            warnOfOld(store, failure);
        }
    }

    /** Protects a checkpoint, without removing others; see {@link #complete}. */
    DatasetStore protect(long id, List<Path> files) {
        RedundancyDescriptor descriptor = configuration.forCheckpoint(id);
        DatasetStore store = stores.of(id);
        channel.operation(() -> directories.protect(store.directoryOf(id), "checkpoint " + id, descriptor,
                failureGroup(descriptor).orElse(""), () -> {
                    List<String> mistakes = new ArrayList<>(mistakesIn(id));
                    requirePresent("files", files, mistakes);
                    if (!mistakes.isEmpty()) {
                        throw new IllegalArgumentException(String.join(", ", mistakes));
                    }
                    moveSpare(store, id);
                    return files;
                }));
        return store;
    }

    /** Moves the spare file that this rank overwrites from the directory of the previous checkpoint. */
    private void moveSpare(DatasetStore store, long id) {
        try {
            SortedSet<Long> before = store.ids().headSet(id);
            if (!before.isEmpty()) {
                directories.moveSpare(store.directoryOf(before.last()), store.directoryOf(id));
            }
        } catch (IOException unreadable) {
            LOG.log(System.Logger.Level.DEBUG, "no spare file is used", unreadable);
        }
    }

    private static void warnOfOld(DatasetStore store, IOException failure) {
        LOG.log(System.Logger.Level.WARNING, "old checkpoints in {0} can''t be removed: {1}", store.directory(),
                failure.getMessage());
    }

    /**
     * Removes checkpoints that no checkpoint of {@code others} needs any more: each needs the newest complete one of
     * these that is not newer than itself. Local.
     *
     * @param id of a checkpoint in the same store
     */
    void removeUnneeded(Datasets others, long id) {
        DatasetStore own = stores.of(id);
        try {
            SortedSet<Long> using = others.stores.of(id).ids();
            if (!using.isEmpty()) {
                own.keepNewest(1, using.first(), kept -> directories.isComplete(own.directoryOf(kept)), removed -> {});
            }
        } catch (IOException failure) {
            warnOfOld(own, failure);
        }
    }

    /** Excludes checkpoints that could not be loaded from those that are kept. Local; the same on all ranks. */
    void doNotKeep(Collection<Long> ids) {
        unusable.addAll(ids);
    }

    /** Throws on all ranks if another job uses the same files on any rank. Called by all ranks. */
    void requireNoOther(String operation) {
        channel.step(operation, stores.locks()::take);
    }

    /** Removes the files of an incomplete checkpoint that this rank sees. Local. */
    void discard(long id) {
        DatasetStore store = stores.of(id);
        try {
            store.remove(id);
        } catch (IOException failure) {
            LOG.log(System.Logger.Level.WARNING, "files of the incomplete checkpoint {0} stay in {1}: {2}",
                    Long.toString(id), store.directory(), failure.getMessage());
        }
    }

    /**
     * The reason why these ranks can't protect some checkpoint according to the configuration; the same on all. Called
     * by all ranks.
     */
    Optional<String> misfit() {
        for (int i = 0; i < configuration.descriptors().size(); i++) {
            RedundancyDescriptor descriptor = configuration.descriptors().get(i);
            try {
                directories.requirePossible(descriptor, failureGroup(descriptor).orElse(""));
            } catch (IllegalArgumentException impossible) {
                return Optional.of("configuration.descriptors[" + i + "] must suit the ranks and their failure groups: "
                        + impossible.getMessage());
            }
        }
        return Optional.empty();
    }

    /** The stores in which they are. */
    DatasetStores stores() {
        return stores;
    }

    /** The directories of checkpoints, which can be recovered one by one. */
    ProtectedDirectories directories() {
        return directories;
    }

    /** The channel of its ranks, for other steps. */
    RedsetChannel channel() {
        return channel;
    }

    /** The reasons why this rank can't protect a checkpoint. Local. */
    List<String> mistakesIn(long id) {
        List<String> mistakes = new ArrayList<>(ArgumentCheck.mistakesInId(id));
        RedundancyDescriptor descriptor = configuration.forCheckpoint(id);
        if (failureGroup(descriptor).isEmpty()) {
            mistakes.add("the configuration must have a failure group of the kind " + descriptor.group()
                    + " for each host: host=" + host);
        }
        return mistakes;
    }

    private Optional<String> failureGroup(RedundancyDescriptor descriptor) {
        return configuration.failureGroup(descriptor.group(), host);
    }

    /**
     * Recovers the newest checkpoint that can be recovered on all ranks, and rebuilds its missing files. A checkpoint
     * that is damaged beyond repair or can't be read is skipped; the reason is logged and in the result. A directory
     * that a rank can't list counts as lost to this rank, which is logged once. Called by all ranks. Their number may be
     * another one than before, if together they see enough of the files; {@link Dataset#filesOfRanks} has the files
     * that each rank acts for.
     *
     * @return empty on all ranks, if there is no checkpoint, or all are irrecoverable
     * @throws RedsetException on all ranks, when none can be recovered now but one might be later: a disk has failed,
     *         or another number of ranks was killed while protecting it
     */
    public Optional<Dataset> restart() {
        return channel.operation(this::restartInSteps);
    }

    private Optional<Dataset> restartInSteps() {
        SkippedCheckpoints skipped = new SkippedCheckpoints(RESTART, channel.rank());
        long bound = Long.MAX_VALUE;
        while (true) {
            OptionalLong newest = stores.newestBelow(bound);
            if (newest.isEmpty()) {
                skipped.requireNoObstacle();
                return Optional.empty();
            }
            bound = newest.getAsLong();
            for (DatasetStore store : stores.all()) {
                Optional<Dataset> dataset = directories.restart(store, bound, skipped);
                if (dataset.isPresent()) {
                    doNotKeep(skipped.reasons().keySet());
                    return dataset;
                }
            }
        }
    }

    /**
     * Removes the files of interrupted saves after the newest completed checkpoint, of any number of ranks: otherwise a
     * full disk would stay full. Called by all ranks.
     *
     * @param bound only checkpoints below it
     */
    void removeUnfinished(String operation, long bound) {
        OptionalLong unfinished = stores.newestBelow(bound);
        while (unfinished.isPresent() && directories.wasNeverCompleted(unfinished.getAsLong())) {
            long left = unfinished.getAsLong();
            channel.step(operation, () -> stores.of(left).remove(left));
            unfinished = stores.newestBelow(left);
        }
    }

    /** Frees communicators and memory. Never waits for other ranks. */
    @Override
    public void close() {
        Completely.forEach(List.<Runnable>of(stores::close, channel::close), Runnable::run);
    }

    /**
     * A complete checkpoint, as one rank sees it.
     *
     * @param id its number
     * @param directory that contains it
     * @param filesOfRanks the files of the former ranks that this rank acts for, by the rank that completed the checkpoint,
     *        in the order in which they were passed: its own or, with another number of ranks, those of several
     *        ranks or none. All ranks together have each former rank once
     * @param skipped newer checkpoints that could not be recovered, each with the reason; empty if it is the newest
     */
    public record Dataset(long id, Path directory, SortedMap<Integer, List<Path>> filesOfRanks,
            SortedMap<Long, String> skipped) {
        /** Copies the collections. */
        public Dataset {
            filesOfRanks = Collections.unmodifiableSortedMap(new TreeMap<>(filesOfRanks));
            skipped = Collections.unmodifiableSortedMap(new TreeMap<>(skipped));
        }

        /** All of {@link #filesOfRanks}, in order of rank. */
        public List<Path> files() {
            return filesOfRanks.values().stream().flatMap(List::stream).toList();
        }
    }
}
