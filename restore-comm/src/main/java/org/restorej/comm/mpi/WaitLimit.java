package org.restorej.comm.mpi;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.restorej.comm.RankMap;

/**
 * Ends this process when it waits too long in a blocking call of ULFM, after printing the call, so that no job hangs
 * silently; this counts as a failure for the others. Off unless the environment variable
 * {@code RESTOREJ_WAIT_LIMIT_SECONDS} is set: a PE may have to wait as long as another one computes, which only the
 * application knows.
 */
final class WaitLimit implements AutoCloseable {
    private static final String VARIABLE = "RESTOREJ_WAIT_LIMIT_SECONDS";
    private static final long LOOK_NANOS = 200_000_000;

    /** No limit, if failures are simulated: the end of a process would end the job. */
    static final WaitLimit NONE = new WaitLimit(0);

    private final long limitNanos;
    /** The current wait of each thread. */
    private final Map<Thread, Wait> waits = new ConcurrentHashMap<>();

    private record Wait(String operation, RankMap ranks, long startNanos) {}

    private WaitLimit(long limitSeconds) {
        this.limitNanos = TimeUnit.SECONDS.toNanos(limitSeconds);
    }

    /** The limit in the environment of this process. */
    static WaitLimit ofProcess(int rank) {
        String seconds = System.getenv(VARIABLE);
        WaitLimit limit = new WaitLimit(seconds == null ? 0 : parse(seconds));
        if (limit.limitNanos > 0) {
            Thread.ofPlatform().daemon().name("limit of waits").start(() -> limit.watch(rank));
        }
        return limit;
    }

    private static long parse(String seconds) {
        if (!seconds.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException(VARIABLE + " must be whole seconds, at most 999999999, 0 for no limit: "
                    + VARIABLE + "=" + seconds);
        }
        return Long.parseLong(seconds);
    }

    /** Records that this thread starts to wait for other PEs, until this is closed. */
    WaitLimit begin(String operation, RankMap ranks) {
        if (limitNanos > 0) {
            waits.put(Thread.currentThread(), new Wait(operation, ranks, System.nanoTime()));
        }
        return this;
    }

    /** Records that the wait has ended. */
    @Override
    public void close() {
        if (limitNanos > 0) {
            waits.remove(Thread.currentThread());
        }
    }

    private void watch(int rank) {
        while (true) {
            for (Wait wait : waits.values()) {
                if (System.nanoTime() - wait.startNanos() > limitNanos) {
                    System.err.println("rank " + rank + ": has waited for " + TimeUnit.NANOSECONDS.toSeconds(limitNanos)
                            + " s in " + wait.operation() + " for the others of " + wait.ranks().size()
                            + " PEs, without the original ranks " + wait.ranks().absentRanks() + ", and ends ("
                            + VARIABLE + ")");
                    RankEnd.kill();
                }
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
