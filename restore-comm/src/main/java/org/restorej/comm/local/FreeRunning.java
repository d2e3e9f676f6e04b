package org.restorej.comm.local;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * All PEs run at once, each in a platform thread, as the operating system likes. A PE that polls in vain gives its
 * processor away, first for a moment and then until something happens: programs poll in loops, and with more PEs than
 * processors a loop that only burns its time slice keeps the others from doing what it waits for.
 */
final class FreeRunning implements Scheduler {
    /** Polls before a PE yields when there is a processor for everyone: about the time of a short message. */
    private static final int SPINS = 200;

    /** Yields before a PE sleeps: a few context switches, less than the some 50 microseconds that waking takes. */
    private static final int YIELDS = 20;

    /**
     * With more PEs to a processor they are a crowd: a yield is a turn of all that are awake, and sleeping takes less.
     */
    private static final int CROWD = 8;

    /** A PE that computed so long since its last poll is not in a polling loop, and polls are not slowed down. */
    private static final long COMPUTED_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    /**
     * Longest sleep of few PEs; events end it, so it only limits how late a PE sees what is not an event, such as the
     * time.
     */
    private static final long SHORT_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * Longest sleep for each PE of a crowd, so that looks in vain take the same small part of the processors however
     * many there are.
     */
    private static final long SLEEP_NANOS_PER_PE = TimeUnit.MICROSECONDS.toNanos(200);

    /** No longer than that, however many there are. */
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

    /** Whether so many PEs would keep each other from the processors if each looked for news all the time. */
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

    /** Sleeps unless there was an event since the PE looked in vain. */
    private void sleep(Pe pe, Scheduler.Turn turn) {
        turn.thread = Thread.currentThread();
        if (pe.events() == turn.eventsSeen) {
            LockSupport.parkNanos(this, longestSleepNanos);
        }
        turn.thread = null;
    }

    @Override
    public void signalled(Pe pe) {
        // Does nothing when it doesn't sleep.
        LockSupport.unpark(pe.turn().thread);
    }
}
