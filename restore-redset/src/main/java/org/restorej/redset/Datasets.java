package org.restorej.redset;

import org.restorej.redset.ProtectedDirectories.ProtectionState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
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
import org.restorej.redset.internal.files.JobLock;
import org.restorej.redset.internal.files.LockFile;
import org.restorej.redset.internal.format.RedsetFileNames;
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
    private final String name;
    private final String host;
    private final ProtectedDirectories directories;
    private final UnreadableFolders unreadable;
    private final List<DatasetStore> stores;
    private final List<JobLock> jobLocks = new ArrayList<>();
    private final List<LockFile> locks;
    private final RankMap ranks;
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
        this.name = name;
        this.host = host;
        channel = new RedsetChannel(communicator.duplicate());
        try {
            List<String> mistakes = mistakes(configuration, name, host);
            new ArgumentCheck(channel, CREATE).require(
                    mistakes.isEmpty() ? uniformSettings(degradeSmallSets) : Map.of(), mistakes);
            unreadable = new UnreadableFolders(channel);
            directories = new ProtectedDirectories(channel, degradeSmallSets, unreadable);
            stores = DatasetStore.distinct(channel, CREATE,
                    configuration.descriptors().stream().map(this::storeOf).toList());
            ranks = communicator.ranks();
            int process = communicator.originalRank().value();
            locks = stores.stream().map(store -> store.lock(process)).toList();
            channel.step(CREATE, this::openJobLocks);
        } catch (RuntimeException refusedOrFailed) {
            jobLocks.forEach(JobLock::close);
            channel.close();
            throw refusedOrFailed;
        }
    }

    private void openJobLocks() throws IOException {
        IOException refused = null;
        Set<Path> places = new LinkedHashSet<>();
        for (DatasetStore store : stores) {
            try {
                if (places.add(JobLock.placeOf(store.directory()))) {
                    jobLocks.add(JobLock.open(store.directory(), channel::isOver));
                }
            } catch (IOException inUse) {
                refused = inUse;
            }
        }
        long job = channel.max(JobLock.proposal());
        if (refused != null) {
            throw refused;
        }
        jobLocks.forEach(lock -> lock.setJob(job));
    }

    /** Lets others be made for the same checkpoints, which will be used instead of these. Local. */
    void handOver() {
        jobLocks.forEach(JobLock::handOver);
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
        Path directory = storeOf(configuration.forCheckpoint(id)).directoryOf(id);
        operations.createDirectories(directory);
        keepOthersAway();
        return directory;
    }

    /**
     * Locks the directories. Two concurrent jobs may both get an exception, because each checks again after it has its
     * own lock.
     */
    private void keepOthersAway() throws IOException {
        keepOthersAway(stores);
    }

    /**
     * As {@link #keepOthersAway()}.
     *
     * @param listed the stores in which to look for locks of others
     */
    private void keepOthersAway(List<DatasetStore> listed) throws IOException {
        // First, as it waits for what failed nodes may have locked.
        for (JobLock lock : jobLocks) {
            lock.take();
        }
        requireNoOther(listed);
        for (LockFile lock : locks) {
            lock.take();
        }
        requireNoOther(listed);
    }

    private void requireNoOther(List<DatasetStore> listed) throws IOException {
        for (DatasetStore store : listed) {
            store.requireNoOther(ranks);
        }
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
        DatasetStore store = storeOf(descriptor);
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
            warnOfOld(store, unreadable);
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
        DatasetStore own = storeOf(configuration.forCheckpoint(id));
        try {
            SortedSet<Long> using = others.storeOf(configuration.forCheckpoint(id)).ids();
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
        channel.step(operation, this::keepOthersAway);
    }

    /**
     * Throws if files of this rank in a completed checkpoint are missing, have other sizes, or are no longer protected.
     * Local.
     */
    void requireComplete(long id) throws IOException {
        Path directory = storeOf(configuration.forCheckpoint(id)).directoryOf(id);
        List<String> losses = directories.isComplete(directory) ? directories.missing(directory) : List.of("all");
        if (!losses.isEmpty()) {
            throw new IOException("what was saved in " + directory + " is gone: " + String.join("; ", losses));
        }
    }

    /** Removes the files of an incomplete checkpoint that this rank sees. Local. */
    void discard(long id) {
        DatasetStore store = storeOf(configuration.forCheckpoint(id));
        try {
            store.remove(id);
        } catch (IOException failure) {
            warnOfOld(store, failure);
        }
    }

    /**
     * The reason why these ranks can't protect some checkpoint according to the configuration; the same on all. Called
     * by all ranks.
     */
    Optional<String> misfit() {
        List<String> own = configuration.descriptors().stream()
                .map(descriptor -> failureGroup(descriptor).orElse("")).toList();
        List<List<String>> told = channel.compute(CREATE, () -> channel.allGather(own));
        for (int i = 0; i < own.size(); i++) {
            int which = i;
            List<String> groups = told.stream().map(ofRank -> ofRank.get(which)).toList();
            try {
                directories.requirePossible(configuration.descriptors().get(i), groups);
            } catch (IllegalArgumentException impossible) {
                return Optional.of("configuration.descriptors[" + i + "] must suit the ranks and their failure groups: "
                        + impossible.getMessage());
            }
        }
        return Optional.empty();
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
            OptionalLong newest = newestBelow(bound);
            if (newest.isEmpty()) {
                skipped.requireNoObstacle();
                return Optional.empty();
            }
            bound = newest.getAsLong();
            for (DatasetStore store : stores) {
                Optional<Dataset> dataset = directories.restart(store, bound, skipped);
                if (dataset.isPresent()) {
                    doNotKeep(skipped.reasons().keySet());
                    return dataset;
                }
            }
        }
    }

    /**
     * Id of the newest checkpoint below a bound of which any rank has a directory. Called by all ranks.
     *
     * @throws RedsetException on all ranks, when a rank can't list a store, and the others have no checkpoint at all:
     *         that rank's may be the only ones
     */
    OptionalLong newestBelow(long bound) {
        Map<Path, String> obstacles = new LinkedHashMap<>();
        long own = channel.compute(RESTART, () -> {
            List<DatasetStore> listed = new ArrayList<>();
            for (DatasetStore store : stores) {
                DirectoryEntries.obstacle(store.directory()).ifPresentOrElse(
                        reason -> obstacles.put(store.directory(), reason), () -> listed.add(store));
            }
            keepOthersAway(listed);
            SortedSet<Long> older = new TreeSet<>();
            for (DatasetStore store : listed) {
                older.addAll(store.ids().headSet(bound));
            }
            return older.isEmpty() ? -1 : older.last();
        });
        long[] newest = {-own, obstacles.isEmpty() ? 1 : 0};
        channel.step(RESTART, () -> channel.min(newest));
        if (newest[1] == 0) {
            unreadable.tell(RESTART, obstacles);
            channel.step(RESTART, () -> {
                if (newest[0] > 0 && bound == Long.MAX_VALUE && !obstacles.isEmpty()) {
                    throw new IOException("no other rank sees a checkpoint, and "
                            + String.join("; ", obstacles.values()));
                }
            });
        }
        return newest[0] > 0 ? OptionalLong.empty() : OptionalLong.of(-newest[0]);
    }

    /** The directories that hold checkpoints. Local. */
    List<Path> places() {
        return stores.stream().map(DatasetStore::directory).distinct().toList();
    }

    /**
     * The state of a checkpoint after an interruption was settled; the same on all ranks.
     *
     * @param isProtected whether any file protects it; otherwise it was never completed
     * @param obstacle the reason why these ranks can't settle it, or which of them can't look for it; empty if they can
     */
    record Settled(boolean isProtected, Optional<String> obstacle) {}

    /**
     * Completes or undoes an operation in which an equal number of ranks was killed, and rebuilds what is then missing.
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
            } else if (obstacle.isEmpty()) {
                obstacle = state.unread();
            }
        }
        return new Settled(isProtected, obstacle);
    }

    /** Whether no rank sees a file that protects a checkpoint, of any rank. Called by all ranks. */
    boolean wasNeverCompleted(long id) {
        return channel.compute("save", () -> {
            boolean isProtected = false;
            for (Path directory : directoriesOf(id)) {
                isProtected |= DirectoryEntries.namesOf(directory).stream().anyMatch(RedsetFileNames::isOfSomeEncoding);
            }
            return channel.min(isProtected ? 0 : 1);
        }) == 1;
    }

    /** The directories in which a checkpoint may be, one for each store. Local. */
    Path[] directoriesOf(long id) {
        return stores.stream().map(store -> store.directoryOf(id).toAbsolutePath()).toArray(Path[]::new);
    }

    /** Removes the files of a checkpoint that this rank sees. Local; other ranks may do the same. */
    void remove(long id) throws IOException {
        storeOf(configuration.forCheckpoint(id)).remove(id);
    }

    /**
     * Removes the files of interrupted saves after the newest completed checkpoint, of any number of ranks: otherwise a
     * full disk would stay full. Called by all ranks.
     *
     * @param bound only checkpoints below it
     */
    void removeUnfinished(String operation, long bound) {
        OptionalLong unfinished = newestBelow(bound);
        while (unfinished.isPresent() && wasNeverCompleted(unfinished.getAsLong())) {
            long left = unfinished.getAsLong();
            channel.step(operation, () -> remove(left));
            unfinished = newestBelow(left);
        }
    }

    /**
     * Whether a checkpoint of an equal number of ranks has more files on some ranks than on others. Called by all
     * ranks.
     */
    boolean isVisiblyDamaged(long id) {
        boolean damaged = false;
        for (DatasetStore store : stores) {
            ProtectionState protection = directories.look(store.directoryOf(id));
            damaged |= protection.isOfAsMany(channel.size()) && !protection.isAlike();
        }
        return damaged;
    }

    /**
     * Repairs a checkpoint as {@link #restart} does, in all stores. Called by all ranks. Reads everything. A failed
     * repair is not an error, because the caller may get the blocks in another way.
     *
     * @return the reason why it is not complete, the same on all ranks; empty if it is
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

    /** Frees communicators and memory. Never waits for other ranks. */
    @Override
    public void close() {
        locks.forEach(LockFile::close);
        jobLocks.forEach(JobLock::close);
        channel.close();
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
