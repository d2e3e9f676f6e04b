package org.restorej.redset;

import org.restorej.redset.ProtectedDirectories.ProtectionState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.RankMap;
import org.restorej.internal.host.HostName;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.LockFile;
import org.restorej.redset.internal.format.RedsetFileNames;
import org.restorej.redset.internal.protocol.RedsetChannel;

/**
 * Checkpoints of files. Each is a directory {@code <store>/<name>/checkpoint.<id>}, protected as the configuration
 * says for its id. The newest ones are kept. After a restart the newest that can be recovered is used.
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
 * that share a store must name their files differently. From the first call until {@link #close} another job that uses
 * the same name in the same store, or another group of the same job, is refused; one that was killed keeps nobody away.
 * Used by one thread.
 *
 * <p>
 * A failed process ends every collective call as it does for {@link Redset}. The survivors shrink and make new
 * {@code Datasets}; an interrupted checkpoint counts as not written. Must be closed; after a failure, when the
 * survivors have shrunk.
 */
public final class Datasets implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Datasets.class.getName());
    private static final String CREATE = "datasets";
    private static final String RESTART = "restart";

    private final RedsetChannel channel;
    private final RedundancyConfiguration configuration;
    private final String name;
    private final String host;
    private final ProtectedDirectories directories;
    private final List<DatasetStore> stores;
    private final List<LockFile> locks;
    private final RankMap ranks;

    /**
     * Datasets on this host, with sets that are too small refused. Called by all ranks.
     *
     * @param communicator stays the caller's
     * @param configuration which checkpoint is protected how, and lies where
     * @param name of the program or job: a directory in each store
     */
    public Datasets(Communicator communicator, RedundancyConfiguration configuration, String name) {
        this(communicator, configuration, name, HostName.orLocalhost(), false);
    }

    /**
     * Datasets. Called by all ranks.
     *
     * @param communicator stays the caller's
     * @param configuration which checkpoint is protected how, and lies where
     * @param name of the program or job: a directory in each store
     * @param host name of this host, by which the configuration knows its failure groups
     * @param degradeSmallSets what becomes of sets with too few processes, as {@link Redset.Builder#degradeSmallSets}
     *        has it
     * @throws IllegalArgumentException on all ranks, when an argument of any is null, the name is not one element of a
     *         path, or what must be the same is not
     */
    public Datasets(Communicator communicator, RedundancyConfiguration configuration, String name, String host,
            boolean degradeSmallSets) {
        this.configuration = configuration;
        this.name = name;
        this.host = host;
        channel = new RedsetChannel(communicator.duplicate());
        try {
            List<String> mistakes = mistakes(configuration, name, host);
            new ArgumentCheck(channel, CREATE).require(
                    mistakes.isEmpty() ? uniformSettings(degradeSmallSets) : Map.of(), mistakes);
            directories = new ProtectedDirectories(channel, degradeSmallSets);
            stores = DatasetStore.distinct(channel, CREATE,
                    configuration.descriptors().stream().map(this::storeOf).toList());
            ranks = communicator.ranks();
            int process = communicator.originalRank().value();
            locks = stores.stream().map(store -> store.lock(process)).toList();
        } catch (RuntimeException refusedOrFailed) {
            channel.close();
            throw refusedOrFailed;
        }
    }

    /** Finds missing arguments. They are told to the other ranks, which wait for this one. */
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

    /** All of a configuration but paths and failure groups, which each host may have its own of. */
    private Map<String, String> uniformSettings(boolean degradesSmallSets) {
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

    private DatasetStore storeOf(RedundancyDescriptor descriptor) {
        return new DatasetStore(descriptor.store().resolve(name));
    }

    /**
     * The directory that a new checkpoint's files go to; created. Local.
     *
     * @param id greater than those before
     */
    public Path begin(long id) {
        ArgumentCheck.requireId(id);
        try {
            return create(FileOperations.system(), id);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** As {@link #begin}, for callers in a step. */
    Path create(FileOperations operations, long id) throws IOException {
        Path directory = storeOf(configuration.forCheckpoint(id)).directoryOf(id);
        operations.createDirectories(directory);
        keepOthersAway();
        return directory;
    }

    /** Two that come at the same time may both be refused: each looks again when it has its own lock. */
    private void keepOthersAway() throws IOException {
        requireNoOther();
        for (LockFile lock : locks) {
            lock.take();
        }
        requireNoOther();
    }

    private void requireNoOther() throws IOException {
        for (DatasetStore store : stores) {
            store.requireNoOther(ranks);
        }
    }

    /**
     * Protects a checkpoint, and then removes older ones beyond the number that is kept in its store. Called by all
     * ranks.
     *
     * @param id as in {@link #begin}
     * @param files of this rank, complete, in the directory of {@link #begin} or below the working directory
     * @throws IllegalArgumentException on all ranks, when ids differ, or the configuration lacks a failure group of
     *        some host, or a set is too small, or a file is elsewhere
     */
    public void complete(long id, List<Path> files) {
        DatasetStore store = protect(id, files);
        try {
            store.keepNewest(configuration.keepCount(configuration.forCheckpoint(id).store()), id,
                    directories::isComplete, removed -> directories.keepSpare(removed, store.directoryOf(id)));
        } catch (IOException failure) {
            warnOfOld(store, failure);
        }
    }

    /** As {@link #complete}, but removes nothing. */
    DatasetStore protect(long id, List<Path> files) {
        List<String> mistakes = new ArrayList<>(mistakesIn(id));
        requirePresent("files", files, mistakes);
        new ArgumentCheck(channel, "complete").requireId(id, mistakes);
        RedundancyDescriptor descriptor = configuration.forCheckpoint(id);
        DatasetStore store = storeOf(descriptor);
        moveSpare(store, id);
        directories.protect(store.directoryOf(id), descriptor, failureGroup(descriptor).orElseThrow(), files);
        return store;
    }

    /** The file that this rank writes over is in the directory of the checkpoint before. */
    private void moveSpare(DatasetStore store, long id) {
        try {
            SortedSet<Long> before = store.ids().headSet(id);
            if (!before.isEmpty()) {
                directories.moveSpare(store.directoryOf(before.last()), store.directoryOf(id));
            }
        } catch (IOException unreadable) {
            warnOfOld(store, unreadable);
        }
    }

    private static void warnOfOld(DatasetStore store, IOException failure) {
        LOG.log(System.Logger.Level.WARNING, "old checkpoints in {0} can''t be removed: {1}", store.directory(),
                failure.getMessage());
    }

    /**
     * Removes what no checkpoint of others needs any more: each needs the newest of these that is complete and not newer
     * than itself. Local.
     *
     * @param id of a checkpoint in the store in question
     */
    void removeUnneeded(Datasets others, long id) {
        DatasetStore own = storeOf(configuration.forCheckpoint(id));
        try {
            SortedSet<Long> using = others.storeOf(configuration.forCheckpoint(id)).ids();
            if (!using.isEmpty()) {
                own.keepNewest(1, using.first(), directories::isComplete, removed -> {});
            }
        } catch (IOException failure) {
            warnOfOld(own, failure);
        }
    }

    /** Refuses on all ranks what another job's use of the same files keeps any of them from. Called by all ranks. */
    void requireNoOther(String operation) {
        channel.step(operation, this::keepOthersAway);
    }

    /** Throws when this rank's files of a checkpoint that was completed aren't protected any more. Local. */
    void requireComplete(long id) throws IOException {
        Path directory = storeOf(configuration.forCheckpoint(id)).directoryOf(id);
        if (!directories.isComplete(directory)) {
            throw new IOException("what was saved in " + directory + " is gone");
        }
    }

    /** Removes what could not be completed, as far as this rank sees it. Local. */
    void discard(long id) {
        DatasetStore store = storeOf(configuration.forCheckpoint(id));
        try {
            store.remove(id);
        } catch (IOException failure) {
            warnOfOld(store, failure);
        }
    }

    /** The channel on which its ranks agree, for steps beside its own. */
    RedsetChannel channel() {
        return channel;
    }

    /** What keeps this rank from protecting a checkpoint. Local. */
    List<String> mistakesIn(long id) {
        RedundancyDescriptor descriptor = configuration.forCheckpoint(id);
        return failureGroup(descriptor).isPresent()
                ? List.of()
                : List.of("the configuration must have a failure group of the kind " + descriptor.group()
                        + " for each host: host=" + host);
    }

    private Optional<String> failureGroup(RedundancyDescriptor descriptor) {
        return configuration.failureGroup(descriptor.group(), host);
    }

    /**
     * Recovers the newest checkpoint that all ranks can have, and rebuilds what is missing of it. A checkpoint that is
     * damaged beyond repair or can't be read is skipped; that is logged, and the result names the reason. Called by
     * all ranks, of any number that together see enough of its files: {@link Dataset#filesOfRanks} says whose a rank
     * has.
     *
     * @return empty on all ranks, when there is none, or all are lost for good
     * @throws RedsetException on all ranks, when none can be had but one might be: disks failed, or another number of
     *         processes was killed while it protected it
     */
    public Optional<Dataset> restart() {
        SkippedCheckpoints skipped = new SkippedCheckpoints(RESTART, channel.rank());
        long bound = Long.MAX_VALUE;
        while (true) {
            OptionalLong newest = newestBelow(bound);
            if (newest.isEmpty()) {
                skipped.requireNoObstacle();
                return Optional.empty();
            }
            bound = newest.getAsLong();
            for (DatasetStore store : stores) {
                Optional<Dataset> dataset = directories.restart(store, bound, skipped);
                if (dataset.isPresent()) {
                    return dataset;
                }
            }
        }
    }

    /** Id of the newest checkpoint before a bound of which any rank has a directory. Called by all ranks. */
    OptionalLong newestBelow(long bound) {
        long own = channel.compute(RESTART, () -> {
            keepOthersAway();
            SortedSet<Long> older = new TreeSet<>();
            for (DatasetStore store : stores) {
                older.addAll(store.ids().headSet(bound));
            }
            return older.isEmpty() ? -1 : older.last();
        });
        long newest = channel.compute(RESTART, () -> channel.greatest(own));
        return newest < 0 ? OptionalLong.empty() : OptionalLong.of(newest);
    }

    /** The directories that hold checkpoints. Local. */
    List<Path> places() {
        return stores.stream().map(DatasetStore::directory).distinct().toList();
    }

    /**
     * What a checkpoint is after an interruption was settled; the same on all ranks.
     *
     * @param isProtected whether anything protects its files: otherwise it was never completed
     * @param obstacle what keeps these ranks from settling; empty when nothing does
     */
    record Settled(boolean isProtected, Optional<String> obstacle) {}

    /**
     * Completes or aborts what as many ranks were doing when they were killed, and rebuilds what is missing then.
     * Called by all ranks.
     */
    Settled settle(long id) {
        boolean isProtected = false;
        Optional<String> obstacle = Optional.empty();
        for (DatasetStore store : stores) {
            Path directory = store.directoryOf(id);
            ProtectionState state = directories.settle(directory);
            isProtected |= state.isThere();
            if (state.isForOthersToSettle(channel.size())) {
                obstacle = Optional.of(directories.interruption(directory));
            }
        }
        return new Settled(isProtected, obstacle);
    }

    /** Whether no rank sees anything that protects a checkpoint, of whatever rank. Called by all ranks. */
    boolean wasNeverCompleted(long id) {
        return channel.compute("save", () -> {
            boolean isProtected = false;
            for (Path directory : directoriesOf(id)) {
                isProtected |= DirectoryEntries.namesOf(directory).stream().anyMatch(RedsetFileNames::isOfSomeEncoding);
            }
            return channel.least(isProtected ? 0 : 1);
        }) == 1;
    }

    /** Where a checkpoint may lie: a directory for each store. Local. */
    Path[] directoriesOf(long id) {
        return stores.stream().map(store -> store.directoryOf(id).toAbsolutePath()).toArray(Path[]::new);
    }

    /** Removes what this rank sees of a checkpoint. Local; other ranks may be doing the same. */
    void remove(long id) throws IOException {
        storeOf(configuration.forCheckpoint(id)).remove(id);
    }

    /**
     * Removes what saves have left that were interrupted, after the newest checkpoint that was completed, by however
     * many ranks: nobody else does, and a full disk would stay full. Called by all ranks.
     *
     * @param bound only checkpoints before it
     */
    void removeUnfinished(String operation, long bound) {
        OptionalLong unfinished = newestBelow(bound);
        while (unfinished.isPresent() && wasNeverCompleted(unfinished.getAsLong())) {
            long left = unfinished.getAsLong();
            channel.step(operation, () -> remove(left));
            unfinished = newestBelow(left);
        }
    }

    /** Whether a checkpoint of as many ranks has more files on some ranks than on others. Called by all ranks. */
    boolean isVisiblyDamaged(long id) {
        boolean damaged = false;
        for (DatasetStore store : stores) {
            ProtectionState protection = directories.look(store.directoryOf(id));
            damaged |= protection.isOfAsMany(channel.size()) && !protection.isAlike();
        }
        return damaged;
    }

    /**
     * Repairs a checkpoint as {@link #restart} does, in whichever stores its files are. Called by all ranks. Reads
     * everything. A repair that fails is no error: the caller may get the blocks in another way.
     *
     * @return why it isn't whole now; the same on all ranks; empty when it is
     */
    Optional<String> recover(long id) {
        Set<Path> places = new LinkedHashSet<>(
                List.of(storeOf(configuration.forCheckpoint(id)).directoryOf(id).toAbsolutePath()));
        places.addAll(List.of(directoriesOf(id)));
        try {
            directories.recover(List.copyOf(places));
            return Optional.empty();
        } catch (IrrecoverableFilesException | RedsetException failure) {
            String reason = String.valueOf(failure.getMessage());
            if (channel.rank() == 0) {
                LOG.log(System.Logger.Level.WARNING, "checkpoint {0} can''t be repaired: {1}", Long.toString(id),
                        reason);
            }
            return Optional.of(reason);
        }
    }

    /** Frees communicators and memory. Never waits for others. */
    @Override
    public void close() {
        locks.forEach(LockFile::close);
        channel.close();
    }

    /**
     * A checkpoint that is whole, as one rank sees it.
     *
     * @param id its number
     * @param directory where it lies
     * @param filesOfRanks the files of the ranks that this process has acted for, by the rank that completed the
     *        checkpoint, in the order in which they were given: its own, or with another number of processes those of
     *        several or none. All processes together have each rank once
     * @param skipped newer ones that could not be recovered, each with the reason; empty when it is the newest
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
