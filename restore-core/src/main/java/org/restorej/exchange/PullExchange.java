package org.restorej.exchange;

import java.lang.foreign.MemorySegment;
import org.restorej.block.BlockRanges;
import org.restorej.placement.RangePermutation;
import org.restorej.placement.Residency;
import org.restorej.storage.ReplicaMemory;

/**
 * Brings blocks from the replica memories of their holders to those who want them.
 *
 * <p>
 * Who serves is computed, not negotiated: a PE serves itself when it can; otherwise each of the m alive holders of a
 * part serves its m-th of the part's positions, so that the load is even whoever asks for which share. A requester posts
 * its receives and sends each server one message with the positions it wants; a server answers from replica memory
 * while it is still waiting for others. One round; for n wanted bytes a PE receives n bytes.
 */
public final class PullExchange {
    private final Channel channel;
    private final RangePermutation permutation;
    private final Residency residency;
    private final ReplicaMemory memory;
    private final long blockSizeBytes;
    private final int originalRank;
    private final int[] holders;
    private long receivedBytes;
    private long lostBlocks;

    /**
     * An exchange.
     *
     * @param residency where the replicas are
     * @param memory this PE's part of them
     * @param originalRank this PE
     */
    public PullExchange(Channel channel, RangePermutation permutation, Residency residency, ReplicaMemory memory,
            long blockSizeBytes, int originalRank) {
        this.channel = channel;
        this.permutation = permutation;
        this.residency = residency;
        this.memory = memory;
        this.blockSizeBytes = blockSizeBytes;
        this.originalRank = originalRank;
        holders = new int[residency.placement().replication()];
    }

    /** Bytes that this PE received from others. */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** Number of wanted blocks that nobody alive holds; their places in the destination are as they were. */
    public long lostBlocks() {
        return lostBlocks;
    }

    /**
     * Fetches blocks by asking for them. Called by all PEs; one that wants nothing still serves.
     *
     * @param wanted what this PE wants
     * @param destination off-heap; filled with the blocks in ascending order of their ids
     */
    public void pull(BlockRanges wanted, MemorySegment destination) {
        channel.beginTransfers();
        PieceTable pieces = receiveWanted(wanted, destination);
        channel.announceAndTransfer(pieces, (requester, message) -> serve(requester,
                PieceTable.decode(requester, message)));
    }

    /**
     * Brings blocks to those who want them without requests, since every PE knows what everyone wants. Called by all
     * PEs. Computing takes every PE time linear in the wishes of all.
     *
     * @param peers original rank of each PE, by current rank
     * @param wanted what each PE wants, by current rank; the same on every PE
     * @param destination off-heap; filled with the blocks that this PE wants in ascending order of their ids
     */
    public void push(int[] peers, BlockRanges[] wanted, MemorySegment destination) {
        channel.beginTransfers();
        receiveWanted(wanted[channel.rank()], destination);
        for (int peer = 0; peer < peers.length; peer++) {
            if (peer != channel.rank()) {
                PieceTable.Builder served = new PieceTable.Builder();
                forEachServedPiece(wanted[peer], peers[peer], (server, position, count, slot) -> {
                    if (server == originalRank) {
                        served.add(channel.rank(), position, count, slot);
                    }
                });
                if (served.size() > 0) {
                    serve(peer, served.build(channel.size()));
                }
            }
        }
        channel.transfer();
    }

    /** Copies what this PE holds itself, and gets ready to receive the rest: the pieces by current rank of server. */
    private PieceTable receiveWanted(BlockRanges wanted, MemorySegment destination) {
        PieceTable.Builder builder = new PieceTable.Builder();
        forEachServedPiece(wanted, originalRank, (server, position, count, slot) -> {
            if (server < 0) {
                lostBlocks += count;
            } else {
                builder.add(channel.currentRankOf(server), position, count, slot);
            }
        });
        PieceTable pieces = builder.build(channel.size());
        for (int group = 0; group < pieces.peerCount(); group++) {
            ByteRuns target = pieces.runs(group, blockSizeBytes, (table, piece) -> destination
                    .asSlice(table.slot(piece) * blockSizeBytes, table.count(piece) * blockSizeBytes));
            if (pieces.peer(group) == channel.rank()) {
                for (int run = 0; run < target.count(); run++) {
                    target.segment(run).copyFrom(inMemory(pieces, pieces.start(group) + run));
                }
            } else {
                channel.transfers().receive(pieces.peer(group), target);
                receivedBytes += target.totalBytes();
            }
        }
        return pieces;
    }

    /** Sends the pieces of a table of one group. */
    private void serve(int requester, PieceTable pieces) {
        channel.transfers().send(requester, pieces.runs(0, blockSizeBytes, this::inMemory));
    }

    private MemorySegment inMemory(PieceTable table, int piece) {
        return memory.at(table.position(piece), table.count(piece));
    }

    /** Takes pieces and who serves them. */
    @FunctionalInterface
    private interface ServedPieceConsumer {
        /** Takes one piece; the server is an original rank, or -1 when nobody alive holds the piece. */
        void accept(int server, long position, long count, long slot);
    }

    private void forEachServedPiece(BlockRanges wanted, int requester, ServedPieceConsumer consumer) {
        for (int run = 0; run < wanted.runCount(); run++) {
            PieceSplitter.split(permutation, residency, wanted.runFirst(run),
                    wanted.runEnd(run) - wanted.runFirst(run), wanted.blocksBefore(run),
                    (range, part, position, count, slot) -> {
                        int holderCount = residency.holders(range, part, holders);
                        if (holderCount == 0) {
                            consumer.accept(-1, position, count, slot);
                        } else if (contains(holderCount, requester)) {
                            consumer.accept(requester, position, count, slot);
                        } else {
                            share(range, part, holderCount, position, count, slot, consumer);
                        }
                    });
        }
    }

    private boolean contains(int holderCount, int originalRank) {
        for (int i = 0; i < holderCount; i++) {
            if (holders[i] == originalRank) {
                return true;
            }
        }
        return false;
    }

    /** Cuts a piece where the shares of the part's holders meet. */
    private void share(int range, int part, int holderCount, long position, long count, long slot,
            ServedPieceConsumer consumer) {
        long first = residency.firstPosition(range, part);
        long blocks = residency.firstPosition(range, part + 1) - first;
        long done = 0;
        for (int i = 0; i < holderCount && done < count; i++) {
            long shareEnd = first + blocks / holderCount * (i + 1) + blocks % holderCount * (i + 1) / holderCount;
            long served = Math.min(count - done, shareEnd - (position + done));
            if (served > 0) {
                consumer.accept(holders[i], position + done, served, slot + done);
                done += served;
            }
        }
    }
}
