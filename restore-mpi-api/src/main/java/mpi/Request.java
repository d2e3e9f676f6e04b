package mpi;

/** A pending operation. */
public class Request implements Freeable {
    /** The handle of the MPI library. */
    protected long handle;

    Request() {}

    @Override
    public void free() throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Marks the operation for cancellation.
     *
     * @throws MPIException an error of the MPI library
     */
    public final void cancel() throws MPIException {
        throw MpiSignatures.absent();
    }

    /** Whether this is the null request, as it is after completion. */
    public final boolean isNull() {
        throw MpiSignatures.absent();
    }

    /**
     * Waits for completion.
     *
     * @throws MPIException an error of the MPI library
     */
    public final void waitFor() throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Whether the operation has completed.
     *
     * @throws MPIException an error of the MPI library
     */
    public final boolean test() throws MPIException {
        throw MpiSignatures.absent();
    }
}
