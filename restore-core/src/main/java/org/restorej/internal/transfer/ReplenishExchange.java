package org.restorej.internal.transfer;

import java.util.Arrays;
import org.restorej.internal.placement.FailedRanks;
import org.restorej.internal.placement.Placement;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.storage.ReplicaMemory;

/**
 * Copies lost replicas to their new holders, sound ones over damaged ones, and nothing else.
 *
 * <p>
 * Both where replicas are and where they are to be are computed, so every PE knows without a message what it has to
 * send and to receive. Of the holders alive of a part, its new holders are served in turn. Bytes sent in all: the
 * length of the lost replicas, and of their checksums. Every PE looks at every part that a failure has touched: {@code
 * O(K * f * g)} for f failures and g slices, times the cost of finding its holders on the ring.
 */
public final class ReplenishExchange {
    private final Channel channel;
    private final BlockDirectory before;
    private final ReplicaMap after;
    private final PieceTable incoming;
    private final PieceTable outgoing;
    private long receivedBytes;

    /**
     * An exchange.
     *
     * @param before where the replicas are
     * @param after where they are to be
     * @param originalRank this PE, or -1
     */
    public ReplenishExchange(Channel channel, BlockDirectory before, ReplicaMap after, int originalRank) {
        this.channel = channel;
        this.before = before;
        this.after = after;
        PieceTable.Builder received = new PieceTable.Builder();
        PieceTable.Builder sent = new PieceTable.Builder();
        CopyConsumer copies = (from, to, position, count) -> {
            if (from == originalRank) {
                sent.add(channel.currentRankOf(to), position, count, 0);
            } else if (to == originalRank) {
                received.add(channel.currentRankOf(from), position, count, 0);
            }
        };
        forEachCopy(copies);
        forEachRepair(copies);
        incoming = received.build(channel.size());
        outgoing = sent.build(channel.size());
    }

    /** Bytes of blocks that the last run brought to this PE, without checksums. */
    public long receivedBytes() {
        return receivedBytes;
    }

    /**
     * Copies. Called by all PEs.
     *
     * @param source this PE's part of what is there
     * @param target the same memory, with room for what comes
     * @param checksums whether both have checksums
     */
    public void run(CheckedMemory source, ReplicaMemory target, boolean checksums) {
        channel.beginTransfers();
        receivedBytes = 0;
        for (int group = 0; group < incoming.peerCount(); group++) {
            ByteRuns blocks = incoming.runs(group, PieceTable.PieceMemory.blocks(target));
            receivedBytes += blocks.totalBytes();
            channel.transfers().receive(incoming.peer(group),
                    withChecksums(incoming, group, target, checksums, blocks));
        }
        for (int group = 0; group < outgoing.peerCount(); group++) {
            channel.transfers().send(outgoing.peer(group),
                    withChecksums(outgoing, group, target, checksums, source.checkedRuns(outgoing, group)));
        }
        channel.transfer();
    }

    private static ByteRuns withChecksums(PieceTable pieces, int group, ReplicaMemory memory, boolean checksums,
            ByteRuns blocks) {
        return checksums
                ? ByteRuns.concat(blocks, pieces.runs(group, PieceTable.PieceMemory.checksums(memory)))
                : blocks;
    }

    /** Takes one copy of a part from one store rank to another. */
    @FunctionalInterface
    private interface CopyConsumer {
        void accept(int from, int to, long position, long count);
    }

    private void forEachCopy(CopyConsumer consumer) {
        ReplicaMap residency = before.residency();
        if (after == residency) {
            return;
        }
        FailedRanks touched = residency.everFailed().union(after.everFailed());
        residency.rangesOf(touched).forEach((int range) -> {
            ReplicaMap finer = residency.isSliced(range) ? residency : after;
            for (int part = 0; part < finer.parts(range); part++) {
                long first = finer.firstPosition(range, part);
                long end = finer.firstPosition(range, part + 1);
                while (first < end) {
                    long soundEnd = Math.min(end, before.end(range, residency.partOf(range, first), first));
                    copyPart(range, first, soundEnd - first, consumer);
                    first = soundEnd;
                }
            }
        });
    }

    private void copyPart(int range, long first, long count, CopyConsumer consumer) {
        Placement placement = after.placement();
        int[] placed = new int[placement.replication()];
        int[] have = new int[placement.replication()];
        int[] want = new int[placement.replication()];
        int part = before.residency().partOf(range, first);
        int placedCount = before.residency().holders(range, part, placed);
        int haveCount = before.holders(range, part, first, have);
        int wantCount = after.holders(range, after.partOf(range, first), want);
        int copies = 0;
        for (int i = 0; i < wantCount && haveCount > 0; i++) {
            // A holder whose replica is damaged has memory for it already: that is a repair.
            if (!contains(placed, placedCount, want[i])) {
                // Parts of a range are served by its holders in turn, and so are the copies of a part.
                long turn = after.ring().sliceOf(range, first) + (long) copies++;
                consumer.accept(have[(int) (turn % haveCount)], want[i], first, count);
            }
        }
    }

    private void forEachRepair(CopyConsumer consumer) {
        int[] placed = new int[before.replication()];
        int[] sound = new int[before.replication()];
        before.damaged().forEach((chunkFirst, damagedRank) -> {
            ReplicaMap residency = before.residency();
            int range = residency.placement().rangeOf(chunkFirst);
            int placedCount = residency.holders(range, residency.partOf(range, chunkFirst), placed);
            int soundCount = before.holders(chunkFirst, sound);
            if (soundCount > 0 && contains(placed, placedCount, damagedRank)) {
                long count = before.grid().chunkEnd(chunkFirst) - chunkFirst;
                consumer.accept(sound[Math.floorMod(chunkFirst, soundCount)], damagedRank, chunkFirst, count);
            }
        });
    }

    private static boolean contains(int[] ranks, int count, int rank) {
        return Arrays.stream(ranks, 0, count).anyMatch(each -> each == rank);
    }
}
