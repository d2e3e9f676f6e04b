package org.restorej.bench.mpi.rival;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;

/** How many bytes go between one PE and each other one, itself included. Immutable. */
public final class PeerBytes {
    private final long[] sent;
    private final long[] received;

    private PeerBytes(long[] sent, long[] received) {
        this.sent = sent.clone();
        this.received = received.clone();
    }

    /** Of an operation that writes replicas, when this PE knows what it sends. Collective. */
    public static PeerBytes intoReplicas(MpiComm communicator, long[] sent) {
        return new PeerBytes(sent, transposed(communicator, sent));
    }

    /** Of an operation that reads replicas, when this PE knows what it receives. Collective. */
    public static PeerBytes outOfReplicas(MpiComm communicator, long[] received) {
        return new PeerBytes(transposed(communicator, received), received);
    }

    /** Tells every PE its entry, and hears this PE's entry of all. Collective. */
    static long[] transposed(MpiComm communicator, long[] values) {
        int peCount = values.length;
        long[] theirs = new long[peCount];
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mine = arena.allocateFrom(ValueLayout.JAVA_LONG, values);
            MemorySegment all = arena.allocate(ValueLayout.JAVA_LONG, (long) peCount * peCount);
            communicator.allGather(mine, all);
            for (int peer = 0; peer < peCount; peer++) {
                theirs[peer] = all.getAtIndex(ValueLayout.JAVA_LONG, (long) peer * peCount + communicator.rank());
            }
        } catch (MpiException failure) {
            throw new MpiFailure("MPI_Allgather", failure);
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
