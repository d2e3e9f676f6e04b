package org.restorej.comm;

/**
 * A communication call can't be completed, because a process has failed or the communicator was revoked. A program that
 * continues without the failed processes catches this, calls {@link Communicator#revoke}, so that no PE waits for this
 * one, and then {@link Communicator#shrink}.
 */
public abstract sealed class CommunicationFailedException extends RuntimeException
        permits ProcessFailedException, CommunicatorRevokedException {
    private static final long serialVersionUID = 1L;

    CommunicationFailedException(String message) {
        super(message);
    }

    CommunicationFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
