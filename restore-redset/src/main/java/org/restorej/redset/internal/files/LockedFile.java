package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.host.HostName;
import org.restorej.redset.internal.files.JobLock.InUseException;

/**
 * A lock file that this process has open. It contains the number of a job, and every process of the job has a shared
 * lock on its first byte: a process that can lock that byte alone may write another number. Processes take turns, by an
 * exclusive lock on the second byte. All calls are guarded by one monitor.
 */
final class LockedFile {
    private static final System.Logger LOG = System.getLogger(LockedFile.class.getName());
    private static final AtomicBoolean TOLD = new AtomicBoolean();
    /** Byte of the file on which every process of the job has a shared lock. */
    private static final long MEMBERS = 0;
    /** Byte of the file that a process locks while it examines the other locks, and writes the number. */
    private static final long TURN = 1;
    private static final Pattern CONTENT = Pattern.compile("job (\\d{1,19}), first (process \\d+ on [\\w.-]+)");
    private static final int MAX_CONTENT_BYTES = 300;
    /** Longer than a process keeps {@link #TURN} on a slow file system. */
    private static final long TURN_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /**
     * By the keys of the files, since a file may have several paths. In POSIX, closing a second channel of a file frees
     * its locks, so no file of this map may be opened again.
     */
    private static final Map<Object, LockedFile> OPEN = new HashMap<>();

    private final Path path;
    private final Object key;
    private final FileChannel channel;
    private final List<JobLock> holders = new ArrayList<>();
    private long job;
    /** Null where the file system has no locks. */
    private @Nullable FileLock lock;

    private LockedFile(Path path, Object key, FileChannel channel) {
        this.path = path;
        this.key = key;
        this.channel = channel;
    }

    static void warn(Path path, IOException failure) {
        if (TOLD.compareAndSet(false, true)) {
            LOG.log(System.Logger.Level.WARNING, "{0} can''t be locked, so two jobs that use {1} at once would not be "
                    + "noticed: {2}", path, path.getParent(), failure.getMessage());
        }
    }

    private static @Nullable Object keyOf(Path real) throws IOException {
        try {
            return Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey();
        } catch (NoSuchFileException absent) {
            return null;
        }
    }

    /**
     * Locks a file, which is created if it is absent.
     *
     * @param real without links
     * @param holder has the file until {@link #leave}
     * @throws InUseException if another job has it
     */
    static LockedFile join(Path real, JobLock holder) throws IOException {
        while (true) {
            Object key = keyOf(real);
            LockedFile known = key == null ? null : OPEN.get(key);
            LockedFile file = known == null ? open(real, key) : known;
            if (file == null) {
                continue;
            }
            try {
                if (file.isJoined(holder)) {
                    file.holders.add(holder);
                    return file;
                }
            } finally {
                if (file.holders.isEmpty()) {
                    OPEN.remove(file.key);
                    file.channel.close();
                }
            }
        }
    }

    /** Opens the file; null when it was made or removed meanwhile. */
    private static @Nullable LockedFile open(Path real, @Nullable Object key) throws IOException {
        try {
            FileChannel channel = key == null
                    ? FileChannel.open(real, StandardOpenOption.READ, StandardOpenOption.WRITE,
                            StandardOpenOption.CREATE_NEW)
                    : FileChannel.open(real, StandardOpenOption.READ, StandardOpenOption.WRITE,
                            LinkOption.NOFOLLOW_LINKS);
            Object opened = keyOf(real);
            if (opened == null) {
                channel.close();
                return null;
            }
            LockedFile file = new LockedFile(real, opened, channel);
            OPEN.put(opened, file);
            return file;
        } catch (FileAlreadyExistsException | NoSuchFileException changed) {
            LOG.log(System.Logger.Level.TRACE, "made or removed meanwhile", changed);
            return null;
        }
    }

    /** Makes this process one of the job's; false when the file was removed meanwhile. */
    private boolean isJoined(JobLock holder) throws IOException {
        holders.removeIf(other -> !other.owner().isAlive());
        if (!holders.isEmpty()) {
            // A thread may take again what it has.
            if (job != holder.job() && holders.stream().noneMatch(other -> other.owner().equals(holder.owner()))) {
                throw new InUseException(holder.path(),
                        "the thread " + holders.getFirst().owner().getName() + " of this process", true);
            }
            return true;
        }
        job = holder.job();
        FileLock turn;
        try {
            turn = turn(channel);
        } catch (OverlappingFileLockException unknown) {
            throw new InUseException(holder.path(), "this process", true);
        } catch (IOException unsupported) {
            warn(path, unsupported);
            return true;
        }
        try (turn) {
            // The former holder may have removed the file meanwhile: its lock would be of no use.
            return isAt(path) && isJoined(holder.path());
        }
    }

    private boolean isJoined(Path shown) throws IOException {
        if (lock != null) {
            // Of threads that have ended.
            lock.release();
        }
        try (FileLock alone = channel.tryLock(MEMBERS, 1, false)) {
            if (alone != null) {
                channel.truncate(0);
                channel.write(ByteBuffer.wrap(("job " + job + ", first process " + ProcessHandle.current().pid()
                        + " on " + HostName.orLocalhost()).getBytes(StandardCharsets.UTF_8)), 0);
            }
        }
        ByteBuffer text = ByteBuffer.allocate(MAX_CONTENT_BYTES);
        channel.read(text, 0);
        Matcher content = CONTENT.matcher(StandardCharsets.UTF_8.decode(text.flip()));
        boolean known = content.matches();
        lock = known && content.group(1).equals(Long.toString(job)) ? channel.tryLock(MEMBERS, 1, true) : null;
        if (lock == null) {
            throw new InUseException(shown, known ? content.group(2) : "another process", false);
        }
        return true;
    }

    /** The exclusive lock that a process needs while it examines or changes locks of the job. */
    private static FileLock turn(FileChannel channel) throws IOException {
        long end = System.nanoTime() + TURN_NANOS;
        while (true) {
            FileLock turn = channel.tryLock(TURN, 1, false);
            if (turn != null) {
                return turn;
            }
            if (System.nanoTime() - end > 0) {
                throw new IOException("another process has had its turn for " + TimeUnit.NANOSECONDS.toSeconds(
                        TURN_NANOS) + " seconds");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Whether the file is still the one at a path. */
    boolean isAt(Path real) throws IOException {
        return key.equals(keyOf(real));
    }

    /** See {@link JobLock#isInUse}. */
    static boolean isInUse(Path real) throws IOException {
        LockedFile known = OPEN.get(keyOf(real));
        if (known != null) {
            return known.holders.stream().anyMatch(holder -> holder.owner().isAlive());
        }
        // Opening a named pipe could wait.
        if (!Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(real, StandardOpenOption.READ, StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
                FileLock _ = turn(channel);
                FileLock alone = channel.tryLock(MEMBERS, 1, false)) {
            return alone == null;
        }
    }

    /** Ends the use by a holder. The last one of this process frees the lock, and the last of all removes the file. */
    void leave(JobLock holder) {
        // The lock of a thread that has ended is no longer a holder, and the file may be closed already.
        if (!holders.remove(holder) || !holders.isEmpty()) {
            return;
        }
        OPEN.remove(key);
        try (channel) {
            if (lock == null) {
                // Only who has a lock writes: a file with content is that of another job.
                if (channel.size() == 0 && isAt(path)) {
                    Files.deleteIfExists(path);
                }
                return;
            }
            try (FileLock _ = turn(channel)) {
                lock.release();
                try (FileLock alone = channel.tryLock(MEMBERS, 1, false)) {
                    // While this process has the turn: later this could be the file of the next job.
                    if (alone != null && isAt(path)) {
                        Files.deleteIfExists(path);
                    }
                }
            }
        } catch (IOException failure) {
            LOG.log(System.Logger.Level.DEBUG, "a lock file stays behind: {0}", failure.getMessage());
        }
    }
}
