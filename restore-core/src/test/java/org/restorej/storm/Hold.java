package org.restorej.storm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.testing.mpi.MpiRank;

/**
 * A rank that stops at a communication call that it is told, by phase or by number, says so, and waits for its failure:
 * what kills it then, kills it while the others are in that phase, too.
 */
final class Hold {
    private static final String HOLD = "hold-";

    /** Instead of a phase: at the next agreement, in whatever phase. */
    static final String AGREEMENT = "AGREEMENT";

    /** Instead of a phase, with a number: so many communication calls later. */
    private static final String CALL = "CALL-";

    private static final long POLL_NANOS = 2_000_000;

    private final int rank;
    private volatile @Nullable String place;
    private volatile @Nullable StormCycle cycle;
    private int calls;

    /** Of a rank; begins to listen. */
    Hold(int rank) {
        this.rank = rank;
        Thread.ofPlatform().daemon().name("hold").start(this::listen);
    }

    /** What to tell a job, so that a rank stops in a phase, or at an {@link #AGREEMENT}. */
    static String order(int rank, String place) {
        return HOLD + rank + "-" + place;
    }

    /** The place that is this many communication calls later. */
    static String call(int number) {
        return CALL + number;
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
        if (wanted == null || watched == null || !isThere(wanted, watched)) {
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

    private boolean isThere(String wanted, StormCycle watched) {
        if (wanted.startsWith(CALL)) {
            calls++;
            return calls >= Integer.parseInt(wanted.substring(CALL.length()));
        }
        return wanted.equals(AGREEMENT) ? isAgreeing() : wanted.equals(watched.phase().name());
    }

    private static boolean isAgreeing() {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::getMethodName)
                        .anyMatch(name -> name.equals("iAgree") || name.equals("agree")));
    }
}
