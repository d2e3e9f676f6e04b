package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;
import org.restorej.bench.bytes.KnownBytes;
import org.restorej.bench.bytes.WrongBytesException;

/**
 * Messages that one PE sends, grouped by receiver in one segment, and how many it must receive of each. All messages of
 * a PE are equal, so that a receiver can check them without a header.
 */
final class SparseMessages implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final int rank;
    private final int messageBytes;
    private final int[] sentTo;
    private final int[] receivedFrom;
    private final MemorySegment segment;

    private SparseMessages(int rank, int messageBytes, int[] sentTo, int[] receivedFrom) {
        this.rank = rank;
        this.messageBytes = messageBytes;
        this.sentTo = sentTo;
        this.receivedFrom = receivedFrom;
        segment = arena.allocate(Math.max(1, (long) IntStream.of(sentTo).sum() * messageBytes), 64);
        for (long message = 0; message < IntStream.of(sentTo).sum(); message++) {
            KnownBytes.fill(segment.asSlice(message * messageBytes, messageBytes), rank, 0);
        }
    }

    /** Messages that each PE sends to all in turn, from the next one on. */
    static SparseMessages of(RankWorld ranks, int messages, int messageBytes) {
        int pes = ranks.size();
        int[] sentTo = new int[pes];
        int[] receivedFrom = new int[pes];
        for (int message = 0; message < messages; message++) {
            sentTo[(ranks.rank() + 1 + message) % pes]++;
            for (int peer = 0; peer < pes; peer++) {
                if ((peer + 1 + message) % pes == ranks.rank()) {
                    receivedFrom[peer]++;
                }
            }
        }
        return new SparseMessages(ranks.rank(), messageBytes, sentTo, receivedFrom);
    }

    int rank() {
        return rank;
    }

    int peCount() {
        return sentTo.length;
    }

    int messageBytes() {
        return messageBytes;
    }

    /** Messages for a PE. */
    int countFor(int peer) {
        return sentTo[peer];
    }

    /** Messages that this PE must receive, of all. */
    int expectedCount() {
        return IntStream.of(receivedFrom).sum();
    }

    /** All messages, those for the same PE one after another. */
    MemorySegment segment() {
        return segment;
    }

    long bytes() {
        return (long) IntStream.of(sentTo).sum() * messageBytes;
    }

    /** Checks what was received of one PE. */
    void requireFrom(int peer, MemorySegment received) {
        if (received.byteSize() != (long) receivedFrom[peer] * messageBytes) {
            throw new WrongBytesException("rank " + rank + " has received " + received.byteSize() + " bytes of rank "
                    + peer + " and not " + receivedFrom[peer] + " messages of " + messageBytes);
        }
        for (long message = 0; message < receivedFrom[peer]; message++) {
            KnownBytes.require(received.asSlice(message * messageBytes, messageBytes), peer, 0,
                    "message of rank " + peer);
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
