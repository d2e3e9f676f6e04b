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

    /**
     * An exception for an operation that one PE has given up.
     *
     * @param operation what could not be done
     * @param refusedBy the PE that has thrown something else, which says why
     */
    public CommunicatorRevokedException(String operation, OriginalRank refusedBy) {
        super(operation + " failed: original rank " + refusedBy.value()
                + " has thrown an exception of its own, and the communicator is revoked");
    }
}
