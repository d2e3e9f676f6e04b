package org.restorej;

import org.jspecify.annotations.Nullable;
import org.restorej.comm.Collective;
import org.restorej.internal.operation.BackgroundOperation;
import org.restorej.internal.operation.SubmitOperation;

/**
 * An operation of a store that is under way while the application computes.
 *
 * <p>
 * It goes on in the thread that has begun it: whenever that asks {@link #isDone}, as {@code MPI_Test} does, and while it
 * waits for a message, a barrier or an agreement on any communicator. Another thread may end it, by {@link #await} or
 * the next call of the store, where it may use the memory that is submitted or filled; no thread of the library's works
 * on it. It can't be cancelled, since the other PEs rely on this one's part.
 * Memory that it reads or fills must not be touched before it is done. Its outcome is the store's when {@link #await},
 * or whatever else is next called of the store, returns: then all PEs alive have it, or all get the failure, and the
 * store is as it was. Used by the thread that uses the store, but for {@link #isDone} and the numbers of bytes.
 *
 * @param <T> what it comes to
 */
public final class PendingOperation<T extends @Nullable Object> {
    private final BackgroundOperation<T> operation;
    private final @Nullable SubmitOperation submit;

    /** An operation that brings this PE's blocks to their holders where {@code submit} is not null. */
    PendingOperation(BackgroundOperation<T> operation, @Nullable SubmitOperation submit) {
        this.operation = operation;
        this.submit = submit;
    }

    /**
     * Whether {@link #await} would return at once, or throw at once; any thread. Asked by the thread that has begun it,
     * and not from inside a call of the store, it also does what can be done now, and waits for nothing.
     */
    public boolean isDone() {
        return operation.isDone();
    }

    /** Bytes of this PE's blocks that a submit has brought to all their holders; any thread. 0 for what is no submit. */
    public long submittedBytes() {
        return submit == null ? 0 : submit.submittedBytes();
    }

    /** Bytes of all blocks that this PE submits; 0 for what is no submit. */
    public long totalBytes() {
        return submit == null ? 0 : submit.totalBytes();
    }

    /**
     * Waits until it is done. Collective, and throws what the same operation throws that is done at once. An interrupt
     * doesn't end the waiting; the thread's interrupt status is set afterwards.
     *
     * @return what it has come to
     */
    @Collective
    public T await() {
        return operation.await();
    }
}
