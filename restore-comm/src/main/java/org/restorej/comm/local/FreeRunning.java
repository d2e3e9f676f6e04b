package org.restorej.comm.local;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs all PEs at once, each in a platform thread. A PE that polls without success first yields its processor, and then
 * sleeps until an event: programs poll in loops, and with more PEs than processors a spinning loop keeps the PEs from
 * running for which it waits.
 */
final class FreeRunning implements Scheduler {
    /** Polls before a PE yields when each PE has a processor: about the time of a short message. */
    private static final int SPINS = 200;

    /** Yields before a PE sleeps: a few context switches, less than the about 50 microseconds of a wake-up. */
    private static final int YIELDS = 20;

    /** With more PEs than this for each processor, yielding takes a turn of all awake PEs, and sleeping takes less. */
    private static final int CROWD = 8;

    /**
     * A PE that has computed for this long since its last poll is not in a polling loop, so its polls are not slowed
     * down.
     */
    private static final long COMPUTED_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    /**
     * Longest sleep with few PEs. Events end it, so it only limits how late a PE notices what is not an event, such as
     * a time.
     */
    private static final long SHORT_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * Longest sleep for each PE when there are many, so that polls take the same small share of the processors for any
     * number.
     */
    private static final long SLEEP_NANOS_PER_PE = TimeUnit.MICROSECONDS.toNanos(200);

    /** Upper limit of the sleep for any number of PEs. */
    private static final long LONGEST_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final ClusterRun run;
    private final int spins;
    private final int yields;
    private final long longestSleepNanos;

    FreeRunning(ClusterRun run, int size) {
        this.run = run;
        spins = size <= Runtime.getRuntime().availableProcessors() ? SPINS : 1;
        boolean crowd = isCrowd(size);
        yields = crowd ? 0 : YIELDS;
        longestSleepNanos = crowd ? Math.min(LONGEST_SLEEP_NANOS, size * SLEEP_NANOS_PER_PE) : SHORT_SLEEP_NANOS;
    }

    /** Whether there are so many PEs that polling would keep them from the processors. */
    static boolean isCrowd(int size) {
        return size > CROWD * Runtime.getRuntime().availableProcessors();
    }

    @Override
    public Thread newThread(Pe pe, Runnable program) {
        return Thread.ofPlatform().daemon().name("pe-" + pe.originalRank()).unstarted(program);
    }

    @Override
    public void step(Pe pe) {
        run.checkNotAborted();
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // a yield is a hint here: correctness rests on events
    public void polledInVain(Pe pe) {
        Scheduler.Turn turn = pe.turn();
        long now = System.nanoTime();
        int events = pe.events();
        if (events != turn.eventsSeen || now - turn.polledAtNanos > COMPUTED_NANOS) {
            turn.eventsSeen = events;
            turn.pollsInVain = 1;
        } else if (turn.pollsInVain < spins) {
            Thread.onSpinWait();
        } else if (turn.pollsInVain < spins + yields) {
            Thread.yield();
        } else {
            sleep(pe, turn);
        }
        turn.polledAtNanos = System.nanoTime();
    }

    /** Sleeps unless there was an event since the last poll. */
    private void sleep(Pe pe, Scheduler.Turn turn) {
        turn.thread = Thread.currentThread();
        if (pe.events() == turn.eventsSeen) {
            LockSupport.parkNanos(this, longestSleepNanos);
        }
        turn.thread = null;
    }

    @Override
    public void signalled(Pe pe) {
        // No effect on a thread that doesn't sleep.
        LockSupport.unpark(pe.turn().thread);
    }
}
