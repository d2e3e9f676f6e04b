package org.restorej;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.restorej.comm.Collective;
import org.restorej.internal.operation.BackgroundSubmit;
import org.restorej.internal.operation.StoreCalls;

/**
 * A submit under way while the application computes: a future of the new generation's number.
 *
 * <p>
 * It goes on in the thread that has begun it: whenever that asks {@link #isDone} or {@link #state}, as {@code MPI_Test}
 * does, and while it waits for a message, a barrier or an agreement on any communicator. No other thread works on it.
 * What is submitted must not change before it is done. Its outcome is the store's when {@link #await}, {@link #get}, or
 * whatever else is next called of the store, returns: then all PEs alive have the new generation, or all get the
 * failure and still have the old one. Used by the thread that uses the store, but for {@link #isDone}, {@link #state},
 * {@link #exceptionNow}, {@link #cancel}, {@link #isCancelled} and {@link #submittedBytes}.
 *
 * <p>
 * It is no {@link java.util.concurrent.CompletionStage}: the thread that uses the store makes the outcome the store's,
 * in a call of its own, and no other thread could run what depends on it.
 */
public final class PendingSubmit implements Future<Long> {
    private final StoreCalls calls;
    private final BackgroundSubmit submit;

    PendingSubmit(StoreCalls calls, BackgroundSubmit submit) {
        this.calls = calls;
        this.submit = submit;
    }

    /**
     * Whether {@link #await} would return at once, or throw at once; any thread. Asked by the thread that has begun it,
     * and not from inside a call of the store, it also does what can be done now, and waits for nothing.
     */
    @Override
    public boolean isDone() {
        submit.progressBetweenCalls();
        return submit.isDone();
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
        return submit.failure().isEmpty() ? State.SUCCESS : State.FAILED;
    }

    /** What {@link #await} throws; any thread. */
    @Override
    public Throwable exceptionNow() {
        if (!submit.isDone()) {
            throw new IllegalStateException("the submit is not done");
        }
        return submit.failure().orElseThrow(() -> new IllegalStateException("the submit has not failed"));
    }

    /** Bytes of this PE's blocks that have reached all their holders; any thread. */
    public long submittedBytes() {
        return submit.submittedBytes();
    }

    /** Bytes of all blocks that this PE submits. */
    public long totalBytes() {
        return submit.totalBytes();
    }

    /**
     * Waits until it is done. Collective, as {@link ReStore#submit(Submission)} is, and throws what that throws. An
     * interrupt doesn't end the waiting; the thread's interrupt status is set afterwards.
     *
     * @return number of the new generation
     */
    @Collective
    public long await() {
        try (var _ = calls.begin("await")) {
            return submit.outcome();
        }
    }

    /**
     * Waits until it is done. Collective, as {@link #await}: a PE that was interrupted calls this or another method of
     * the store later.
     *
     * @return number of the new generation
     * @throws ExecutionException has what {@link #await} throws as its cause; but an {@link Error} comes as it is,
     *         since that may be the end of a PE that was made to fail
     * @throws InterruptedException when the thread is interrupted while it waits: the submit goes on
     * @throws IllegalStateException when another call of the store is under way
     */
    @Override
    @Collective
    public Long get() throws InterruptedException, ExecutionException {
        try (var _ = calls.begin("get")) {
            submit.awaitEnd();
            return outcome();
        }
    }

    /**
     * As {@link #get()}, but waits no longer than a given time.
     *
     * @throws TimeoutException when it isn't done by then: the submit goes on
     */
    @Override
    @Collective
    public Long get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        try (var _ = calls.begin("get")) {
            if (unit == null) {
                // The others wait for this PE's part.
                submit.awaitEnd();
                throw new IllegalArgumentException("unit must not be null");
            }
            if (!submit.awaitEnd(System.nanoTime() + Math.min(unit.toNanos(timeout), Long.MAX_VALUE / 2))) {
                throw new TimeoutException("the submit was not done within " + timeout + " " + unit + ": "
                        + submit.submittedBytes() + " of " + submit.totalBytes() + " bytes are submitted");
            }
            return outcome();
        }
    }

    private long outcome() throws ExecutionException {
        try {
            return submit.outcome();
        } catch (RuntimeException failure) {
            throw new ExecutionException(failure);
        }
    }

    /**
     * Does nothing: the other PEs rely on this one's part, so a submit can't be given up.
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
