package org.restorej.internal.operation;

import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.settlement.Settlement;
import org.restorej.internal.settlement.Thrower;
import org.restorej.internal.program.Background;

/**
 * An operation that goes on, in steps, while the application computes. {@link StoreCalls} puts what it has come to into
 * the store. Between calls of the store it goes on in the thread that has begun it; in calls, in whichever makes them.
 *
 * @param <T> what the application gets
 */
public final class BackgroundOperation<T extends @Nullable Object> {
    private final StoreCalls calls;
    private final CollectiveOperation<?> operation;
    private final Supplier<T> publishing;
    private final StoreMonitor.Observation observation;
    /** Apart from that of the calls in which it goes on. */
    private final Meeting meeting = new Meeting();
    private final Thread owner = Thread.currentThread();
    /** Of the thread that has begun it; another one may end it. */
    private final Background background = Background.ofThread();
    private final Runnable step = this::progressBetweenCalls;
    private volatile boolean done;
    private volatile @Nullable Throwable failure;
    /** Who has thrown in it. */
    private Thrower thrower = Thrower.NOBODY;
    private @Nullable T outcome;

    /**
     * An operation that has not begun.
     *
     * @param value makes what the application gets, once the result is in the store
     */
    <R> BackgroundOperation(StoreCalls calls, CollectiveOperation<R> operation, Function<R, T> value) {
        this.calls = calls;
        this.operation = operation;
        publishing = () -> {
            operation.publish(operation.result());
            return value.apply(operation.result());
        };
        observation = operation.observe();
    }

    /** Begins it; what the others wait for in the call around this is its settlement. */
    void start() {
        background.add(step);
        operation.goOnAt(meeting);
        progress();
    }

    /** Does what can be done now; says whether waiting for it would return at once. */
    private boolean progress() {
        if (!done) {
            try (meeting) {
                if (!operation.advance(false)) {
                    return false;
                }
            } catch (Throwable thrown) {
                thrower = Thrower.of(thrown);
                failure = thrown;
            }
            observation.end();
            background.remove(step);
            // Last: whoever sees it done sees everything else.
            done = true;
        }
        return true;
    }

    /** Does what can be done now, when the calling thread is the one to do it and is in no call of the store. */
    private void progressBetweenCalls() {
        if (!done && Thread.currentThread().equals(owner)) {
            calls.tryRun(operation.name, this::progress);
        }
    }

    /**
     * Whether waiting for it would return at once; any thread. Asked by the thread that has begun it, outside of calls of
     * the store, it also does what can be done now.
     */
    public boolean isDone() {
        progressBetweenCalls();
        return done;
    }

    /** Waits until it is done, in a call of the store; see {@link #outcome}. */
    public T await() {
        try (var _ = calls.begin("await")) {
            return outcome();
        }
    }

    /** Whether it has thrown on this PE, while on others it may have returned. */
    boolean hasThrownAlone() {
        return failure != null && operation.hasThrownAlone();
    }

    /** Waits until it is done, inside of a call, and returns what it has come to, or throws what it threw. */
    @SuppressWarnings("NullAway") // null only where T may be
    T outcome() {
        calls.end(this);
        Throwable met = failure;
        if (met != null) {
            thrower.threw(met);
            throw Settlement.<RuntimeException>sneakyThrow(met);
        }
        return outcome;
    }

    /** Waits until it has ended, puts what it has come to into the store, and notes how the store is then. */
    void publish() {
        while (!progress()) {
            // As MPI does.
            Background.progress();
            Thread.onSpinWait();
        }
        if (failure == null) {
            try {
                outcome = publishing.get();
            } catch (Throwable thrown) {
                // The store has the result all the same, as on the other PEs.
                failure = thrown;
            }
        }
        observation.note(operation.state, failure);
    }
}
