package org.restorej.internal.operation;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.internal.settlement.Meeting;

/**
 * The current call of a store, and its background operation, of which there is at most one, since the next call waits
 * for its end.
 *
 * <p>
 * Allows one call at a time, and rejects another one instead of letting it wait: a call by another thread would take
 * messages of the first, and a call by a callback of the current call would wait forever. Thread-safe.
 */
public final class StoreCalls {
    /** The thread that is inside a call, or null. */
    private final AtomicReference<@Nullable Thread> caller = new AtomicReference<>();
    /** The current call; allocated in advance, because a PE without memory must still join the settlement. */
    private final Call call = new Call();
    private final Meeting own = new Meeting();
    /** The meeting of a loop that keeps the store. */
    private Meeting loops = own;
    /**
     * The thread of the loop, when it is about to call. Other threads may call the store while the loop does something
     * else.
     */
    private volatile @Nullable Thread loop;
    /** The meeting of the current call. */
    private Meeting meeting = own;
    private volatile String underWay = "";
    private boolean closed;
    /** The background operation; used by the thread that is inside a call. */
    private @Nullable BackgroundOperation<?> pending;

    /** A call; ended by {@link #close}. */
    public final class Call implements AutoCloseable {
        private Call() {}

        /** Ends the call, even if it has thrown before this PE has joined the settlement. */
        @Override
        public void close() {
            try {
                meeting.close();
            } finally {
                caller.set(null);
            }
        }
    }

    /** The meeting of the current call, at which the other PEs wait for this one. */
    Meeting meeting() {
        return meeting;
    }

    /**
     * Sets the meeting of the loop that keeps the store. Calls that the loop expects use it, so that the other PEs wait
     * in one place only.
     */
    public void keptBy(Meeting itsMeeting) {
        loops = itsMeeting;
    }

    /**
     * Announces that the loop, in this thread, is about to call, and that the other PEs wait for it on this
     * communicator. Takes no memory.
     */
    public void expect(Communicator communicator) {
        loop = Thread.currentThread();
        loops.at(communicator);
    }

    /** Marks that all PEs throw the same, so no PE waits. Does nothing for a thread that is in no call. */
    void callOff() {
        if (Thread.currentThread().equals(caller.get())) {
            meeting.callOff();
        }
    }

    /**
     * Starts a call.
     *
     * @throws IllegalStateException during another call
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
     * Starts a call of an open store, after the background operation, whose exception it throws.
     *
     * @throws IllegalStateException during another call, or when the store is closed
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

    /** Ends the background operation and rejects further calls; returns false if already closed. */
    boolean close() {
        boolean first = !closed;
        closed = true;
        endPending();
        return first;
    }

    /**
     * Starts a background operation, inside a call.
     *
     * @param value converts the result for the application, once it is in the store
     */
    public <R, T extends @Nullable Object> BackgroundOperation<T> start(CollectiveOperation<R> operation,
            Function<R, T> value) {
        BackgroundOperation<T> started = new BackgroundOperation<>(this, operation, value);
        pending = started;
        started.start();
        return started;
    }

    /**
     * Waits for the background operation, and throws its exception. An exception of this PE only is not thrown here,
     * but by the operation's handle: the other PEs continue with the next call, and wait for this PE there.
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

    /** Waits for the background operation; a failure is thrown by its handle only. */
    public void endPending() {
        if (pending != null) {
            end(pending);
        }
    }

    /** Waits for an operation, and puts its result into the store, once. */
    void end(BackgroundOperation<?> operation) {
        if (operation.equals(pending)) {
            pending = null;
            operation.publish();
        }
    }

    /** Runs an action between calls, such as a step of the background operation; skips it inside a call. */
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
