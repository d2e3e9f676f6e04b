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
 * Who serves is computed, not negotiated: a PE serves itself when it can; otherwise {@link ServerChoice} spreads its
 * wishes evenly over the alive holders. A requester posts its receives and sends each server one message with the positions it wants; a server answers from replica memory
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
    private long servedBytes;
    private final PieceTable.Builder lostPieces = new PieceTable.Builder();

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

    /** Bytes that this PE sent to others. */
    public long servedBytes() {
        return servedBytes;
    }

    /** Number of wanted pieces that nobody alive holds; their places in the destination are as they were. */
    public int lostPieceCount() {
        return lostPieces.size();
    }

    /** Takes wanted pieces that nobody alive holds. */
    @FunctionalInterface
    public interface LostPieceConsumer {
        /**
         * Takes one piece.
         *
         * @param position first position
         * @param count number of blocks
         * @param slot place of the first block among the wanted ones
         */
        void accept(long position, long count, long slot);
    }

    /** The wanted pieces that nobody alive holds, in ascending order of slots. */
    public void forEachLostPiece(LostPieceConsumer consumer) {
        PieceTable pieces = lostPieces.build(1);
        for (int piece = 0; piece < lostPieces.size(); piece++) {
            consumer.accept(pieces.position(piece), pieces.count(piece), pieces.slot(piece));
        }
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
     * @param peers original rank of each PE, or -1, by current rank
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
                        served.add(0, position, count, slot);
                    }
                });
                if (served.size() > 0) {
                    serve(peer, served.build(1));
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
                lostPieces.add(0, position, count, slot);
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
        ByteRuns runs = pieces.runs(0, blockSizeBytes, this::inMemory);
        servedBytes += runs.totalBytes();
        channel.transfers().send(requester, runs);
    }

    private MemorySegment inMemory(PieceTable table, int piece) {
        return memory.at(table.position(piece), table.count(piece));
    }

    private void forEachServedPiece(BlockRanges wanted, int requester, ServerChoice.ServedPieceConsumer consumer) {
        ServerChoice choice = new ServerChoice(requester, blockSizeBytes, consumer);
        for (int run = 0; run < wanted.runCount(); run++) {
            PieceSplitter.split(permutation, residency, wanted.runFirst(run),
                    wanted.runEnd(run) - wanted.runFirst(run), wanted.blocksBefore(run),
                    (range, part, position, count, slot) -> choice.accept(holders,
                            residency.holders(range, part, holders), position, count, slot));
        }
    }
}
