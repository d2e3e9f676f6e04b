package org.restorej.comm.local;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.local.LocalCluster.FaultInjector;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;

/**
 * One PE of a local cluster: the frame around each of its communication calls, in which it takes its turn, may fail,
 * takes notice of failures, and receives what has been matched. Used by the threads of its program, one call at a time,
 * but for {@link #signal} and what is marked.
 */
final class Pe {
    /** What a PE of a local cluster waits for. */
    interface Wait {
        /** Whether it can't end before another PE has done its part; any thread. */
        boolean needs(Pe other);
    }

    private static final String COMPUTING = "computing, in no communication call";

    private final ClusterRun run;
    private final OriginalRank originalRank;
    private final Scheduler scheduler;
    private final FailureDetector detector = new FailureDetector();
    /** Mailboxes in which a receive has been matched, once for each; filled by senders. */
    private final Queue<Mailbox> mailboxesToRead = new ConcurrentLinkedQueue<>();
    private final Supplier<Scheduler.Turn> turns;
    /** Threads that sleep until the next event; free-running only. */
    private final Queue<Thread> sleepers = new ConcurrentLinkedQueue<>();
    /** Held by the thread that makes a call; a program may have several, with a communicator each. */
    private final ReentrantLock calling = new ReentrantLock();
    private final AtomicInteger events = new AtomicInteger();
    private volatile Object activity = "not started";
    private volatile boolean dead;
    private volatile long calls;
    /** Calls and looks that have found something, and those that have not: a waiting PE only has more of the latter. */
    private volatile long found;
    private volatile long vain;
    /** What was last looked at in vain, unless something has been found since. */
    private volatile @Nullable Wait waitsFor;
    private volatile boolean returned;
    private boolean foundNothing;

    Pe(ClusterRun run, OriginalRank originalRank) {
        this.run = run;
        this.originalRank = originalRank;
        scheduler = run.scheduler();
        Scheduler.Turn onlyTurn = new Scheduler.Turn();
        turns = scheduler.allowsSeveralThreads() ? ThreadLocal.withInitial(Scheduler.Turn::new)::get : () -> onlyTurn;
    }

    OriginalRank originalRank() {
        return originalRank;
    }

    FailureDetector detector() {
        return detector;
    }

    /** The scheduler's notes on this PE; where it may have several threads, on the calling one. */
    Scheduler.Turn turn() {
        return turns.get();
    }

    /** Threads of this PE that sleep until the next event. */
    Queue<Thread> sleepers() {
        return sleepers;
    }

    boolean allowsSeveralThreads() {
        return scheduler.allowsSeveralThreads();
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
    boolean isDead() {
        return dead;
    }

    void markDead() {
        dead = true;
    }

    void checkAlive() {
        if (dead) {
            throw new SimulatedFailureError(originalRank);
        }
    }

    /** Ends this PE: its messages are lost or on their way, and the others begin to learn of it. */
    SimulatedFailureError die() {
        run.markDead(this);
        return new SimulatedFailureError(originalRank);
    }

    /**
     * Makes one communication call.
     *
     * @param what names the call and its arguments where somebody asks what this PE does
     * @param effect what it does, without waiting
     */
    <T extends @Nullable Object> T perform(Operation operation, Object what, Supplier<T> effect) {
        checkAlive();
        activity = what;
        scheduler.step(this);
        T result;
        boolean vain;
        calling.lock();
        try {
            // Another thread may have met this PE's end since; nothing may leave a failed PE.
            checkAlive();
            foundNothing = false;
            result = performAlone(operation, effect);
            vain = foundNothing;
            note(vain, what);
        } finally {
            calling.unlock();
        }
        if (vain) {
            scheduler.polledInVain(this);
        }
        activity = COMPUTING;
        return result;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written under a lock only
    private <T extends @Nullable Object> T performAlone(Operation operation, Supplier<T> effect) {
        FaultInjector.Fate fate = run.faults().fateOf(originalRank, calls++, operation);
        if (fate == FaultInjector.Fate.FAILS_BEFORE) {
            throw die();
        }
        Scheduler.Turn turn = turn();
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
        return result;
    }

    /** Does something with what this PE knows, while no other thread of it makes a call. */
    void exclusively(Runnable action) {
        calling.lock();
        try {
            action.run();
        } finally {
            calling.unlock();
        }
    }

    /** The call just made has found nothing new, and will be repeated. */
    void pollInVain() {
        turn().pollsInVain++;
        foundNothing = true;
    }

    /** Waits in the middle of a blocking call until the condition holds. */
    void await(Object what, BooleanSupplier condition) {
        activity = what;
        Scheduler.Turn turn = turn();
        while (!holds(what, condition)) {
            turn.pollsInVain += Scheduler.Turn.MANY_POLLS;
            scheduler.polledInVain(this);
            scheduler.step(this);
        }
        turn.pollsInVain = 0;
        activity = COMPUTING;
    }

    /** Checks a condition, and makes progress when it doesn't hold. */
    private boolean holds(Object what, BooleanSupplier condition) {
        calling.lock();
        try {
            // A PE that fails by another of its threads gets no more notices, and would wait for ever.
            checkAlive();
            if (!condition.getAsBoolean()) {
                progress();
            }
            boolean holds = condition.getAsBoolean();
            note(!holds, what);
            return holds;
        } finally {
            calling.unlock();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written under a lock only
    private void note(boolean inVain, Object what) {
        if (returned) {
            return;
        }
        if (!inVain) {
            found++;
            if (waitsFor != null) {
                waitsFor = null;
            }
        } else {
            vain++;
            // A program that waits for something also probes for what may come from anybody.
            waitsFor = what instanceof Wait wait ? wait : waitsFor;
        }
    }

    /** Number of calls that have found something; any thread. */
    long found() {
        return found;
    }

    /** Number of calls that have found nothing; any thread. */
    long foundNothing() {
        return vain;
    }

    /** Whether this PE waits for something that only another one can do; any thread. */
    boolean waitsFor(Pe other) {
        Wait wait = waitsFor;
        return wait != null && wait.needs(other);
    }

    /** Whether the program has returned, and can do nothing more for the others; any thread. */
    boolean hasReturned() {
        return returned;
    }

    void returned() {
        returned = true;
        finishedAs("returned");
    }

    /** Whether the program has returned unless it will be begun again, which depends on the others. */
    void waitsAtTheEnd(boolean waits) {
        returned = waits;
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
        return "PE " + originalRank + (dead ? " (failed)" : "") + " after " + calls + " calls: " + activity;
    }
}
