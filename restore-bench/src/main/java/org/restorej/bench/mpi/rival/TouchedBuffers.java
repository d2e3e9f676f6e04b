package org.restorej.bench.mpi.rival;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.restorej.bench.bytes.KnownBytes;
import org.restorej.internal.mpi.MpiComm;

/**
 * The two big buffers between which plain MPI calls move bytes, both touched before anything is measured, and where in
 * them each peer's bytes lie. What is sent comes from all over a source that may be smaller than all that is sent, as
 * replicas come of one copy of the data.
 */
final class TouchedBuffers implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final PeerBytes bytes;
    private final int rank;
    private final MemorySegment source;
    private final MemorySegment destination;
    private final long[] sourceOffsets;
    private final long[] destinationOffsets;
    /** Where in the sender's source its bytes for this PE begin. */
    private final long[] theirOffsets;

    /**
     * Buffers for what goes between this PE and the others. Collective.
     *
     * @param sourceBytes of the source at least, as many as the operation reads that this is compared with
     */
    TouchedBuffers(MpiComm communicator, PeerBytes bytes, long sourceBytes) {
        this.bytes = bytes;
        rank = communicator.rank();
        int peCount = bytes.peCount();
        long longest = Math.max(sourceBytes, IntStream.range(0, peCount).mapToLong(bytes::sentTo).max().orElse(0));
        source = arena.allocate(Math.max(1, longest), 64);
        destination = arena.allocate(Math.max(1, bytes.totalReceived()), 64);
        sourceOffsets = staggered(peCount, bytes::sentTo, longest);
        destinationOffsets = packed(peCount, bytes::receivedFrom);
        theirOffsets = PeerBytes.transposed(communicator, sourceOffsets);
        KnownBytes.fill(source, rank, 0);
        clear();
    }

    private static long[] staggered(int peCount, IntToLongFunction lengths, long capacity) {
        long[] offsets = new long[peCount];
        long next = 0;
        for (int peer = 0; peer < peCount; peer++) {
            long length = lengths.applyAsLong(peer);
            if (next + length > capacity) {
                next = 0;
            }
            offsets[peer] = next;
            next += length;
        }
        return offsets;
    }

    private static long[] packed(int peCount, IntToLongFunction lengths) {
        long[] offsets = new long[peCount];
        for (int peer = 1; peer < peCount; peer++) {
            offsets[peer] = offsets[peer - 1] + lengths.applyAsLong(peer - 1);
        }
        return offsets;
    }

    int rank() {
        return rank;
    }

    MemorySegment source() {
        return source;
    }

    MemorySegment destination() {
        return destination;
    }

    long sourceOffset(int peer) {
        return sourceOffsets[peer];
    }

    long destinationOffset(int peer) {
        return destinationOffsets[peer];
    }

    MemorySegment toSend(int peer) {
        return source.asSlice(sourceOffsets[peer], bytes.sentTo(peer));
    }

    MemorySegment toReceive(int peer) {
        return destination.asSlice(destinationOffsets[peer], bytes.receivedFrom(peer));
    }

    void clear() {
        destination.fill((byte) 0xEE);
    }

    void check(String what) {
        for (int peer = 0; peer < theirOffsets.length; peer++) {
            KnownBytes.require(toReceive(peer), peer, theirOffsets[peer], what + " of rank " + peer);
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
