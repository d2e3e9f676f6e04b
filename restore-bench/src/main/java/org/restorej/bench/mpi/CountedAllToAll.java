package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.bench.mpi.rival.MpiFailure;

/** What a sparse all-to-all is without NBX: everybody tells everybody how much comes, then all of it is sent at once. */
final class CountedAllToAll implements Exchange {
    private final Arena arena = Arena.ofShared();
    private final Intracomm intracomm;
    private final SparseMessages sent;
    private final ByteBuffer source;
    private final MemorySegment destination;
    private final ByteBuffer destinationBuffer;
    private final int[] sentBytes;
    private final int[] sentFrom;
    private final int[] receivedBytes;
    private final int[] receivedAt;

    CountedAllToAll(RankWorld ranks, SparseMessages sent) {
        intracomm = ranks.intracomm();
        this.sent = sent;
        int pes = sent.peCount();
        source = sent.segment().asByteBuffer();
        destination = arena.allocate(Math.max(1, (long) sent.expectedCount() * sent.messageBytes()), 64);
        destinationBuffer = destination.asByteBuffer();
        sentBytes = new int[pes];
        sentFrom = new int[pes];
        receivedBytes = new int[pes];
        receivedAt = new int[pes];
        for (int peer = 0; peer < pes; peer++) {
            sentBytes[peer] = sent.countFor(peer) * sent.messageBytes();
        }
        displace(sentBytes, sentFrom);
    }

    private static void displace(int[] lengths, int[] offsets) {
        for (int peer = 1; peer < lengths.length; peer++) {
            offsets[peer] = offsets[peer - 1] + lengths[peer - 1];
        }
    }

    @Override
    public long bytes() {
        return sent.bytes();
    }

    @Override
    public void clear() {
        destination.fill((byte) 0xEE);
    }

    @Override
    public void run() {
        try {
            intracomm.allToAll(sentBytes, 1, MPI.INT, receivedBytes, 1, MPI.INT);
            displace(receivedBytes, receivedAt);
            intracomm.allToAllv(source, sentBytes, sentFrom, MPI.BYTE, destinationBuffer, receivedBytes, receivedAt,
                    MPI.BYTE);
        } catch (MPIException failure) {
            throw new MpiFailure("MPI_Alltoall and MPI_Alltoallv", failure);
        }
    }

    @Override
    public void check() {
        for (int peer = 0; peer < receivedBytes.length; peer++) {
            sent.requireFrom(peer, destination.asSlice(receivedAt[peer], receivedBytes[peer]));
        }
    }

    @Override
    public void close() {
        sent.close();
        arena.close();
    }
}
