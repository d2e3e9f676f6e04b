package org.restorej.internal.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRanges;
import org.restorej.internal.coding.Decoding;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.CodedLayout;

/**
 * Plans whom this PE asks for what it wants, batch by batch, so that no plan grows with the wish. Who serves is computed,
 * not negotiated: a piece is read from its holders, each of which serves a share ({@link ServerChoice}); where none is left
 * and blocks are coded, the cells are read from which it is computed ({@link DecodingPlanner}). Not thread-safe.
 */
public final class ReadPlanner {
    /** A piece takes some 110 bytes in the plans of who asks for it, and as many where it is served: 14 MiB a batch. */
    private static final int BATCH_PIECES = 1 << 17;

    /** What lost blocks are computed from takes memory beside the destination, which the pool keeps if it is little. */
    private static final long BATCH_DECODING_BYTES = 4 << 20;

    private final Peers peers;
    private final BlockRanges wanted;
    private final PieceCursor piece;
    private final ServerChoice choice;
    /** Null where blocks are not coded. */
    private final @Nullable DecodingPlanner decoding;
    private final int[] holders;
    private final int batchPieces;
    private final long batchDecodingSlots;
    private int nextRun;
    private final PieceTable.Builder lost = new PieceTable.Builder();
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

    /** As above, with another number of pieces after which a batch ends. */
    public ReadPlanner(BlockDirectory directory, Peers peers, BlockRanges wanted, long typicalBlockBytes, Pass pass,
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
                : new DecodingPlanner(directory, layout, peers.storeRank(), wanted.blockCount(), true, pass);
    }

    /** Whether not all that is wanted has been planned. */
    public boolean hasNext() {
        return piece.hasNext() || nextRun < wanted.runCount();
    }

    /** The next pieces by current rank of their servers, this PE included; none when nothing is left. */
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

    /** Asks the piece's holders for it; false when nobody alive has it. */
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

    /** Asks for what the piece is computed from; false when it can't be computed. */
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
}
