package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.restorej.internal.message.Completely;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.JobLock;

/**
 * The locks of one rank on all directories that it uses with the ranks of a channel, under one number of their job. Not
 * thread-safe.
 */
public final class JobLocks implements AutoCloseable {
    private final RedsetChannel channel;
    /** By file without links: several paths may lead to one. */
    private final Map<Path, JobLock> locks = new LinkedHashMap<>();
    private boolean agreed;

    /**
     * Creates locks; takes none.
     *
     * @param channel of the ranks that have the same number; stays the caller's
     * @param files lock files
     */
    public JobLocks(RedsetChannel channel, Collection<Path> files) {
        this.channel = channel;
        files.forEach(file -> locks.computeIfAbsent(FilePaths.withoutLinks(file),
                absent -> new JobLock(file, channel::isOver)));
    }

    /** Refuses a second use of the same directories by this thread; see {@link JobLock#requireOnlyUse}. */
    public void requireOnlyUse() throws IOException {
        for (JobLock lock : locks.values()) {
            lock.requireOnlyUse();
        }
    }

    /**
     * Agrees on the number of the job, before a lock is taken. Called by all ranks of the channel, in a step; only the
     * first call communicates.
     */
    public void agree() {
        if (!agreed) {
            long job = channel.max(locks.values().stream().mapToLong(JobLock::proposal).max().orElseThrow());
            locks.values().forEach(lock -> lock.setJob(job));
            agreed = true;
        }
    }

    /** Takes the locks of all directories that exist; see {@link JobLock#take}. Local. */
    public void take() throws IOException {
        for (JobLock lock : locks.values()) {
            lock.take();
        }
    }

    /** Lets this thread use the directories again before these locks are closed. */
    public void handOver() {
        locks.values().forEach(JobLock::handOver);
    }

    @Override
    public void close() {
        Completely.forEach(locks.values(), JobLock::close);
    }
}
