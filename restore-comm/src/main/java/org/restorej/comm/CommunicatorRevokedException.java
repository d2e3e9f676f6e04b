package org.restorej.comm;

/** The communicator was revoked, here or by another PE. Only {@code agree} and {@code shrink} still work on it. */
public non-sealed class CommunicatorRevokedException extends CommunicationFailedException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception for a call that a revocation has ended.
     *
     * @param operation name of the call
     */
    public CommunicatorRevokedException(String operation) {
        super(operation + " failed: the communicator is revoked");
    }

    /**
     * Creates the exception for an operation that ended because one PE has thrown.
     *
     * @param operation name of the operation
     * @param refusedBy the PE that has thrown; its exception has the reason
     */
    public CommunicatorRevokedException(String operation, OriginalRank refusedBy) {
        super(operation + " failed: original rank " + refusedBy.value()
                + " has thrown an exception of its own, and the communicator is revoked");
    }
}
