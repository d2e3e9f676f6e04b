package org.restorej.internal.mpi;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Reduction;

/**
 * A communicator of an MPI library. It returns its errors, and so do those that are made of it. Memory is native; of at
 * most 2^31 - 1 bytes. Each method is the MPI function that its documentation names, with its rules; one thread at a
 * time.
 */
public interface MpiComm {
    /** Any sender, of {@link #probe}. */
    int ANY_SOURCE = -1;

    /** Any tag, of {@link #probe}. */
    int ANY_TAG = -1;

    /** No group of a split. */
    int NO_COLOR = -1;

    /**
     * A message that can be received.
     *
     * @param source rank of the sender
     * @param bytes its length
     */
    record Message(int source, int tag, int bytes) {}

    /** What MPI reduces, in the byte order of the machine. */
    enum ElementType {
        /** 8 bytes; C's long has as many on all platforms of the library. */
        LONG(Long.BYTES),
        /** 8 bytes. */
        DOUBLE(Double.BYTES);

        private final int bytes;

        ElementType(int bytes) {
            this.bytes = bytes;
        }

        /** Bytes of an element. */
        public int bytes() {
            return bytes;
        }
    }

    /** Rank of this process. */
    int rank();

    /** Number of processes. */
    int size();

    /** The library's handle. */
    long handle();

    /** Whether it is freed, also by a program that it was given to, as far as is known here. */
    boolean isFreed();

    /** Whether calls of MPI that a program makes itself, in the way of this one, throw this for an error. */
    boolean isErrorOfMpi(Throwable thrown);

    /** MPI_Isend. */
    MpiOperation send(MemorySegment message, int destination, int tag) throws MpiException;

    /** MPI_Issend. */
    MpiOperation sendSynchronous(MemorySegment message, int destination, int tag) throws MpiException;

    /** MPI_Irecv. */
    MpiOperation receive(MemorySegment buffer, int source, int tag) throws MpiException;

    /** MPI_Recv of a message that was {@linkplain #probe found}: blocks. */
    default void receiveNow(MemorySegment buffer, Message found) throws MpiException {
        MpiOperation pending = receive(buffer, found.source(), found.tag());
        while (!pending.test()) {
            Thread.onSpinWait();
        }
    }

    /** MPI_Iprobe; null when there is no message. */
    @Nullable
    Message probe(int source, int tag) throws MpiException;

    /** MPI_Ibarrier. */
    MpiOperation barrier() throws MpiException;

    /** MPI_Allgather of bytes: blocks. */
    void allGather(MemorySegment sent, MemorySegment received) throws MpiException;

    /** MPI_Allreduce: blocks. */
    void allReduce(MemorySegment sent, MemorySegment received, ElementType type, Reduction operation)
            throws MpiException;

    /** MPI_Iallreduce. */
    MpiOperation startAllReduce(MemorySegment sent, MemorySegment received, ElementType type,
            Reduction operation) throws MpiException;

    /** MPI_Iallreduce with MPI_BAND of one {@code long}. */
    MpiOperation startAnd(MemorySegment sent, MemorySegment received) throws MpiException;

    /** MPI_Comm_dup: blocks. */
    MpiComm duplicate() throws MpiException;

    /** MPI_Comm_split in the order of ranks: blocks; null with {@link #NO_COLOR}. */
    @Nullable
    MpiComm split(int color) throws MpiException;

    /**
     * MPI_Comm_create_group: blocks. Called by those who will be in it.
     *
     * @param ranks of its processes, in their new order
     * @param tag not used by a call for other processes at the same time
     */
    MpiComm subset(int[] ranks, int tag) throws MpiException;

    /** MPI_Finalized: nothing may be called any more. */
    boolean isFinalized() throws MpiException;

    /** MPI_Comm_free. */
    void free() throws MpiException;
}
