package org.restorej.storm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.testing.mpi.MpiRank;

/**
 * A rank that stops at a communication call in a phase that it is told, says so, and waits for its death: what kills it
 * then, kills it while the others are in that phase, too.
 */
final class Hold {
    private static final String HOLD = "hold-";

    /** Instead of a phase: at the next agreement, in whatever phase. */
    static final String AGREEMENT = "AGREEMENT";

    private static final long POLL_NANOS = 2_000_000;

    private final int rank;
    private volatile @Nullable String place;
    private volatile @Nullable StormCycle cycle;

    /** Of a rank; begins to listen. */
    Hold(int rank) {
        this.rank = rank;
        Thread.ofPlatform().daemon().name("hold").start(this::listen);
    }

    /** What to tell a job, so that a rank stops in a phase, or at an {@link #AGREEMENT}. */
    static String order(int rank, String place) {
        return HOLD + rank + "-" + place;
    }

    /** Name of the report of a rank that has stopped. */
    static String report(int rank) {
        return "held-" + rank;
    }

    /** Whose phase it is about. */
    void watch(StormCycle watched) {
        cycle = watched;
    }

    private void listen() {
        String start = HOLD + rank + "-";
        while (place == null) {
            List<String> told = MpiRank.toldNames(start);
            if (!told.isEmpty()) {
                place = told.getFirst().substring(start.length());
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Called at every communication call. */
    void step() {
        StormCycle watched = cycle;
        String wanted = place;
        if (wanted == null || watched == null
                || !(wanted.equals(AGREEMENT) ? isAgreeing() : wanted.equals(watched.phase().name()))) {
            return;
        }
        try {
            MpiRank.report(report(rank), wanted);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        while (true) {
            LockSupport.park(this);
        }
    }

    private static boolean isAgreeing() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals("agree")));
    }
}
