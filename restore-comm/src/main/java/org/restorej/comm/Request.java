package org.restorej.comm;

/**
 * A pending non-blocking operation.
 *
 * <p>
 * The buffer of an operation belongs to the communicator until {@link #test} has answered true or thrown. Used by
 * one thread at a time, which may be another than has started it.
 */
public interface Request {
    /**
     * Whether the operation has completed; also drives progress. Answers true for ever after it has done so once.
     *
     * @throws ProcessFailedException when it can't complete because a process it depends on has failed
     * @throws CommunicatorRevokedException when its communicator was revoked
     */
    boolean test();

    /**
     * Gives the operation up, and returns when its buffer is no longer used: it has then completed, failed, or been
     * cancelled. Only for operations that failure has made pointless; a send whose receiver is alive and waits should
     * be completed instead. Does nothing on a PE that was made to fail, so that it can free its memory.
     */
    void cancel();

    /**
     * Waits until the operation has completed, and lets others have the processor meanwhile. When this returns or
     * throws, the buffer is the application's again: it may be used and freed. For several requests, and for a send
     * that may be long, {@link Communicator#awaitAll(Request...)} is the one: what else is pending, this call leaves
     * pending.
     *
     * <p>
     * It ends when the peer of the operation fails, and when the communicator is revoked. That another PE has failed,
     * for which the peer now waits, it doesn't see: whoever notices a failure calls {@link Communicator#revoke}, and
     * that wakes everybody.
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
