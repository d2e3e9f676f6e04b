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
     * Duplicates the communicator.
     *
     * @throws MPIException an error of the MPI library
     */
    public Intracomm dup() throws MPIException {
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

    /**
     * Makes a communicator of a group; only its processes call (MPI_Comm_create_group).
     *
     * @param group its processes
     * @param tag tells concurrent calls apart
     * @throws MPIException an error of the MPI library
     */
    public final Intracomm createGroup(Group group, int tag) throws MPIException {
        throw MpiSignatures.absent();
    }
}
