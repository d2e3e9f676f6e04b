package mpi;

/** A communicator within one group. */
public class Intracomm extends Comm {
    /** The communicator of all processes, before it is initialised. */
    protected Intracomm() {}

    /**
     * Wraps a handle of the MPI library.
     *
     * @param handle the handle
     */
    protected Intracomm(long handle) {
        throw MpiSignatures.absent();
    }

    /**
     * Splits the communicator.
     *
     * @param colour processes with the same one go together
     * @param key orders them
     * @throws MPIException an error of the MPI library
     */
    public final Intracomm split(int colour, int key) throws MPIException {
        throw MpiSignatures.absent();
    }

}
