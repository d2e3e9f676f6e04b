package org.restorej.bench.mpi.rival;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** How many bytes go between one PE and each other one, itself included. Immutable. */
public final class PeerBytes {
    private final long[] sent;
    private final long[] received;

    private PeerBytes(long[] sent, long[] received) {
        this.sent = sent.clone();
        this.received = received.clone();
    }

    /** When this PE knows what it sends. Collective. */
    public static PeerBytes ofSent(Intracomm intracomm, long[] sent) {
        return new PeerBytes(sent, transposed(intracomm, sent));
    }

    /** When this PE knows what it receives. Collective. */
    public static PeerBytes ofReceived(Intracomm intracomm, long[] received) {
        return new PeerBytes(transposed(intracomm, received), received);
    }

    /** Tells every PE its entry, and hears this PE's entry of all. Collective. */
    static long[] transposed(Intracomm intracomm, long[] values) {
        long[] theirs = new long[values.length];
        try {
            intracomm.allToAll(values.clone(), 1, MPI.LONG, theirs, 1, MPI.LONG);
        } catch (MPIException failure) {
            throw new MpiFailure("MPI_Alltoall", failure);
        }
        return theirs;
    }

    /** Number of PEs. */
    public int peCount() {
        return sent.length;
    }

    /** Bytes that this PE sends to another, or to itself. */
    public long sentTo(int rank) {
        return sent[rank];
    }

    /** Bytes that this PE receives of another, or of itself. */
    public long receivedFrom(int rank) {
        return received[rank];
    }

    /** Bytes that this PE receives of all. */
    public long totalReceived() {
        return Arrays.stream(received).sum();
    }
}
