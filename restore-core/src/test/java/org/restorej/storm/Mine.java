package org.restorej.storm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.restorej.comm.testing.mpi.MpiRank;

/**
 * A failure that lies in a rank's way: once told, the rank ends at the n-th communication call from then on, inside
 * whatever operation that is. The job is told which rank, how, and after how many calls.
 */
final class Mine {
    private static final String CALL = "mine-";
    private static final String FINISH = "finish-";
    private static final int IDLE = -1;
    private static final long POLL_NANOS = 2_000_000;

    private final int rank;
    private final AtomicInteger callsLeft = new AtomicInteger(IDLE);
    private volatile FailureKind kind = FailureKind.EXIT_3;

    /** What {@link FailureKind#EXCEPTION} throws. */
    static final class DeliberateException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        DeliberateException() {
            super("a mistake of the application");
        }
    }

    /** Of a rank; begins to listen. */
    Mine(int rank) {
        this.rank = rank;
        Thread.ofPlatform().daemon().name("mine").start(this::listen);
    }

    /** What to tell a job, so that a rank fails at a communication call. */
    static String order(KillPlan.Failure failure) {
        return CALL + failure.rank() + "-" + failure.kind() + "-" + failure.after();
    }

    /** What to tell a job, so that a rank fails while it leaves MPI. */
    static String orderInFinish(KillPlan.Failure failure) {
        return FINISH + failure.rank() + "-" + failure.kind() + "-" + failure.after();
    }

    /** Name of the report of a rank that is about to die. */
    static String report(int rank) {
        return "struck-" + rank;
    }

    private void listen() {
        while (true) {
            told(CALL).ifPresent(failure -> {
                kind = failure.kind();
                callsLeft.compareAndSet(IDLE, failure.after());
            });
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private Optional<KillPlan.Failure> told(String what) {
        String start = what + rank + "-";
        return MpiRank.toldNames(start).stream().findFirst().map(name -> {
            String[] words = name.substring(start.length()).split("-", -1);
            return new KillPlan.Failure(rank, FailureKind.valueOf(words[0]), Integer.parseInt(words[1]));
        });
    }

    /** Called just before this rank leaves MPI. */
    void beforeFinish() {
        told(FINISH).ifPresent(failure -> Thread.ofPlatform().daemon().start(() -> {
            LockSupport.parkNanos(failure.after() * 1000L);
            strike(failure.kind());
        }));
    }

    /** Called at every communication call. */
    void step() {
        if (callsLeft.get() == IDLE || callsLeft.getAndDecrement() != 0) {
            return;
        }
        strike(kind);
    }

    /** Ends this rank now. */
    private void strike(FailureKind how) {
        try {
            MpiRank.report(report(rank), how.name());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        MpiRank.meansToThrow();
        how.strike();
    }
}
