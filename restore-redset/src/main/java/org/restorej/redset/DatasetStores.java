package org.restorej.redset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.protocol.JobLocks;
import org.restorej.redset.internal.protocol.PostponedFailure;
import org.restorej.redset.internal.protocol.RedsetChannel;

/**
 * The stores of one name, as one rank of a job has them open. From the constructor until {@link #close} another job, or
 * another group of the same job, that uses the name in one of them gets an exception. Not thread-safe.
 */
final class DatasetStores implements AutoCloseable {
    private static final String RESTART = "restart";

    private final RedsetChannel channel;
    private final RedundancyConfiguration configuration;
    private final String name;
    private final UnreadableFolders unreadable;
    private final List<DatasetStore> stores;
    private final JobLocks locks;

    /**
     * Opens stores. Called by all ranks.
     *
     * @param channel stays the caller's
     * @param name of the program or job: a directory in each store
     * @param unreadable gets the stores that ranks can't list
     * @throws RedsetException on all ranks, when the thread of any rank has the same name in the same store open
     *         already, and no process has failed since
     */
    DatasetStores(RedsetChannel channel, String operation, RedundancyConfiguration configuration, String name,
            UnreadableFolders unreadable) {
        this.channel = channel;
        this.configuration = configuration;
        this.name = name;
        this.unreadable = unreadable;
        stores = DatasetStore.distinct(channel, operation,
                configuration.descriptors().stream().map(this::of).toList());
        locks = new JobLocks(channel, stores.stream().map(DatasetStore::lockFile).toList());
        try {
            channel.step(operation, () -> {
                locks.agree();
                locks.requireOnlyUse();
            });
        } catch (RuntimeException refusedOrFailed) {
            close();
            throw refusedOrFailed;
        }
    }

    /** The locks that keep other jobs away from the stores. */
    JobLocks locks() {
        return locks;
    }

    /** All stores, each once. */
    List<DatasetStore> all() {
        return stores;
    }

    private DatasetStore of(RedundancyDescriptor descriptor) {
        return new DatasetStore(descriptor.store().resolve(name));
    }

    /** The store of a new checkpoint. */
    DatasetStore of(long id) {
        return of(configuration.forCheckpoint(id));
    }

    /** The directories that hold checkpoints. Local. */
    List<Path> places() {
        return stores.stream().map(DatasetStore::directory).distinct().toList();
    }

    /** The directories in which a checkpoint may be, one for each store. Local. */
    Path[] directoriesOf(long id) {
        return stores.stream().map(store -> store.directoryOf(id).toAbsolutePath()).toArray(Path[]::new);
    }

    /**
     * Id of the newest checkpoint below a bound of which any rank has a directory. Called by all ranks.
     *
     * @throws RedsetException on all ranks, when a rank can't list a store, and the others have no checkpoint at all:
     *         that rank's may be the only ones
     */
    OptionalLong newestBelow(long bound) {
        Map<Path, String> obstacles = new LinkedHashMap<>();
        long[] newest = channel.compute(RESTART, () -> {
            PostponedFailure failure = new PostponedFailure();
            long own = failure.attempt(() -> ownNewestBelow(bound, obstacles)).orElse(-1L);
            long[] found = {-own, obstacles.isEmpty() ? 1 : 0};
            channel.min(found);
            failure.throwIfAny();
            return found;
        });
        boolean isNone = newest[0] > 0;
        if (newest[1] == 0) {
            SortedMap<Integer, String> folders = unreadable.tell(RESTART, obstacles);
            if (isNone && bound == Long.MAX_VALUE) {
                throw new RedsetException(RESTART,
                        "no rank sees a checkpoint, but " + UnreadableFolders.describe(folders));
            }
        }
        return isNone ? OptionalLong.empty() : OptionalLong.of(-newest[0]);
    }

    private long ownNewestBelow(long bound, Map<Path, String> obstacles) throws IOException {
        List<DatasetStore> listed = new ArrayList<>();
        for (DatasetStore store : stores) {
            DirectoryEntries.obstacle(store.directory()).ifPresentOrElse(
                    reason -> obstacles.put(store.directory(), reason), () -> listed.add(store));
        }
        locks.take();
        SortedSet<Long> older = new TreeSet<>();
        for (DatasetStore store : listed) {
            older.addAll(store.ids().headSet(bound));
        }
        return older.isEmpty() ? -1 : older.last();
    }

    /** Frees the locks. Never waits for other ranks. */
    @Override
    public void close() {
        locks.close();
    }
}
