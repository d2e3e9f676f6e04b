package mpi;

/** An error that the MPI library returned. */
public class MPIException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * As the bindings throw it.
     *
     * @param code error code
     * @param errorClass error class
     * @param message error string of the MPI library
     */
    protected MPIException(int code, int errorClass, String message) {
        super(message);
        throw MpiSignatures.absent();
    }

    /** Returns the MPI error code. */
    public int getErrorCode() {
        throw MpiSignatures.absent();
    }

    /** Returns the MPI error class. */
    public int getErrorClass() {
        throw MpiSignatures.absent();
    }
}
