package org.restorej.bench.mpi.rival;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** How many bytes go between one PE and each other one, itself included, and at which end replicas are. Immutable. */
public final class PeerBytes {
    private final long[] sent;
    private final long[] received;
    private final boolean outOfReplicas;

    private PeerBytes(long[] sent, long[] received, boolean outOfReplicas) {
        this.sent = sent.clone();
        this.received = received.clone();
        this.outOfReplicas = outOfReplicas;
    }

    /** Of an operation that writes replicas, when this PE knows what it sends. Collective. */
    public static PeerBytes intoReplicas(Intracomm intracomm, long[] sent) {
        return new PeerBytes(sent, transposed(intracomm, sent), false);
    }

    /** Of an operation that reads replicas, when this PE knows what it receives. Collective. */
    public static PeerBytes outOfReplicas(Intracomm intracomm, long[] received) {
        return new PeerBytes(transposed(intracomm, received), received, true);
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

    /** Whether they come out of replicas; otherwise they go into replicas. */
    boolean areOutOfReplicas() {
        return outOfReplicas;
    }

    /** Bytes that this PE receives of all. */
    public long totalReceived() {
        return Arrays.stream(received).sum();
    }
}
