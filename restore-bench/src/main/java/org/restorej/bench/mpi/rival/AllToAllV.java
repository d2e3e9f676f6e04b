package org.restorej.bench.mpi.rival;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/** The same bytes between the same ranks by one {@code MPI_Alltoallv}, the counts known: at most 2 GiB a rank. */
public final class AllToAllV implements Exchange {
    private final Arena arena = Arena.ofShared();
    private final PlainMpi mpi;
    private final TouchedBuffers buffers;
    private final PlainMpi.PeerParts sent;
    private final PlainMpi.PeerParts received;
    private final long operationBytes;

    /** As {@link WireLimit#WireLimit}. Collective. */
    public AllToAllV(PlainMpi mpi, PeerBytes bytes, long sourceBytes, long operationBytes) {
        this.mpi = mpi;
        this.operationBytes = operationBytes;
        if (bytes.totalReceived() > Integer.MAX_VALUE || sourceBytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("MPI_Alltoallv can move at most 2 GiB - 1 a rank: received="
                    + bytes.totalReceived() + ", source=" + sourceBytes);
        }
        buffers = new TouchedBuffers(mpi.communicator(), bytes, sourceBytes);
        int pes = bytes.peCount();
        sent = new PlainMpi.PeerParts(buffers.source(), perPeer(pes, bytes::sentTo),
                perPeer(pes, buffers::sourceOffset));
        received = new PlainMpi.PeerParts(buffers.destination(), perPeer(pes, bytes::receivedFrom),
                perPeer(pes, buffers::destinationOffset));
    }

    private MemorySegment perPeer(int peCount, IntToLongFunction values) {
        return arena.allocateFrom(ValueLayout.JAVA_INT, IntStream.range(0, peCount)
                .map(peer -> Math.toIntExact(values.applyAsLong(peer))).toArray());
    }

    @Override
    public long bytes() {
        return operationBytes;
    }

    @Override
    public void clear() {
        buffers.clear();
    }

    @Override
    public void run() {
        mpi.allToAllV(sent, received);
    }

    @Override
    public void check() {
        buffers.check("MPI_Alltoallv");
    }

    @Override
    public void close() {
        buffers.close();
        arena.close();
    }
}
