package org.restorej.comm;

/**
 * A communication call can't do what it was called for, because a process has died or the communicator was revoked:
 * what a program catches that goes on without the dead. Who catches it calls {@link Communicator#revoke}, so that
 * nobody waits for this PE, and then {@link Communicator#shrink}.
 */
public abstract sealed class CommunicationFailedException extends RuntimeException
        permits ProcessFailedException, CommunicatorRevokedException {
    private static final long serialVersionUID = 1L;

    private boolean causedByException;

    /** With this message. */
    CommunicationFailedException(String message) {
        super(message);
    }

    /** With this message, and how it was noticed. */
    CommunicationFailedException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Whether the operation has failed because the application has thrown an exception of its own on another PE, rather
     * than because of a failed process alone. Set where PEs have agreed on how an operation ends, and then the same on
     * all of them that get this exception: by steps and iterations of loops, and by operations of a store.
     */
    public boolean isCausedByException() {
        return causedByException;
    }

    void setCausedByException() {
        causedByException = true;
    }
}
