package org.restorej.exchange;

import java.lang.foreign.MemorySegment;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;
import org.restorej.placement.Residency;
import org.restorej.storage.ReplicaMemory;

/**
 * Copies lost replicas to their new holders, and nothing else.
 *
 * <p>
 * Both where replicas are and where they are to be are computed, so every PE knows without a message what it has to send
 * and to receive. Of the holders alive of a part, its new holders are served in turn. Bytes sent in all: the block size
 * times the number of lost replicas' blocks. Every PE looks at every part that a failure has touched:
 * {@code O(K * f * g)} for f failures and g slices, times the cost of finding its holders on the ring.
 */
public final class ReplenishExchange {
    private final Channel channel;
    private final Residency before;
    private final Residency after;
    private final ReplicaMemory memory;
    private final long blockSizeBytes;
    private final int originalRank;
    private long receivedBytes;

    /**
     * An exchange.
     *
     * @param before where the replicas are
     * @param after where they are to be
     * @param memory this PE's part of both
     * @param originalRank this PE, or -1
     */
    public ReplenishExchange(Channel channel, Residency before, Residency after, ReplicaMemory memory,
            long blockSizeBytes, int originalRank) {
        this.channel = channel;
        this.before = before;
        this.after = after;
        this.memory = memory;
        this.blockSizeBytes = blockSizeBytes;
        this.originalRank = originalRank;
    }

    /** Bytes that this PE received from others. */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** Copies. Called by all PEs. */
    public void run() {
        PieceTable.Builder incoming = new PieceTable.Builder();
        PieceTable.Builder outgoing = new PieceTable.Builder();
        forEachCopy((from, to, position, count) -> {
            if (from == originalRank) {
                outgoing.add(channel.currentRankOf(to), position, count, 0);
            } else if (to == originalRank) {
                incoming.add(channel.currentRankOf(from), position, count, 0);
            }
        });
        channel.beginTransfers();
        PieceTable received = incoming.build(channel.size());
        for (int group = 0; group < received.peerCount(); group++) {
            ByteRuns runs = received.runs(group, blockSizeBytes, this::inMemory);
            receivedBytes += runs.totalBytes();
            channel.transfers().receive(received.peer(group), runs);
        }
        PieceTable sent = outgoing.build(channel.size());
        for (int group = 0; group < sent.peerCount(); group++) {
            channel.transfers().send(sent.peer(group), sent.runs(group, blockSizeBytes, this::inMemory));
        }
        channel.transfer();
    }

    private MemorySegment inMemory(PieceTable table, int piece) {
        return memory.at(table.position(piece), table.count(piece));
    }

    /** Takes one copy of a part from one original rank to another. */
    @FunctionalInterface
    private interface CopyConsumer {
        void accept(int from, int to, long position, long count);
    }

    private void forEachCopy(CopyConsumer consumer) {
        FailedRanks touched = before.everFailed().union(after.everFailed());
        before.rangesOf(touched).forEach((int range) -> {
            Residency finer = before.isSliced(range) ? before : after;
            for (int part = 0; part < finer.parts(range); part++) {
                long first = finer.firstPosition(range, part);
                long end = finer.firstPosition(range, part + 1);
                if (first < end) {
                    copyPart(range, first, end - first, consumer);
                }
            }
        });
    }

    private void copyPart(int range, long first, long count, CopyConsumer consumer) {
        Placement placement = before.placement();
        int[] have = new int[placement.replication()];
        int[] want = new int[placement.replication()];
        int haveCount = before.holders(range, before.partOf(range, first), have);
        int wantCount = after.holders(range, after.partOf(range, first), want);
        int copies = 0;
        for (int i = 0; i < wantCount && haveCount > 0; i++) {
            if (!contains(have, haveCount, want[i])) {
                // Parts of a range are served by its holders in turn, and so are the copies of a part.
                long turn = before.ring().sliceOf(range, first) + (long) copies++;
                consumer.accept(have[(int) (turn % haveCount)], want[i], first, count);
            }
        }
    }

    private static boolean contains(int[] ranks, int count, int rank) {
        for (int i = 0; i < count; i++) {
            if (ranks[i] == rank) {
                return true;
            }
        }
        return false;
    }
}
