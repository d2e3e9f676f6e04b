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
 * One PE of a local cluster: the frame around each of its communication calls, in which it takes its turn, may fail,
 * takes notice of failures, and receives what has been matched. Used by one thread of its program at a time, but for
 * {@link #signal} and what is marked.
 */
final class Pe {
    private static final String COMPUTING = "computing, in no communication call";

    private final ClusterRun run;
    private final OriginalRank originalRank;
    private final Scheduler scheduler;
    private final FailureDetector detector = new FailureDetector();
    /** Mailboxes in which a receive has been matched, once for each; filled by senders. */
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

    /** The scheduler's notes on this PE. */
    Scheduler.Turn turn() {
        return turn;
    }

    /** Number of events so far that this PE might be waiting for; any thread. */
    int events() {
        return events.get();
    }

    /** Something has changed that this PE may be waiting for; called by any thread. */
    void signal() {
        events.incrementAndGet();
        scheduler.signalled(this);
    }

    /** A receive of this mailbox has been matched; called by any thread. */
    void hasMatched(Mailbox mailbox) {
        mailboxesToRead.add(mailbox);
    }

    /** Whether it has failed; any thread. */
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

    /** Ends this PE: its messages are lost or on their way, and the others begin to learn of it. */
    SimulatedFailureError die() {
        run.markFailed(this);
        return new SimulatedFailureError(originalRank);
    }

    /**
     * Makes one communication call.
     *
     * @param what names the call and its arguments where somebody asks what this PE does
     * @param effect what it does, without waiting
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread at a time
    <T extends @Nullable Object> T perform(Operation operation, Object what, Supplier<T> effect) {
        checkAlive();
        activity = what;
        scheduler.step(this);
        foundNothing = false;
        FaultInjector.Fate fate = run.faults().fateOf(originalRank, calls++, operation);
        if (fate == FaultInjector.Fate.FAILS_BEFORE) {
            throw die();
        }
        int pollsInVain = turn.pollsInVain;
        T result;
        try {
            progress();
            result = effect.get();
        } catch (RuntimeException thrown) {
            if (fate == FaultInjector.Fate.FAILS_AFTER) {
                throw die();
            }
            throw thrown;
        }
        if (fate == FaultInjector.Fate.FAILS_AFTER) {
            throw die();
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

    /** The call just made has found nothing new, and will be repeated. */
    void pollInVain() {
        turn.pollsInVain++;
        foundNothing = true;
    }

    /** Waits in the middle of a blocking call until the condition holds. */
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

    /** Checks a condition, and makes progress when it doesn't hold. */
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
