package org.restorej.internal.operation;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Lets one call of a store at a time in, and refuses another one instead of letting it wait for what can't end: a call
 * by another thread, which would take messages of the first, or by something that the call under way has called back.
 * Any thread.
 */
public final class StoreCalls {
    private final AtomicReference<@Nullable Call> underWay = new AtomicReference<>();
    /** Runs a submit that has returned to its caller, or null. */
    private volatile @Nullable Thread background;

    /** A call under way; ended by {@link #close}. */
    public final class Call implements AutoCloseable {
        private final String operation;
        private final Thread thread = Thread.currentThread();

        private Call(String operation) {
            this.operation = operation;
        }

        @Override
        public void close() {
            underWay.compareAndSet(this, null);
        }
    }

    /**
     * Begins a call.
     *
     * @throws IllegalStateException when another one is under way
     */
    public Call begin(String operation) {
        if (Thread.currentThread().equals(background)) {
            throw fromInside(operation, "submitAsync");
        }
        Call call = new Call(operation);
        Call other = underWay.compareAndExchange(null, call);
        if (other == null) {
            return call;
        }
        if (other.thread.equals(Thread.currentThread())) {
            throw fromInside(operation, other.operation);
        }
        throw new IllegalStateException(operation + " by thread " + Thread.currentThread().getName()
                + " is refused: thread " + other.thread.getName() + " is inside " + other.operation
                + ", and one thread of a PE uses a store at a time");
    }

    private static IllegalStateException fromInside(String operation, String outer) {
        return new IllegalStateException(operation + " by thread " + Thread.currentThread().getName()
                + " is refused: that thread is inside " + outer
                + ", and what a call of the store calls back, such as a block writer, must not call the store");
    }

    /** A submit goes on in a thread of its own. */
    void goesOnIn(Thread thread) {
        background = thread;
    }

    /** The submit in that thread has ended. */
    void backgroundEnded() {
        background = null;
    }
}
