package org.restorej.internal.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRanges;
import org.restorej.internal.coding.Decoding;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.CodedLayout;

/**
 * Plans from which PEs this PE requests its blocks, batch by batch, so that plans have bounded memory. Servers are
 * computed, not negotiated: each holder of a piece serves a share ({@link ServerChoice}). If a piece has no holder and
 * blocks are coded, the cells to compute it from are read ({@link DecodingPlanner}). Not thread-safe.
 */
public final class ReadPlanner {
    /** A piece takes about 110 bytes in the plans of the requester, and as many at its server: 14 MiB a batch. */
    private static final int BATCH_PIECES = 1 << 17;

    /** The sources of lost blocks take memory beside the destination. The pool keeps it if it is small. */
    private static final long BATCH_DECODING_BYTES = 4 << 20;

    private final Peers peers;
    private final BlockRanges wanted;
    private final PieceCursor piece;
    private final ServerChoice choice;
    /** Null if blocks are not coded. */
    private final @Nullable DecodingPlanner decoding;
    private final int[] holders;
    private final int batchPieces;
    private final long batchDecodingSlots;
    private int nextRun;
    private final PieceTable.Builder lost = new PieceTable.Builder();
    /** The computations after the latest batch. */
    private List<Decoding> decodings = List.of();

    /**
     * Creates a planner.
     *
     * @param directory places of the replicas
     * @param wanted the blocks that this PE requests
     * @param typicalBlockBytes approximate size of a block, the same on every PE; decides which pieces to split
     */
    public ReadPlanner(BlockDirectory directory, Peers peers, BlockRanges wanted, long typicalBlockBytes) {
        this(directory, peers, wanted, typicalBlockBytes, BATCH_PIECES);
    }

    /** As above, with another number of pieces in a batch. */
    public ReadPlanner(BlockDirectory directory, Peers peers, BlockRanges wanted, long typicalBlockBytes,
            int batchPieces) {
        this.peers = peers;
        this.wanted = wanted;
        this.batchPieces = batchPieces;
        batchDecodingSlots = BATCH_DECODING_BYTES / typicalBlockBytes;
        piece = new PieceCursor(directory);
        holders = new int[directory.replication()];
        choice = new ServerChoice(peers.storeRank(), typicalBlockBytes, holders.length);
        CodedLayout layout = directory.layout();
        decoding = layout == null
                ? null
                : new DecodingPlanner(directory, layout, peers.storeRank(), wanted.blockCount(), true);
    }

    /** Whether there are wanted blocks that are not planned yet. */
    public boolean hasNext() {
        return piece.hasNext() || nextRun < wanted.runCount();
    }

    /** The next pieces by current rank of their servers, this PE included; none at the end. */
    public PieceTable next() {
        PieceTable.Builder batch = new PieceTable.Builder();
        long decodingEnd = decodingSlots() + batchDecodingSlots;
        while (batch.size() < batchPieces && decodingSlots() <= decodingEnd && nextPiece()) {
            if (!addShares(batch) && !addSources(batch)) {
                lost.add(0, piece.position(), piece.count(), piece.slot());
            }
        }
        decodings = decoding == null ? List.of() : decoding.take();
        return batch.build(peers.size());
    }

    private long decodingSlots() {
        return decoding == null ? 0 : decoding.endSlot();
    }

    private boolean nextPiece() {
        while (!piece.next()) {
            if (nextRun == wanted.runCount()) {
                return false;
            }
            piece.begin(wanted.runFirst(nextRun), wanted.runEnd(nextRun) - wanted.runFirst(nextRun),
                    wanted.blocksBefore(nextRun));
            nextRun++;
        }
        return true;
    }

    /** Requests the piece from its holders. Returns false if it has none. */
    private boolean addShares(PieceTable.Builder batch) {
        int shares = choice.choose(holders, piece.soundHolders(holders), piece.count());
        long position = piece.position();
        long slot = piece.slot();
        for (int share = 0; share < shares; share++) {
            long count = choice.count(share);
            batch.add(peers.currentRank(choice.server(share)), position, count, slot);
            position += count;
            slot += count;
        }
        return shares > 0;
    }

    /** Requests the data from which the piece is computed. Returns false if it can't be computed. */
    private boolean addSources(PieceTable.Builder batch) {
        if (decoding == null || !decoding.plan(piece.position(), piece.count(), piece.slot())) {
            return false;
        }
        for (int read = 0; read < decoding.reads(); read++) {
            batch.add(peers.currentRank(decoding.server(read)), decoding.position(read), decoding.count(read),
                    decoding.slot(read));
        }
        return true;
    }

    /** The computations after the latest batch was received. */
    public List<Decoding> decodings() {
        return decodings;
    }

    /**
     * The pieces planned so far that no survivor has, as one group, in ascending order of slots. Their places in the
     * destination stay unchanged.
     */
    public PieceTable lost() {
        return lost.build(1);
    }
}
