package mpi;

/** An MPI object that is freed explicitly. */
public interface Freeable {
    /**
     * Frees the MPI object.
     *
     * @throws MPIException an error of the MPI library
     */
    void free() throws MPIException;
}
