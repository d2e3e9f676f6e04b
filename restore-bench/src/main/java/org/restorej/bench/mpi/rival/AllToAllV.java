package org.restorej.bench.mpi.rival;

import java.nio.ByteBuffer;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** The same bytes between the same ranks by one {@code MPI_Alltoallv}, the counts known: at most 2 GiB a rank. */
public final class AllToAllV implements Exchange {
    private final Intracomm intracomm;
    private final TouchedBuffers buffers;
    private final ByteBuffer source;
    private final ByteBuffer destination;
    private final int[] sent;
    private final int[] received;
    private final int[] sentFrom;
    private final int[] receivedAt;
    private final long operationBytes;

    /** As {@link WireLimit#WireLimit}. Collective. */
    public AllToAllV(Intracomm intracomm, int rank, PeerBytes bytes, long sourceBytes, long operationBytes) {
        this.intracomm = intracomm;
        this.operationBytes = operationBytes;
        if (bytes.totalReceived() > Integer.MAX_VALUE || sourceBytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("MPI_Alltoallv can move at most 2 GiB - 1 a rank: received="
                    + bytes.totalReceived() + ", source=" + sourceBytes);
        }
        buffers = new TouchedBuffers(intracomm, rank, bytes, sourceBytes);
        source = buffers.source().asByteBuffer();
        destination = buffers.destination().asByteBuffer();
        sent = perPeer(bytes.peCount(), bytes::sentTo);
        received = perPeer(bytes.peCount(), bytes::receivedFrom);
        sentFrom = perPeer(bytes.peCount(), buffers::sourceOffset);
        receivedAt = perPeer(bytes.peCount(), buffers::destinationOffset);
    }

    private static int[] perPeer(int peCount, IntToLongFunction values) {
        return IntStream.range(0, peCount).map(peer -> Math.toIntExact(values.applyAsLong(peer))).toArray();
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
        try {
            intracomm.allToAllv(source, sent, sentFrom, MPI.BYTE, destination, received, receivedAt, MPI.BYTE);
        } catch (MPIException failure) {
            throw new MpiFailure("MPI_Alltoallv", failure);
        }
    }

    @Override
    public void check() {
        buffers.check("MPI_Alltoallv");
    }

    @Override
    public void close() {
        buffers.close();
    }
}
