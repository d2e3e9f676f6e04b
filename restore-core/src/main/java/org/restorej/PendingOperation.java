package org.restorej;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Collective;
import org.restorej.internal.operation.BackgroundOperation;
import org.restorej.internal.operation.StoreCalls;
import org.restorej.internal.operation.SubmitOperation;

/**
 * An operation of a store that is under way while the application computes: a future of what it comes to.
 *
 * <p>
 * It goes on in the thread that has begun it: whenever that asks {@link #isDone} or {@link #state}, as {@code MPI_Test}
 * does, and while it waits for a message, a barrier or an agreement on any communicator. Another thread may end it, by
 * {@link #await} or the next call of the store, where it may use the memory that is submitted or filled; no thread of
 * the library's works on it.
 * Memory that it reads or fills must not be touched before it is done. Its outcome is the store's when {@link #await},
 * {@link #get}, or whatever else is next called of the store, returns: then all PEs alive have it, or all get the
 * failure, and the store is as it was. Used by the thread that uses the store, but for {@link #isDone}, {@link #state},
 * {@link #exceptionNow}, {@link #cancel} and {@link #isCancelled}.
 *
 * <p>
 * It is no {@link java.util.concurrent.CompletionStage}: the thread that uses the store makes the outcome the store's,
 * in a call of its own, and no other thread could run what depends on it.
 *
 * @param <T> what it comes to
 */
public final class PendingOperation<T extends @Nullable Object> implements Future<T> {
    private final StoreCalls calls;
    private final BackgroundOperation<T> operation;
    private final @Nullable SubmitOperation submit;

    /** An operation that brings this PE's blocks to their holders where {@code submit} is not null. */
    PendingOperation(StoreCalls calls, BackgroundOperation<T> operation, @Nullable SubmitOperation submit) {
        this.calls = calls;
        this.operation = operation;
        this.submit = submit;
    }

    /**
     * Whether {@link #await} would return at once, or throw at once; any thread. Asked by the thread that has begun it,
     * and not from inside a call of the store, it also does what can be done now, and waits for nothing.
     */
    @Override
    public boolean isDone() {
        operation.progressBetweenCalls();
        return operation.isDone();
    }

    /**
     * Whether it is done, and whether it has failed, by an {@link Error} too; any thread, also while the store is used.
     * As {@link #isDone}, it does what can be done now.
     */
    @Override
    public State state() {
        if (!isDone()) {
            return State.RUNNING;
        }
        return operation.failure().isEmpty() ? State.SUCCESS : State.FAILED;
    }

    /** What {@link #await} throws; any thread. */
    @Override
    public Throwable exceptionNow() {
        if (!operation.isDone()) {
            throw new IllegalStateException("the " + operation.text() + " is not done");
        }
        return operation.failure()
                .orElseThrow(() -> new IllegalStateException("the " + operation.text() + " has not failed"));
    }

    /** Bytes of this PE's blocks that a submit has brought to all their holders; any thread. 0 for what is no submit. */
    public long submittedBytes() {
        return submit == null ? 0 : submit.submittedBytes();
    }

    /** Bytes of all blocks that this PE submits; 0 for what is no submit. */
    public long totalBytes() {
        return submit == null ? 0 : submit.totalBytes();
    }

    /** How far it is, for a message that says that it isn't done. */
    private String progressText() {
        return submit == null ? "" : ": " + submittedBytes() + " of " + totalBytes() + " bytes are submitted";
    }

    /**
     * Waits until it is done. Collective, and throws what the same operation throws that is done at once. An interrupt
     * doesn't end the waiting; the thread's interrupt status is set afterwards.
     *
     * @return what it has come to
     */
    @Collective
    public T await() {
        try (var _ = calls.begin("await")) {
            return operation.outcome();
        }
    }

    /**
     * Waits until it is done. Collective, as {@link #await}: a PE that was interrupted calls this or another method of
     * the store later.
     *
     * @return what it has come to
     * @throws ExecutionException has what {@link #await} throws as its cause; but an {@link Error} comes as it is,
     *         since that may be the end of a PE that was made to fail
     * @throws InterruptedException when the thread is interrupted while it waits: the operation goes on
     * @throws IllegalStateException when another call of the store is under way
     */
    @Override
    @Collective
    public T get() throws InterruptedException, ExecutionException {
        try (var _ = calls.begin("get")) {
            operation.awaitEnd(Long.MAX_VALUE);
            return outcome();
        }
    }

    /**
     * As {@link #get()}, but waits no longer than a given time.
     *
     * @throws TimeoutException when it isn't done by then: the operation goes on
     */
    @Override
    @Collective
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        try (var _ = calls.begin("get")) {
            if (unit == null) {
                // The others wait for this PE's part.
                operation.awaitEnd(Long.MAX_VALUE);
                throw new IllegalArgumentException("unit must not be null");
            }
            if (!operation.awaitEnd(unit.toNanos(timeout))) {
                throw new TimeoutException(
                        "the " + operation.text() + " was not done within " + timeout + " " + unit + progressText());
            }
            return outcome();
        }
    }

    private T outcome() throws ExecutionException {
        try {
            return operation.outcome();
        } catch (RuntimeException failure) {
            throw new ExecutionException(failure);
        }
    }

    /**
     * Does nothing: the other PEs rely on this one's part, so an operation can't be given up.
     *
     * @return false
     */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return false;
    }

    /** False: see {@link #cancel}. */
    @Override
    public boolean isCancelled() {
        return false;
    }
}
