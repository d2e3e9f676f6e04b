package org.restorej.storm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.restorej.comm.testing.mpi.MpiRank;

/**
 * A death that lies in a rank's way: once told, the rank ends at the n-th communication call from then on, inside
 * whatever operation that is. The job is told which rank, how, and after how many calls.
 */
final class Mine {
    private static final String CALL = "mine-";
    private static final String FINISH = "finish-";
    private static final int IDLE = -1;
    private static final long POLL_NANOS = 2_000_000;

    private final int rank;
    private final AtomicInteger callsLeft = new AtomicInteger(IDLE);
    private volatile DeathKind kind = DeathKind.EXIT_3;

    /** What {@link DeathKind#EXCEPTION} throws. */
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

    /** What to tell a job, so that a rank dies at a communication call. */
    static String order(KillPlan.Death death) {
        return CALL + death.rank() + "-" + death.kind() + "-" + death.after();
    }

    /** What to tell a job, so that a rank dies while it leaves MPI. */
    static String orderInFinish(KillPlan.Death death) {
        return FINISH + death.rank() + "-" + death.kind() + "-" + death.after();
    }

    /** Name of the report of a rank that is about to die. */
    static String report(int rank) {
        return "struck-" + rank;
    }

    private void listen() {
        while (true) {
            told(CALL).ifPresent(death -> {
                kind = death.kind();
                callsLeft.compareAndSet(IDLE, death.after());
            });
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private Optional<KillPlan.Death> told(String what) {
        String start = what + rank + "-";
        return MpiRank.toldNames(start).stream().findFirst().map(name -> {
            String[] words = name.substring(start.length()).split("-", -1);
            return new KillPlan.Death(rank, DeathKind.valueOf(words[0]), Integer.parseInt(words[1]));
        });
    }

    /** Called just before this rank leaves MPI. */
    void beforeFinish() {
        told(FINISH).ifPresent(death -> Thread.ofPlatform().daemon().start(() -> {
            LockSupport.parkNanos(death.after() * 1000L);
            strike(death.kind());
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
    private void strike(DeathKind how) {
        try {
            MpiRank.report(report(rank), how.name());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        MpiRank.meansToThrow();
        how.strike();
    }
}
