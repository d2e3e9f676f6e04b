package org.restorej.bench.mpi.rival;

/** MPI has returned an error. */
public final class MpiFailure extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /** Says which call it was. */
    public MpiFailure(String call, Exception cause) {
        super(call + ": " + cause.getMessage(), cause);
    }
}
