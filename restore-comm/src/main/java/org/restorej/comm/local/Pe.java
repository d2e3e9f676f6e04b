package org.restorej.comm.local;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.local.LocalCluster.FaultInjector;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;

/**
 * One PE of a local cluster. It runs each communication call: waits for its turn, may fail, learns of failures, and
 * receives matched messages. Not thread-safe, except {@link #signal} and methods marked so.
 */
final class Pe {
    private static final String COMPUTING = "computing, in no communication call";

    private final ClusterRun run;
    private final OriginalRank originalRank;
    private final Scheduler scheduler;
    private final FailureDetector detector = new FailureDetector();
    /** Mailboxes with matched receives, once for each receive; added by senders. */
    private final Queue<Mailbox> mailboxesToRead = new ConcurrentLinkedQueue<>();
    private final Scheduler.Turn turn = new Scheduler.Turn();
    private final AtomicInteger events = new AtomicInteger();
    private volatile Object activity = "not started";
    private volatile boolean failed;
    private volatile long calls;
    private boolean foundNothing;

    Pe(ClusterRun run, OriginalRank originalRank) {
        this.run = run;
        this.originalRank = originalRank;
        scheduler = run.scheduler();
    }

    OriginalRank originalRank() {
        return originalRank;
    }

    FailureDetector detector() {
        return detector;
    }

    /** The scheduler's data about this PE. */
    Scheduler.Turn turn() {
        return turn;
    }

    /** Number of events so far for which this PE might wait. Thread-safe. */
    int events() {
        return events.get();
    }

    /** Records an event for which this PE might wait. Thread-safe. */
    void signal() {
        events.incrementAndGet();
        scheduler.signalled(this);
    }

    /** Records that a receive of this mailbox was matched. Thread-safe. */
    void hasMatched(Mailbox mailbox) {
        mailboxesToRead.add(mailbox);
    }

    /** Whether it has failed. Thread-safe. */
    boolean hasFailed() {
        return failed;
    }

    void markFailed() {
        failed = true;
    }

    void checkAlive() {
        if (failed) {
            throw new SimulatedFailureError(originalRank);
        }
    }

    /** Makes this PE fail: its messages are lost or in flight, and the others start to learn of it. */
    SimulatedFailureError fail() {
        run.markFailed(this);
        return new SimulatedFailureError(originalRank);
    }

    /**
     * Runs one communication call.
     *
     * @param what names the call and its arguments, for messages
     * @param effect does the call, without waiting
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread at a time
    <T extends @Nullable Object> T perform(Operation operation, Object what, Supplier<T> effect) {
        checkAlive();
        activity = what;
        scheduler.step(this);
        foundNothing = false;
        FaultInjector.Fate fate = run.faults().fateOf(originalRank, calls++, operation);
        if (fate == FaultInjector.Fate.FAILS_BEFORE) {
            throw fail();
        }
        int pollsInVain = turn.pollsInVain;
        T result;
        try {
            progress();
            result = effect.get();
        } catch (RuntimeException thrown) {
            if (fate == FaultInjector.Fate.FAILS_AFTER) {
                throw fail();
            }
            throw thrown;
        }
        if (fate == FaultInjector.Fate.FAILS_AFTER) {
            throw fail();
        }
        if (turn.pollsInVain == pollsInVain) {
            turn.pollsInVain = 0;
        }
        if (!operation.polls()) {
            scheduler.changed();
        }
        if (foundNothing) {
            scheduler.polledInVain(this);
        }
        activity = COMPUTING;
        return result;
    }

    /** Records that the current call found nothing new, and will be repeated. */
    void pollInVain() {
        turn.pollsInVain++;
        foundNothing = true;
    }

    /** Waits inside a blocking call until the condition holds. */
    void await(Object what, BooleanSupplier condition) {
        activity = what;
        while (!holds(condition)) {
            turn.pollsInVain += Scheduler.Turn.MANY_POLLS;
            scheduler.polledInVain(this);
            scheduler.step(this);
        }
        turn.pollsInVain = 0;
        activity = COMPUTING;
    }

    /** Checks a condition, and makes progress if it doesn't hold. */
    private boolean holds(BooleanSupplier condition) {
        if (condition.getAsBoolean()) {
            return true;
        }
        progress();
        return condition.getAsBoolean();
    }

    private void progress() {
        detector.advance();
        for (Mailbox mailbox = mailboxesToRead.poll(); mailbox != null; mailbox = mailboxesToRead.poll()) {
            mailbox.copyMatched();
        }
    }

    void started() {
        activity = COMPUTING;
    }

    void finishedAs(String how) {
        activity = how;
    }

    @Override
    public String toString() {
        return "PE " + originalRank + (failed ? " (failed)" : "") + " after " + calls + " calls: " + activity;
    }
}
