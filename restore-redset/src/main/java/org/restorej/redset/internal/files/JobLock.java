package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.program.JobState;

/**
 * Excludes other jobs from files that all ranks of one job use, by a lock file beside them ({@link LockedFile}). All
 * ranks of the job have the same number, which the file contains. The system frees the locks of a process that ends,
 * also by a signal; the file of a killed process stays, without a lock. Ranks that are threads exclude other jobs of
 * the same process, too; locks of threads that have ended don't count.
 *
 * <p>
 * A thread keeps the number of a file until it closes its last lock on it, and after a failure until it closes a later
 * one: survivors share the file with failed ranks, whose locks may not be free yet. Groups into which survivors split
 * before that are not kept apart. Where the file can't be created or the file system has no locks, only threads of this
 * process are excluded, which is logged once. Not thread-safe.
 */
public final class JobLock implements AutoCloseable {
    /** Extension of the names of lock files. */
    public static final String EXTENSION = "restorej-lock";
    /** Name of the file that locks a directory. */
    public static final String NAME = "job." + EXTENSION;

    private static final System.Logger LOG = System.getLogger(JobLock.class.getName());
    private static final AtomicBoolean WAIT_TOLD = new AtomicBoolean();
    /** Bit of every agreed number, which makes it greater than the proposal of a rank that has no number yet. */
    private static final long AGREED = 1L << 62;
    private static final long RESTART_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** An NFS server keeps the locks of a node that has failed until its lease ends, usually after 90 seconds. */
    private static final long RESTART_NANOS = TimeUnit.MINUTES.toNanos(2);
    /** The numbers that a thread keeps, by file without links. */
    private static final ThreadLocal<Map<Path, Long>> JOBS = ThreadLocal.withInitial(HashMap::new);
    /** All locks that are not closed, by file without links. Its monitor guards every {@link LockedFile}, too. */
    private static final Map<Path, List<JobLock>> OPEN = new HashMap<>();

    private final Path path;
    private final Path place;
    private final BooleanSupplier isOver;
    private final long waitNanos;
    private final Thread owner = Thread.currentThread();
    private volatile boolean handedOver;
    private boolean closed;
    private long job;
    private @Nullable LockedFile held;

    /** Another job, or another thread, has the lock. */
    public static final class InUseException extends IOException {
        private static final long serialVersionUID = 1L;

        private final boolean ofThisProcess;

        private InUseException(String message, boolean ofThisProcess) {
            super(message);
            this.ofThisProcess = ofThisProcess;
        }

        /** A process or thread has the lock. */
        InUseException(Path path, String holder, boolean ofThisProcess) {
            this(path.getParent() + " is in use by " + holder + ", as " + path.getFileName()
                    + " tells: two jobs must not replace the same files; use another directory or name for one of "
                    + "them, or wait until the other has ended", ofThisProcess);
        }
    }

    /**
     * Creates a lock without taking it; changes no file. The directory need not exist yet.
     *
     * @param file that is locked; used for this only
     * @param isOver whether the use of the files has ended by a failure
     */
    public JobLock(Path file, BooleanSupplier isOver) {
        this(file, isOver, JobState.isRestart() ? RESTART_NANOS : 0);
    }

    /** As {@link #JobLock(Path, BooleanSupplier)}, with the time to wait for another process. */
    JobLock(Path file, BooleanSupplier isOver, long waitNanos) {
        path = file.toAbsolutePath();
        place = FilePaths.withoutLinks(path);
        this.isOver = isOver;
        this.waitNanos = waitNanos;
        synchronized (OPEN) {
            OPEN.computeIfAbsent(place, absent -> new ArrayList<>()).add(this);
        }
    }

    /** Creates and takes a lock with a number of its own. */
    public static JobLock ofThisProcess(Path file) throws IOException {
        JobLock lock = new JobLock(file, () -> false, 0);
        lock.setJob(lock.proposal());
        lock.take();
        return lock;
    }

    /**
     * Refuses a second use of the files by this thread, perhaps by another path, unless the first one has ended by a
     * failure or was handed over.
     */
    public void requireOnlyUse() throws InUseException {
        // Asked without the monitor: the answer may depend on other threads.
        for (JobLock other : othersOfThisThread()) {
            if (!other.handedOver && !other.isOver.getAsBoolean()) {
                throw new InUseException(path.getParent() + " is in use by this program itself"
                        + (other.path.equals(path) ? "" : ", as " + other.path.getParent()) + ": two loops, levels, "
                        + "Datasets or RangeCheckpoints that are open at once must not have the same directory and name",
                        true);
            }
        }
    }

    private List<JobLock> othersOfThisThread() {
        synchronized (OPEN) {
            List<JobLock> there = OPEN.getOrDefault(place, new ArrayList<>());
            there.removeIf(other -> !other.owner.isAlive());
            return there.stream().filter(other -> !other.equals(this) && other.owner.equals(owner)).toList();
        }
    }

    /**
     * This rank's proposal for the number of its job. The maximum over all ranks becomes the number, which is that of an
     * earlier use if any rank keeps its number.
     */
    public long proposal() {
        return JOBS.get().getOrDefault(place, PendingFile.uniqueId().getLeastSignificantBits() >>> 2);
    }

    /** Sets the number of the job, which must be the same on all ranks, before the lock is taken. */
    public void setJob(long maxProposal) {
        job = maxProposal | AGREED;
        JOBS.get().put(place, job);
    }

    long job() {
        return job;
    }

    Path path() {
        return path;
    }

    Thread owner() {
        return owner;
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
                if (inUse.ofThisProcess || System.nanoTime() - end >= 0) {
                    throw inUse;
                }
                if (WAIT_TOLD.compareAndSet(false, true)) {
                    LOG.log(System.Logger.Level.INFO, "waiting for up to {0} s, since this job was started again: {1}",
                            Long.toString(TimeUnit.NANOSECONDS.toSeconds(waitNanos)), inUse.getMessage());
                }
                LockSupport.parkNanos(RESTART_PAUSE_NANOS);
            } catch (IOException impossible) {
                LockedFile.warn(path, impossible);
                return;
            }
        }
    }

    private void takeNow() throws IOException {
        Path directory = path.getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            return;
        }
        Path real = directory.toRealPath().resolve(Objects.requireNonNull(path.getFileName()));
        if (held != null && !held.isAt(real)) {
            // Somebody has removed the directory meanwhile.
            held.leave(this);
            held = null;
        }
        if (held == null) {
            held = LockedFile.join(real, this);
        }
    }

    /**
     * Whether a job has locked a file.
     *
     * @throws IOException if that can't be determined
     */
    public static boolean isInUse(Path file) throws IOException {
        try {
            Path real = file.toRealPath();
            synchronized (OPEN) {
                return LockedFile.isInUse(real);
            }
        } catch (NoSuchFileException ended) {
            return false;
        }
    }

    /** Lets this thread use the files again before this lock is closed. */
    public void handOver() {
        handedOver = true;
    }

    /**
     * Frees the lock if it was taken, and removes the file if no other process has locked it. What the question throws
     * whether a failure has ended the use is thrown afterwards, as by a rank whose failure is simulated.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        boolean isLast = othersOfThisThread().isEmpty();
        synchronized (OPEN) {
            List<JobLock> there = OPEN.getOrDefault(place, new ArrayList<>());
            there.remove(this);
            if (there.isEmpty()) {
                OPEN.remove(place);
            }
            if (held != null) {
                held.leave(this);
            }
        }
        if (isLast && !isOver.getAsBoolean()) {
            JOBS.get().remove(place);
        }
    }
}
