package org.restorej.comm;

/** The communicator was revoked, here or by another PE: only {@code agree} and {@code shrink} still work on it. */
public non-sealed class CommunicatorRevokedException extends CommunicationFailedException {
    private static final long serialVersionUID = 1L;

    /**
     * An exception for a call that a revocation has ended.
     *
     * @param operation what could not be done
     */
    public CommunicatorRevokedException(String operation) {
        super(operation + " failed: the communicator is revoked");
    }
}
