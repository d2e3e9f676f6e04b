package org.restorej.comm;

/**
 * A pending non-blocking operation.
 *
 * <p>
 * Its buffer must not be used until {@link #test} has returned true or thrown. Not thread-safe, but the thread may be
 * another one than the one that started it.
 */
public interface Request {
    /**
     * Whether the operation has completed; also makes progress. Once true, it stays true.
     *
     * @throws ProcessFailedException when it can't complete because a process on which it depends has failed
     * @throws CommunicatorRevokedException when its communicator was revoked
     */
    boolean test();

    /**
     * Cancels the operation, and returns when its buffer is no longer used: it has then completed, failed, or been
     * cancelled. Only for operations that can't complete because of a failure; a send whose receiver still waits for it
     * should be completed instead. Does nothing on a PE whose failure is simulated, so that it can free its memory.
     */
    void cancel();

    /**
     * Waits until the operation has completed, and yields the processor meanwhile. After it returns or throws, the
     * buffer may be used and freed. For several requests, and for a long send, use
     * {@link Communicator#awaitAll(Request...)}: this call doesn't complete other pending requests.
     *
     * <p>
     * It ends when the peer of the operation fails, and when the communicator is revoked. It doesn't notice the failure
     * of another PE for which the peer waits; the PE that notices it calls {@link Communicator#revoke}, which ends all
     * waits.
     *
     * @throws CommunicationFailedException as {@link #test} does
     */
    default void await() {
        try {
            while (!test()) {
                Thread.onSpinWait();
            }
        } catch (RuntimeException | Error failure) {
            cancel();
            throw failure;
        }
    }
}
