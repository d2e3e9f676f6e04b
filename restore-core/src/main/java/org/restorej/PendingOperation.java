package org.restorej;

import org.jspecify.annotations.Nullable;
import org.restorej.comm.Collective;
import org.restorej.internal.operation.BackgroundOperation;

/**
 * An operation of a store that is under way while the application computes.
 *
 * <p>
 * It makes progress in the thread that started it: whenever {@link #isDone} is called, as in {@code MPI_Test}, and
 * while that thread waits for a message, a barrier or an agreement on any communicator. The library starts no thread
 * for it. Another thread may complete it, by {@link #await} or by its next call of the store, if that thread may access
 * the memory that is submitted. The operation can't be cancelled, because other PEs depend on this PE's part.
 *
 * <p>
 * What a submit reads must not change before it is done. The result takes effect when {@link #await} or
 * any other call of the store returns. Either all survivors then have the result, or all get the failure and the store
 * is unchanged. Only {@link #isDone} may be called by any thread.
 *
 * @param <T> result of the operation
 */
public final class PendingOperation<T extends @Nullable Object> {
    private final BackgroundOperation<T> operation;

    /** Wraps an operation that continues in the background. */
    PendingOperation(BackgroundOperation<T> operation) {
        this.operation = operation;
    }

    /**
     * Whether {@link #await} would return or throw without waiting. Callable by any thread. In the thread that started
     * the operation, and outside other calls of the store, it also makes progress; it never waits.
     */
    public boolean isDone() {
        return operation.isDone();
    }

    /**
     * Waits until the operation is done. Collective; throws what the blocking form of the operation throws. An
     * interrupt doesn't end the wait; the thread's interrupt status is set afterwards.
     *
     * @return result of the operation
     */
    @Collective
    public T await() {
        return operation.await();
    }
}
