package org.restorej.internal.operation;

import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.settlement.Settlement;
import org.restorej.internal.settlement.Thrower;
import org.restorej.internal.program.Background;

/**
 * An operation that runs in steps while the application computes. {@link StoreCalls} puts its result into the store.
 * Between calls of the store the thread that started it makes progress; inside calls, the calling thread.
 *
 * @param <T> result for the application
 */
public final class BackgroundOperation<T extends @Nullable Object> {
    private final StoreCalls calls;
    private final CollectiveOperation<?> operation;
    private final Supplier<T> publishing;
    private final StoreMonitor.Observation observation;
    /** Its own, separate from that of the calls in which it makes progress. */
    private final Meeting meeting = new Meeting();
    private final Thread owner = Thread.currentThread();
    /** Of the thread that started it; another thread may complete it. */
    private final Background background = Background.ofThread();
    private final Runnable step = this::progressBetweenCalls;
    private volatile boolean done;
    private volatile @Nullable Throwable failure;
    /** The PE that has thrown in it. */
    private Thrower thrower = Thrower.NOBODY;
    private @Nullable T outcome;
    /** Whether only the conversion of the result has thrown, on this PE alone. */
    private boolean thrownAlone;

    /**
     * Creates an operation that is not started.
     *
     * @param value converts the result for the application, once it is in the store
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

    /** Starts it. The call around this then no longer settles; the operation does. */
    void start() {
        background.add(step);
        operation.goOnAt(meeting);
        progress();
    }

    /** Makes progress, and returns whether waiting for it would return at once. */
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
            // Last, so that other threads that see it done see everything else.
            done = true;
        }
        return true;
    }

    /** Makes progress if the calling thread started it and is not in a call of the store. */
    private void progressBetweenCalls() {
        if (!done && Thread.currentThread().equals(owner)) {
            calls.tryRun(operation.name, this::progress);
        }
    }

    /**
     * Whether waiting for it would return at once. Thread-safe. In the thread that started it, and outside calls of the
     * store, it also makes progress.
     */
    public boolean isDone() {
        progressBetweenCalls();
        return done;
    }

    /** Waits in a call of the store until it is done; see {@link #outcome}. */
    public T await() {
        try (var _ = calls.begin("await")) {
            return outcome();
        }
    }

    /** Whether it has thrown on this PE, but returned on others. */
    boolean hasThrownAlone() {
        return thrownAlone;
    }

    /** Waits inside a call until it is done, and returns its result or throws its exception. */
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

    /** Waits until it has ended, puts its result into the store, and records the state of the store. */
    void publish() {
        while (!progress()) {
            // As MPI makes progress while it waits.
            Background.progress();
            Thread.onSpinWait();
        }
        if (failure == null) {
            try {
                outcome = publishing.get();
            } catch (Throwable thrown) {
                // The store has the result nevertheless, as on the other PEs.
                failure = thrown;
                thrownAlone = true;
            }
        }
        observation.note(operation.state, failure);
    }
}
