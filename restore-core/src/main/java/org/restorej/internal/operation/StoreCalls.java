package org.restorej.internal.operation;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.internal.settlement.Meeting;

/**
 * The calls of a store: the one that is under way, and the operation that goes on in the background, of which there is
 * one at most, since the next call waits for its end.
 *
 * <p>
 * Lets one call at a time in, and refuses another one instead of letting it wait for what can't end: a call
 * by another thread, which would take messages of the first, or by something that the call under way has called back.
 * Any thread.
 */
public final class StoreCalls {
    /** The thread that is inside a call, or null. */
    private final AtomicReference<@Nullable Thread> caller = new AtomicReference<>();
    /** The one call under way, made beforehand: a PE without memory must come to where the others wait for it. */
    private final Call call = new Call();
    private final Meeting own = new Meeting();
    /** Of a loop that keeps the store. */
    private Meeting loops = own;
    /** The thread of the loop, when it is about to call; others may call the store while the loop does something else. */
    private volatile @Nullable Thread loop;
    /** Of the call under way. */
    private Meeting meeting = own;
    private volatile String underWay = "";
    private boolean closed;
    /** What goes on in the background; used by the thread that is inside a call. */
    private @Nullable BackgroundOperation<?> pending;

    /** A call under way; ended by {@link #close}. */
    public final class Call implements AutoCloseable {
        private Call() {}

        /** Also where the call has thrown before this PE came to where the others wait for it. */
        @Override
        public void close() {
            try {
                meeting.close();
            } finally {
                caller.set(null);
            }
        }
    }

    /** Where the others wait for this PE in the call under way. */
    Meeting meeting() {
        return meeting;
    }

    /** A loop keeps the store: calls that it expects come to its meeting, so that it is in one place at a time. */
    public void keptBy(Meeting itsMeeting) {
        loops = itsMeeting;
    }

    /** The loop, in this thread, is about to call: the others wait for it on this communicator. Takes no memory. */
    public void expect(Communicator communicator) {
        loop = Thread.currentThread();
        loops.at(communicator);
    }

    /** What all PEs throw alike, nobody waits for. Does nothing for a thread that is in no call. */
    void callOff() {
        if (Thread.currentThread().equals(caller.get())) {
            meeting.callOff();
        }
    }

    /**
     * Begins a call.
     *
     * @throws IllegalStateException when another one is under way
     */
    public Call begin(String operation) {
        Thread thread = Thread.currentThread();
        Thread other = caller.compareAndExchange(null, thread);
        if (other == null) {
            underWay = operation;
            meeting = own;
            if (thread.equals(loop)) {
                loop = null;
                meeting = loops;
            }
            return call;
        }
        if (other.equals(thread)) {
            throw new IllegalStateException(operation + " by thread " + thread.getName()
                    + " is refused: that thread is inside " + underWay
                    + ", and what a call of the store calls back, such as a block writer, must not call the store");
        }
        throw new IllegalStateException(operation + " by thread " + thread.getName() + " is refused: thread "
                + other.getName() + " is inside " + underWay + ", and one thread of a PE uses a store at a time");
    }

    /**
     * Begins a call of a store that is open, after what goes on in the background, whose failure it throws.
     *
     * @throws IllegalStateException when another call is under way, or the store is closed
     */
    public Call beginNext(String operation) {
        Call begun = begin(operation);
        try {
            checkOpen();
            awaitPending();
            return begun;
        } catch (Throwable met) {
            begun.close();
            throw met;
        }
    }

    void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the store is closed");
        }
    }

    /** Ends what goes on in the background, and refuses further calls; false when that was done already. */
    boolean close() {
        boolean first = !closed;
        closed = true;
        endPending();
        return first;
    }

    /**
     * Begins an operation that goes on in the background; inside of a call.
     *
     * @param value makes what the application gets, once the result is in the store
     */
    public <R, T extends @Nullable Object> BackgroundOperation<T> start(CollectiveOperation<R> operation,
            Function<R, T> value) {
        BackgroundOperation<T> started = new BackgroundOperation<>(this, operation, value);
        pending = started;
        started.start();
        return started;
    }

    /**
     * Waits for what goes on in the background, and throws what that throws. What it throws on this PE alone is only
     * its handle's to tell: the others go on to the next call, and wait for this PE there.
     */
    public void awaitPending() {
        BackgroundOperation<?> operation = pending;
        if (operation != null) {
            end(operation);
            if (!operation.hasThrownAlone()) {
                operation.outcome();
            }
        }
    }

    /** Waits for what goes on in the background; a failure is only its handle's to tell. */
    public void endPending() {
        if (pending != null) {
            end(pending);
        }
    }

    /** Waits for an operation, and puts what it has come to into the store, once. */
    void end(BackgroundOperation<?> operation) {
        if (operation.equals(pending)) {
            pending = null;
            operation.publish();
        }
    }

    /** Does something between calls, such as a step of what goes on in the background; not inside of one. */
    void tryRun(String what, Runnable action) {
        if (caller.compareAndSet(null, Thread.currentThread())) {
            try {
                underWay = what;
                action.run();
            } finally {
                caller.set(null);
            }
        }
    }
}
