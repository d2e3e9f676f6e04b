package org.restorej.internal.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRanges;
import org.restorej.internal.coding.Decoding;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.placement.ReplicaMap;

/**
 * Plans who serves what a PE wants: whom this PE asks, batch by batch, so that no plan grows with the wish, or, where
 * every PE knows what all of them want, also what this PE sends without being asked. Who serves is computed, not
 * negotiated: {@link ServerChoice}. One thread.
 */
public final class ReadPlanner {
    /** A piece takes some 110 bytes in the plans of who asks for it, and as many where it is served: 14 MiB a batch. */
    private static final int BATCH_PIECES = 1 << 17;

    /** What lost blocks are computed from takes memory beside the destination, which the pool keeps if it is little. */
    private static final long BATCH_DECODING_BYTES = 4 << 20;

    private final BlockDirectory directory;
    private final Peers peers;
    private final BlockRanges wanted;
    private final long typicalBlockBytes;
    private final Pass pass;
    private final int batchPieces;
    private final PieceCursor pieces;
    private final PieceCursor piecesOfOthers;
    private final ServerChoice choice;
    private final @Nullable DecodingPlanner decoding;
    private final int[] holders;
    private final PieceTable.Builder lost = new PieceTable.Builder();
    /** Store ranks and wishes of all PEs by current rank, where every PE knows them. */
    private int[] storeRanks = {};
    private BlockRanges[] wishes = {};
    private int nextRun;
    /** The piece to be planned next, if there is one: its shares, and which of them. */
    private boolean hasPiece;
    private int shares;
    private int share;
    private long position;
    private long slot;
    /** What the piece is computed from, which its shares are then; null where it is read itself. */
    private @Nullable DecodingPlanner computed;
    /** What is to be computed from the latest batch. */
    private List<Decoding> decodings = List.of();

    /**
     * A planner.
     *
     * @param directory where the replicas are
     * @param wanted what this PE wants
     * @param typicalBlockBytes about the size of a block, the same on every PE: decides which pieces are worth cutting
     * @param pass whether it reads sizes of blocks
     */
    public ReadPlanner(BlockDirectory directory, Peers peers, BlockRanges wanted, long typicalBlockBytes, Pass pass) {
        this(directory, peers, wanted, typicalBlockBytes, pass, BATCH_PIECES);
    }

    /** As above, with another number of pieces that are asked for at a time. */
    public ReadPlanner(BlockDirectory directory, Peers peers, BlockRanges wanted, long typicalBlockBytes, Pass pass,
            int batchPieces) {
        this(directory, peers, wanted, typicalBlockBytes, pass, batchPieces, peers.storeRank());
    }

    /** Of what the PE with a store rank, or -1, wants. */
    private ReadPlanner(BlockDirectory directory, Peers peers, BlockRanges wanted, long typicalBlockBytes, Pass pass,
            int batchPieces, int requester) {
        this.directory = directory;
        this.peers = peers;
        this.wanted = wanted;
        this.typicalBlockBytes = typicalBlockBytes;
        this.pass = pass;
        this.batchPieces = batchPieces;
        pieces = new PieceCursor(directory);
        piecesOfOthers = new PieceCursor(directory);
        holders = new int[directory.replication()];
        choice = new ServerChoice(requester, typicalBlockBytes, holders.length);
        CodedLayout layout = directory.layout();
        decoding = layout == null
                ? null
                : new DecodingPlanner(directory, layout, requester, wanted.blockCount(), true, pass);
        advance();
    }

    /**
     * A planner for PEs that know what all of them want. All that this PE wants is one batch; every PE takes time
     * linear in what all of them want.
     *
     * @param directory where the replicas are
     * @param storeRanks store rank of each PE, or -1, by current rank
     * @param wishes what each PE wants, by current rank; the same on every PE
     * @param typicalBlockBytes about the size of a block, the same on every PE: decides which pieces are worth cutting
     * @param pass whether it reads sizes of blocks
     */
    public static ReadPlanner ofAll(BlockDirectory directory, Peers peers, int[] storeRanks, BlockRanges[] wishes,
            long typicalBlockBytes, Pass pass) {
        ReadPlanner planner = new ReadPlanner(directory, peers, wishes[peers.rank()], typicalBlockBytes, pass,
                Integer.MAX_VALUE);
        planner.storeRanks = storeRanks;
        planner.wishes = wishes;
        return planner;
    }

    public boolean hasNext() {
        return hasPiece;
    }

    /** The next pieces by current rank of their servers, this PE included; none when nothing is left. */
    public PieceTable next() {
        PieceTable.Builder batch = new PieceTable.Builder();
        long decodingEnd = decoding == null || batchPieces == Integer.MAX_VALUE
                ? Long.MAX_VALUE
                : decoding.endSlot() + BATCH_DECODING_BYTES / typicalBlockBytes;
        // All that a piece is computed from is in one batch.
        while (hasPiece && ((computed != null && share > 0)
                || (batch.size() < batchPieces && (decoding == null || decoding.endSlot() <= decodingEnd)))) {
            if (shares == 0) {
                lost.add(0, position, count(), slot);
            } else {
                batch.add(peers.currentRank(server()), position(), count(), slot());
            }
            advance();
        }
        decodings = decoding == null ? List.of() : decoding.take(hasPiece && computed != null);
        return batch.build(peers.size());
    }

    /** What is to be computed from the latest batch when it has come. */
    public List<Decoding> decodings() {
        return decodings;
    }

    /**
     * The pieces planned so far that nobody alive has, as one group, in ascending order of slots; their places in the
     * destination stay as they were.
     */
    public PieceTable lost() {
        return lost.build(1);
    }

    /** What this PE sends to another one, as one group at most; only of a planner of all wishes. */
    public PieceTable outgoing(int peer) {
        if (!hasAnyOf(wishes[peer])) {
            return PieceTable.EMPTY;
        }
        PieceTable.Builder served = new PieceTable.Builder();
        ReadPlanner theirs = new ReadPlanner(directory, peers, wishes[peer], typicalBlockBytes, pass, 0,
                storeRanks[peer]);
        while (theirs.hasPiece) {
            if (theirs.shares > 0 && theirs.server() == peers.storeRank()) {
                served.add(peer, theirs.position(), theirs.count(), theirs.slot());
            }
            theirs.advance();
        }
        return served.build(peers.size());
    }

    /** Whether this PE is a holder of anything wanted: of most wishes it is not, and nothing is allocated for these. */
    private boolean hasAnyOf(BlockRanges wish) {
        for (int run = 0; run < wish.runCount(); run++) {
            piecesOfOthers.begin(wish.runFirst(run), wish.runEnd(run) - wish.runFirst(run), 0);
            while (piecesOfOthers.next()) {
                if (directory.layout() != null
                        || ReplicaMap.isAmong(peers.storeRank(), holders, piecesOfOthers.soundHolders(holders))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Goes on to the next share of a piece, or the next piece, if there is one. */
    private void advance() {
        if (share + 1 < shares) {
            if (computed == null) {
                position += choice.count(share);
                slot += choice.count(share);
            }
            share++;
            return;
        }
        do {
            while (!pieces.next()) {
                if (nextRun == wanted.runCount()) {
                    hasPiece = false;
                    return;
                }
                pieces.begin(wanted.runFirst(nextRun), wanted.runEnd(nextRun) - wanted.runFirst(nextRun),
                        wanted.blocksBefore(nextRun));
                nextRun++;
            }
            planPiece();
            // What it is computed from may be read already.
        } while (computed != null && shares == 0);
        hasPiece = true;
    }

    private void planPiece() {
        share = 0;
        position = pieces.position();
        slot = pieces.slot();
        shares = choice.choose(holders, pieces.soundHolders(holders), pieces.count());
        computed = null;
        if (shares == 0 && decoding != null && decoding.plan(position, pieces.count(), slot)) {
            computed = decoding;
            shares = decoding.reads();
        }
    }

    private int server() {
        return computed != null ? computed.server(share) : choice.server(share);
    }

    private long position() {
        return computed != null ? computed.position(share) : position;
    }

    private long slot() {
        return computed != null ? computed.slot(share) : slot;
    }

    private long count() {
        if (computed != null) {
            return computed.count(share);
        }
        return shares == 0 ? pieces.count() : choice.count(share);
    }
}
