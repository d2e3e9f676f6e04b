package org.restorej.bench.model;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Messages between PEs and their bytes, counted for each PE as they are sent and received. One thread. */
final class Traffic {
    private final long[] sentMessages;
    private final long[] sentBytes;
    private final long[] receivedMessages;
    private final long[] receivedBytes;

    Traffic(int pes) {
        sentMessages = new long[pes];
        sentBytes = new long[pes];
        receivedMessages = new long[pes];
        receivedBytes = new long[pes];
    }

    /** Counts messages of this many bytes together. */
    void add(int sender, int receiver, long messages, long bytes) {
        sentMessages[sender] += messages;
        sentBytes[sender] += bytes;
        receivedMessages[receiver] += messages;
        receivedBytes[receiver] += bytes;
    }

    /** Messages that a PE sends. */
    long sentMessages(int rank) {
        return sentMessages[rank];
    }

    /** Bytes that a PE sends. */
    long sentBytes(int rank) {
        return sentBytes[rank];
    }

    /** Messages of the PE that has most to send and to receive together. */
    long mostMessages() {
        return IntStream.range(0, sentMessages.length).mapToLong(rank -> sentMessages[rank] + receivedMessages[rank])
                .max().orElse(0);
    }

    /** The most bytes that any PE sends, or receives: both may be under way at the same time. */
    long mostBytes() {
        return Math.max(Arrays.stream(sentBytes).max().orElse(0), Arrays.stream(receivedBytes).max().orElse(0));
    }
}
