package org.restorej.comm;

/**
 * A pending non-blocking operation.
 *
 * <p>
 * The buffer of an operation belongs to the communicator until {@link #test} has answered true or thrown. Used by the
 * thread that started it.
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
}
