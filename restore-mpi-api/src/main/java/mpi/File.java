package mpi;

/** A file that the processes of a communicator have opened together (MPI-IO). */
public final class File {
    /**
     * Opens a file; called by all processes.
     *
     * @param comm whose processes
     * @param filename its path
     * @param amode what for: a sum of the constants {@code MPI.MODE_...}
     * @throws MPIException an error of the MPI library
     */
    public File(Comm comm, String filename, int amode) throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Closes it; called by all processes.
     *
     * @throws MPIException an error of the MPI library
     */
    public void close() throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Brings what was written to the disk; called by all processes.
     *
     * @throws MPIException an error of the MPI library
     */
    public void sync() throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Reads; called by all processes (MPI_File_read_at_all).
     *
     * @param offset where it begins
     * @param buf where it goes
     * @param count number of elements
     * @param type their type
     * @throws MPIException an error of the MPI library
     */
    public Status readAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Writes; called by all processes (MPI_File_write_at_all).
     *
     * @param offset where it begins
     * @param buf what to write
     * @param count number of elements
     * @param type their type
     * @throws MPIException an error of the MPI library
     */
    public Status writeAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        throw MpiSignatures.absent();
    }
}
