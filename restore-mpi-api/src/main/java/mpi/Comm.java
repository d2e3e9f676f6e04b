package mpi;

/** A communicator. */
public class Comm implements Freeable {
    /** The handle of the MPI library. */
    protected long handle;

    /** The communicator of all processes, before it is initialised. */
    protected Comm() {}

    /**
     * Wraps a handle of the MPI library.
     *
     * @param handle the handle
     */
    protected Comm(long handle) {
        throw MpiSignatures.absent();
    }

    /** Whether it has no handle, as after {@link #free}. */
    public final boolean isNull() {
        throw MpiSignatures.absent();
    }

    @Override
    public final void free() throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Returns the rank of the calling process.
     *
     * @throws MPIException an error of the MPI library
     */
    public final int getRank() throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Returns the number of processes.
     *
     * @throws MPIException an error of the MPI library
     */
    public final int getSize() throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Sends, blocking (MPI_Send).
     *
     * @param buf buffer
     * @param count number of elements
     * @param type their type
     * @param dest receiver
     * @param tag tag
     * @throws MPIException an error of the MPI library
     */
    public final void send(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Receives, blocking (MPI_Recv).
     *
     * @param buf buffer
     * @param count number of elements
     * @param type their type
     * @param source sender
     * @param tag tag
     * @throws MPIException an error of the MPI library
     */
    public final Status recv(Object buf, int count, Datatype type, int source, int tag) throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Sends and receives at once (MPI_Sendrecv).
     *
     * @param sendbuf what to send
     * @param sendcount number of elements
     * @param sendtype their type
     * @param dest rank of the receiver
     * @param sendtag tag of what is sent
     * @param recvbuf where the received elements go
     * @param recvcount number of elements there is space for
     * @param recvtype their type
     * @param source rank of the sender
     * @param recvtag tag of what is received
     * @throws MPIException an error of the MPI library
     */
    public final Status sendRecv(Object sendbuf, int sendcount, Datatype sendtype, int dest, int sendtag,
            Object recvbuf, int recvcount, Datatype recvtype, int source, int recvtag) throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Sends, non-blocking (MPI_Isend).
     *
     * @param buf buffer
     * @param count number of elements
     * @param type their type
     * @param dest receiver
     * @param tag tag
     * @throws MPIException an error of the MPI library
     */
    public final Request iSend(java.nio.Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Sends, non-blocking and synchronous (MPI_Issend).
     *
     * @param buf buffer
     * @param count number of elements
     * @param type their type
     * @param dest receiver
     * @param tag tag
     * @throws MPIException an error of the MPI library
     */
    public final Request isSend(java.nio.Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Receives, non-blocking (MPI_Irecv).
     *
     * @param buf buffer
     * @param count number of elements
     * @param type their type
     * @param source sender
     * @param tag tag
     * @throws MPIException an error of the MPI library
     */
    public final Request iRecv(java.nio.Buffer buf, int count, Datatype type, int source, int tag) throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Returns what is known of a message that can be received, or null when there is none (MPI_Iprobe).
     *
     * @param source sender
     * @param tag tag
     * @throws MPIException an error of the MPI library
     */
    public final Status iProbe(int source, int tag) throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Waits for all processes.
     *
     * @throws MPIException an error of the MPI library
     */
    public final void barrier() throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Starts a non-blocking barrier (MPI_Ibarrier).
     *
     * @throws MPIException an error of the MPI library
     */
    public final Request iBarrier() throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Broadcasts.
     *
     * @param buf buffer
     * @param count number of elements
     * @param type their type
     * @param root sender
     * @throws MPIException an error of the MPI library
     */
    public final void bcast(Object buf, int count, Datatype type, int root) throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Gathers the same number of elements of every process on all of them.
     *
     * @param sendbuf what to send
     * @param sendcount number of elements
     * @param sendtype their type
     * @param recvbuf where they all go
     * @param recvcount number of elements of each process
     * @param recvtype their type
     * @throws MPIException an error of the MPI library
     */
    public final void allGather(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount,
            Datatype recvtype) throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Reduces on all processes.
     *
     * @param sendbuf what to send
     * @param recvbuf where the result goes
     * @param count number of elements
     * @param type their type
     * @param op operation
     * @throws MPIException an error of the MPI library
     */
    public final void allReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Reduces on all processes, in place.
     *
     * @param buf what to reduce, and where the result goes
     * @param count number of elements
     * @param type their type
     * @param op operation
     * @throws MPIException an error of the MPI library
     */
    public final void allReduce(Object buf, int count, Datatype type, Op op) throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Starts a reduction on all processes (MPI_Iallreduce).
     *
     * @param sendbuf what to send
     * @param recvbuf where the result goes
     * @param count number of elements
     * @param type their type
     * @param op operation
     * @throws MPIException an error of the MPI library
     */
    public final Request iAllReduce(java.nio.Buffer sendbuf, java.nio.Buffer recvbuf, int count, Datatype type, Op op)
            throws MPIException {
        throw MpiSignatures.absent();
    }

}
