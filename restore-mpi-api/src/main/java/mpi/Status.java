package mpi;

/** What is known of a message. */
public final class Status {
    Status() {}

    /** Returns the rank of the sender. */
    public int getSource() {
        throw MpiSignatures.absent();
    }

    /** Returns the tag of the message. */
    public int getTag() {
        throw MpiSignatures.absent();
    }

    /**
     * Returns how many elements the message holds.
     *
     * @param type their type
     * @throws MPIException an error of the MPI library
     */
    public int getCount(Datatype type) throws MPIException {
        throw MpiSignatures.absent();
    }
}
