package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.host.HostName;
import org.restorej.internal.program.JobState;
import org.restorej.redset.internal.files.LockFile.InUseException;

/**
 * Excludes other jobs from a directory that all ranks of one job use. A file in the directory contains the number of
 * the job, and every process of the job has a shared lock on the file. A process of another job is refused while any
 * such lock exists. The system frees the locks of a process that ends, also by a signal. Ranks that are threads exclude
 * other jobs of the same process, too; locks of threads that have ended don't count.
 *
 * <p>
 * A thread can't open a directory twice, also not by another path, unless the first use has ended by a failure. Where
 * the file can't be created or the file system has no locks, only threads of this process are excluded, which is logged
 * once. Not thread-safe.
 */
public final class JobLock implements AutoCloseable {
    /** Name of the file. */
    public static final String NAME = "job." + LockFile.EXTENSION;

    private static final System.Logger LOG = System.getLogger(JobLock.class.getName());
    private static final AtomicBoolean WAIT_TOLD = new AtomicBoolean();
    /** Bit of every agreed number, which makes it greater than the proposal of a rank that has no number yet. */
    private static final long AGREED = 1L << 62;
    /** Byte of the file on which every process of the job has a shared lock. */
    private static final long MEMBERS = 0;
    /** Byte of the file that a process locks while it examines the other locks, and writes the number. */
    private static final long TURN = 1;
    private static final Pattern CONTENT = Pattern.compile("job (\\d{1,19}), first (process \\d+ on [\\w.-]+)");
    private static final int MAX_CONTENT_BYTES = 300;
    /** Longer than a process keeps {@link #TURN} on a slow file system. */
    private static final long TURN_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long RESTART_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** An NFS server keeps the locks of a node that has failed until its lease ends, usually after 90 seconds. */
    private static final long RESTART_NANOS = TimeUnit.MINUTES.toNanos(2);
    /** The number of the job of each thread that has had a lock. Survivors of a failure belong to the same job. */
    private static final ThreadLocal<Long> JOB = new ThreadLocal<>();
    /** All open locks, by directory without links. The monitor of this map and of {@link #HELD}. */
    private static final Map<Path, List<JobLock>> OPEN = new HashMap<>();
    /** Files that this process has open, by their keys. Opening and closing one again would free its locks. */
    private static final Map<Object, Held> HELD = new HashMap<>();

    private final Path directory;
    private final Path place;
    private final BooleanSupplier isOver;
    private final long waitNanos;
    private final Thread owner = Thread.currentThread();
    private volatile boolean handedOver;
    private long job;
    private @Nullable Held held;

    /** A lock file that this process has open. */
    private static final class Held {
        private final Path path;
        private final Object key;
        private final FileChannel channel;
        private final List<JobLock> holders = new ArrayList<>();
        private long job;
        /** Null where the file system has no locks. */
        private @Nullable FileLock lock;

        Held(Path path, Object key, FileChannel channel) {
            this.path = path;
            this.key = key;
            this.channel = channel;
        }
    }

    private JobLock(Path directory, Path place, BooleanSupplier isOver, long waitNanos) {
        this.directory = directory;
        this.place = place;
        this.isOver = isOver;
        this.waitNanos = waitNanos;
    }

    /**
     * Creates a lock on a directory, which need not exist yet, without taking it ({@link #take}).
     *
     * @param isOver whether the use of the directory has ended by a failure, without {@link #close}
     * @throws InUseException when this thread has the directory open already
     */
    public static JobLock open(Path directory, BooleanSupplier isOver) throws IOException {
        return open(directory, isOver, JobState.isRestart() ? RESTART_NANOS : 0);
    }

    /** As {@link #open(Path, BooleanSupplier)}, with the time to wait for another process. */
    static JobLock open(Path directory, BooleanSupplier isOver, long waitNanos) throws IOException {
        Path absolute = directory.toAbsolutePath();
        JobLock opened = new JobLock(absolute, placeOf(absolute), isOver, waitNanos);
        // Asked without the monitor: the answer may depend on other threads.
        for (JobLock other : opened.ofThisThread()) {
            if (!other.handedOver && !other.isOver.getAsBoolean()) {
                throw InUseException.ofThisThread(absolute, other.directory);
            }
        }
        synchronized (OPEN) {
            OPEN.computeIfAbsent(opened.place, absent -> new ArrayList<>()).add(opened);
        }
        return opened;
    }

    /** A directory without links, as far as it exists. */
    public static Path placeOf(Path directory) {
        Path absolute = directory.toAbsolutePath();
        return real(absolute).orElseGet(() -> {
            Path parent = absolute.getParent();
            Path name = absolute.getFileName();
            Path place = parent == null || name == null ? absolute : placeOf(parent).resolve(name).normalize();
            return real(place).orElse(place);
        });
    }

    private static Optional<Path> real(Path path) {
        try {
            return Optional.of(path.toRealPath());
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    private List<JobLock> ofThisThread() {
        synchronized (OPEN) {
            List<JobLock> there = OPEN.getOrDefault(place, new ArrayList<>());
            there.removeIf(other -> !other.owner.isAlive());
            return there.stream().filter(other -> other.owner.equals(owner)).toList();
        }
    }

    /**
     * This rank's proposal for the number of its job. The maximum over all ranks becomes the number, which is that of an
     * earlier job if any rank belongs to it.
     */
    public static long proposal() {
        Long known = JOB.get();
        return known == null ? UUID.randomUUID().getMostSignificantBits() >>> 2 : known;
    }

    /** Sets the number of the job, which must be the same on all ranks, before the lock is taken. */
    public void setJob(long maxProposal) {
        job = maxProposal | AGREED;
        JOB.set(job);
    }

    /**
     * Takes the lock, unless it has been taken. Does nothing if the directory doesn't exist. A job that its launcher has
     * restarted waits for up to two minutes, since nodes that have failed may keep their locks.
     *
     * @throws InUseException when another job has it
     */
    public void take() throws IOException {
        long end = System.nanoTime() + waitNanos;
        while (true) {
            try {
                synchronized (OPEN) {
                    takeNow();
                }
                return;
            } catch (InUseException inUse) {
                if (inUse.isOfThisProcess() || System.nanoTime() - end >= 0) {
                    throw inUse;
                }
                if (WAIT_TOLD.compareAndSet(false, true)) {
                    LOG.log(System.Logger.Level.INFO, "waiting for up to {0} s, since this job was started again: {1}",
                            Long.toString(TimeUnit.NANOSECONDS.toSeconds(waitNanos)), inUse.getMessage());
                }
                LockSupport.parkNanos(RESTART_PAUSE_NANOS);
            } catch (IOException impossible) {
                LockFile.warn(directory.resolve(NAME), impossible);
                return;
            }
        }
    }

    private void takeNow() throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        Path real = directory.toRealPath().resolve(NAME);
        if (held != null) {
            if (held.key.equals(LockFile.keyOf(real))) {
                return;
            }
            // Somebody has removed the directory meanwhile.
            leave(held);
        }
        while (held == null) {
            Object key = LockFile.keyOf(real);
            Held there = key == null ? null : HELD.get(key);
            Held joined = there == null ? open(real, key) : there;
            if (joined == null) {
                continue;
            }
            try {
                if (join(joined)) {
                    joined.holders.add(this);
                    held = joined;
                }
            } finally {
                if (joined.holders.isEmpty()) {
                    HELD.remove(joined.key);
                    joined.channel.close();
                }
            }
        }
    }

    /** Opens the file; null when it was made or removed meanwhile. */
    private static @Nullable Held open(Path real, @Nullable Object key) throws IOException {
        try {
            FileChannel channel = key == null
                    ? FileChannel.open(real, StandardOpenOption.READ, StandardOpenOption.WRITE,
                            StandardOpenOption.CREATE_NEW)
                    : FileChannel.open(real, StandardOpenOption.READ, StandardOpenOption.WRITE,
                            LinkOption.NOFOLLOW_LINKS);
            Object opened = LockFile.keyOf(real);
            if (opened == null) {
                channel.close();
                return null;
            }
            Held held = new Held(real, opened, channel);
            HELD.put(opened, held);
            return held;
        } catch (FileAlreadyExistsException | NoSuchFileException changed) {
            LOG.log(System.Logger.Level.TRACE, "made or removed meanwhile", changed);
            return null;
        }
    }

    /** Makes this process one of the job's; false when the file was removed meanwhile. */
    private boolean join(Held joined) throws IOException {
        joined.holders.removeIf(holder -> !holder.owner.isAlive());
        if (!joined.holders.isEmpty()) {
            if (joined.job != job) {
                throw InUseException.ofThread(directory.resolve(NAME), joined.holders.getFirst().owner);
            }
            return true;
        }
        FileLock turn = null;
        try {
            turn = turn(joined.channel);
        } catch (IOException unsupported) {
            LockFile.warn(joined.path, unsupported);
        }
        joined.job = job;
        if (turn == null) {
            return true;
        }
        try (FileLock _ = turn) {
            // The former holder may have removed the file meanwhile: its lock would be of no use.
            return joined.key.equals(LockFile.keyOf(joined.path)) && joinOthers(joined);
        }
    }

    private boolean joinOthers(Held joined) throws IOException {
        if (joined.lock != null) {
            // Of threads that have ended.
            joined.lock.release();
        }
        try (FileLock alone = joined.channel.tryLock(MEMBERS, 1, false)) {
            if (alone != null) {
                joined.channel.truncate(0);
                joined.channel.write(ByteBuffer.wrap(("job " + job + ", first process " + ProcessHandle.current().pid()
                        + " on " + HostName.orLocalhost()).getBytes(StandardCharsets.UTF_8)), 0);
            }
        }
        Matcher content = CONTENT.matcher(contentOf(joined.channel));
        boolean known = content.matches();
        joined.lock = known && content.group(1).equals(Long.toString(job))
                ? joined.channel.tryLock(MEMBERS, 1, true)
                : null;
        if (joined.lock == null) {
            throw new InUseException(directory.resolve(NAME), known ? content.group(2) : "another process");
        }
        return true;
    }

    private static String contentOf(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(MAX_CONTENT_BYTES);
        channel.read(text, 0);
        return StandardCharsets.UTF_8.decode(text.flip()).toString();
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

    /**
     * Whether a job has locked a file.
     *
     * @throws IOException if the file can't be opened or locked
     */
    static boolean isInUse(Path real) throws IOException {
        synchronized (OPEN) {
            Held known = HELD.get(LockFile.keyOf(real));
            if (known != null) {
                return known.holders.stream().anyMatch(holder -> holder.owner.isAlive());
            }
            try (FileChannel channel = FileChannel.open(real, StandardOpenOption.READ, StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS);
                    FileLock _ = turn(channel);
                    FileLock alone = channel.tryLock(MEMBERS, 1, false)) {
                return alone == null;
            }
        }
    }

    /** Lets this thread open the directory again before this lock is closed. */
    public void handOver() {
        handedOver = true;
    }

    /** Frees the lock if it was taken, and removes the file if no other process has locked it. */
    @Override
    public void close() {
        synchronized (OPEN) {
            List<JobLock> there = OPEN.getOrDefault(place, new ArrayList<>());
            there.remove(this);
            if (there.isEmpty()) {
                OPEN.remove(place);
            }
            if (held != null) {
                leave(held);
            }
        }
    }

    private void leave(Held left) {
        held = null;
        left.holders.remove(this);
        if (!left.holders.isEmpty()) {
            return;
        }
        HELD.remove(left.key);
        try (FileChannel channel = left.channel) {
            if (left.lock == null) {
                Files.deleteIfExists(left.path);
                return;
            }
            try (FileLock _ = turn(channel)) {
                left.lock.release();
                try (FileLock alone = channel.tryLock(MEMBERS, 1, false)) {
                    // While this process has the turn: later this could be the file of the next job.
                    if (alone != null && left.key.equals(LockFile.keyOf(left.path))) {
                        Files.deleteIfExists(left.path);
                    }
                }
            }
        } catch (IOException failure) {
            LOG.log(System.Logger.Level.DEBUG, "a lock file stays behind: {0}", failure.getMessage());
        }
    }
}
