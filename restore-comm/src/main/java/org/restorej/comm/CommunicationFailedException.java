package org.restorej.comm;

/**
 * A communication call can't do what it was called for, because a process has failed or the communicator was revoked:
 * what a program catches that goes on without the failed ones. Who catches it calls {@link Communicator#revoke}, so
 * that nobody waits for this PE, and then {@link Communicator#shrink}.
 */
public abstract sealed class CommunicationFailedException extends RuntimeException
        permits ProcessFailedException, CommunicatorRevokedException {
    private static final long serialVersionUID = 1L;

    /** With this message. */
    CommunicationFailedException(String message) {
        super(message);
    }

    /** With this message, and how it was noticed. */
    CommunicationFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
