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
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.host.HostName;

/**
 * A lock that excludes other jobs and threads from the files beside it. The operating system frees the lock when its
 * process ends, even if it is killed. A thread may take a lock again that it already has. If a thread ends without
 * freeing its lock, another thread can take the lock. The last {@link #close} removes the file; the file of a killed
 * process remains, without a lock.
 *
 * <p>
 * If the file can't be created or the file system has no locks, nothing is locked, and a warning is logged once.
 * Thread-safe.
 */
public final class LockFile implements AutoCloseable {
    /** Extension of the names of lock files. */
    public static final String EXTENSION = "restorej-lock";

    private static final System.Logger LOG = System.getLogger(LockFile.class.getName());
    private static final AtomicBoolean TOLD = new AtomicBoolean();
    private static final int MAX_HOLDER_BYTES = 200;
    /** Longer than {@link #isLocked} takes on a slow file system. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** Longer than a thread that counts as failed takes to close its files. */
    private static final long ENDING_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /**
     * Locks of this JVM by the keys of their files, since a file may have several paths. In POSIX, closing a second
     * channel of a file frees its lock, so no file of this map may be opened again.
     */
    private static final Map<Object, Held> HELD = new HashMap<>();

    private final Path path;
    private @Nullable Held held;

    /** A lock that this JVM has. */
    private static final class Held {
        private final Path path;
        private final Object key;
        private final FileChannel channel;
        private final Thread owner = Thread.currentThread();
        private int holders = 1;

        Held(Path path, Object key, FileChannel channel) {
            this.path = path;
            this.key = key;
            this.channel = channel;
        }
    }

    /** Another job, or another thread, has the lock. */
    public static final class InUseException extends IOException {
        private static final long serialVersionUID = 1L;

        private final boolean ofThisProcess;

        private InUseException(String message, boolean ofThisProcess) {
            super(message);
            this.ofThisProcess = ofThisProcess;
        }

        private InUseException(Path path, String holder, boolean ofThisProcess) {
            this(path.toAbsolutePath().getParent() + " is in use by " + holder + ", as " + path.getFileName()
                    + " tells: two jobs must not replace the same files; use another directory or name for one of "
                    + "them, or wait until the other has ended", ofThisProcess);
        }

        /** Another process has the lock. */
        InUseException(Path path, String holder) {
            this(path, holder, false);
        }

        /** Another thread has it. */
        static InUseException ofThread(Path path, Thread holder) {
            return new InUseException(path, "the thread " + holder.getName() + " of this process", true);
        }

        /** This thread has the directory open, perhaps by another path. */
        static InUseException ofThisThread(Path directory, Path open) {
            return new InUseException(directory + " is in use by this program itself"
                    + (open.equals(directory) ? "" : ", as " + open) + ": two loops, levels, Datasets or "
                    + "RangeCheckpoints that are open at once must not have the same directory and name", true);
        }

        /** Whether this process itself has the lock, so that it is useless to wait for another process. */
        boolean isOfThisProcess() {
            return ofThisProcess;
        }
    }

    /** Creates a lock without taking it; changes no file. */
    public LockFile(Path path) {
        this.path = path.toAbsolutePath();
    }

    /**
     * Takes the lock, unless this object already has it. Does nothing if the directory doesn't exist, since it then
     * holds no files.
     *
     * @throws InUseException if another process or thread has it
     */
    public void take() throws InUseException {
        synchronized (HELD) {
            Path directory = path.getParent();
            if (held != null || directory == null || !Files.isDirectory(directory)) {
                return;
            }
            try {
                held = take(directory.toRealPath().resolve(Objects.requireNonNull(path.getFileName())));
            } catch (InUseException inUse) {
                throw inUse;
            } catch (IOException impossible) {
                warn(path, impossible);
            }
        }
    }

    static void warn(Path path, IOException failure) {
        if (TOLD.compareAndSet(false, true)) {
            LOG.log(System.Logger.Level.WARNING, "{0} can''t be locked, so two jobs that use {1} at once would not be "
                    + "noticed: {2}", path, path.getParent(), failure.getMessage());
        }
    }

    @SuppressWarnings("ReferenceEquality") // A thread equals itself only.
    private Held take(Path real) throws IOException {
        Object key = keyOf(real);
        Held other = key == null ? null : HELD.get(key);
        if (other != null && other.owner == Thread.currentThread()) {
            other.holders++;
            return other;
        }
        if (other != null && other.owner.isAlive()) {
            throw InUseException.ofThread(path, other.owner);
        }
        Held taken = other == null ? open(real) : new Held(other.path, other.key, other.channel);
        HELD.put(taken.key, taken);
        return taken;
    }

    private Held open(Path real) throws IOException {
        while (true) {
            Object file = keyOf(real);
            try {
                FileChannel channel = file == null
                        ? FileChannel.open(real, StandardOpenOption.READ, StandardOpenOption.WRITE,
                                StandardOpenOption.CREATE_NEW)
                        : FileChannel.open(real, StandardOpenOption.READ, StandardOpenOption.WRITE,
                                LinkOption.NOFOLLOW_LINKS);
                Object opened = file == null ? keyOf(real) : file;
                lock(channel);
                // If the former holder has removed the file meanwhile, the lock is useless.
                if (opened != null && opened.equals(keyOf(real))) {
                    return new Held(real, opened, channel);
                }
                channel.close();
            } catch (FileAlreadyExistsException | NoSuchFileException changed) {
                // Another process was faster: try again.
                LOG.log(System.Logger.Level.TRACE, "made or removed meanwhile", changed);
            }
        }
    }

    static @Nullable Object keyOf(Path real) throws IOException {
        try {
            return Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey();
        } catch (NoSuchFileException absent) {
            return null;
        }
    }

    private void lock(FileChannel channel) throws IOException {
        boolean done = false;
        try {
            FileLock lock;
            try {
                lock = exclusive(channel);
            } catch (OverlappingFileLockException ofThisProcess) {
                throw new InUseException(path, "this process", true);
            } catch (IOException unsupported) {
                warn(path, unsupported);
                done = true;
                return;
            }
            if (lock == null) {
                throw new InUseException(path, holder(channel));
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(("process " + ProcessHandle.current().pid() + " on "
                    + HostName.orLocalhost()).getBytes(StandardCharsets.UTF_8)), 0);
            done = true;
        } finally {
            if (!done) {
                channel.close();
            }
        }
    }

    /** The lock, or null if another process has it. Waits out the short shared lock of {@link #isLocked}. */
    private static @Nullable FileLock exclusive(FileChannel channel) throws IOException {
        long end = System.nanoTime() + LOOK_NANOS;
        while (true) {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return lock;
            }
            try (FileLock shared = channel.tryLock(0, Long.MAX_VALUE, true)) {
                if (shared == null || System.nanoTime() > end) {
                    return null;
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(MAX_HOLDER_BYTES);
        channel.read(text, 0);
        String holder = StandardCharsets.UTF_8.decode(text.flip()).toString();
        return holder.matches("process \\d+ on [\\w.-]+") ? holder : "another process";
    }

    /**
     * Waits a few seconds for the lock to be free, because its holder may be about to end, such as a thread that counts
     * as failed.
     *
     * @throws InUseException if the lock is still held then
     * @throws IOException if that can't be determined
     */
    public static void requireFree(Path path) throws IOException {
        long end = System.nanoTime() + ENDING_NANOS;
        while (isInUse(path)) {
            if (System.nanoTime() > end) {
                throw new InUseException(path, "another group of processes");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /**
     * Whether a thread of any process has the lock.
     *
     * @throws IOException if that can't be determined
     */
    public static boolean isInUse(Path path) throws IOException {
        synchronized (HELD) {
            try {
                Path real = path.toRealPath();
                if (real.endsWith(JobLock.NAME)) {
                    return JobLock.isInUse(real);
                }
                Held known = HELD.get(keyOf(real));
                return known == null ? isLocked(real) : known.owner.isAlive();
            } catch (NoSuchFileException ended) {
                return false;
            }
        }
    }

    private static boolean isLocked(Path real) throws IOException {
        // Opening a named pipe would wait for a writer.
        if (!Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(real, StandardOpenOption.READ);
                FileLock shared = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return shared == null;
        }
    }

    /** Frees the lock if this object has it. Removes the file if no other object of this thread has the lock. */
    @Override
    public void close() {
        synchronized (HELD) {
            Held mine = held;
            held = null;
            if (mine == null || HELD.get(mine.key) != mine || --mine.holders > 0) {
                return;
            }
            HELD.remove(mine.key);
            try (FileChannel _ = mine.channel) {
                // Before freeing the lock. Otherwise the file of the next holder might be deleted.
                Files.deleteIfExists(mine.path);
            } catch (IOException failure) {
                LOG.log(System.Logger.Level.DEBUG, "a lock file stays behind: {0}", failure.getMessage());
            }
        }
    }
}
