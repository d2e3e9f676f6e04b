package org.restorej.internal.plan;

import org.restorej.block.BlockRanges;
import org.restorej.internal.placement.BlockDirectory;

/**
 * Plans whom a PE asks for what it wants, batch by batch, so that no plan grows with it. Who serves is computed, not
 * negotiated: {@link ServerChoice}. One thread.
 */
public final class PullPlanner {
    /** A piece takes some 70 bytes in the plans of who asks for it, and as many where it is served: 9 MiB a batch. */
    private static final int BATCH_PIECES = 1 << 17;

    private final Peers peers;
    private final WantedPieces wanted;
    private final int batchPieces;
    private final PieceTable.Builder lost = new PieceTable.Builder();
    private boolean hasPiece;

    /**
     * A planner.
     *
     * @param directory where the replicas are
     * @param wanted what this PE wants
     * @param typicalBlockBytes about the size of a block, the same on every PE: decides which pieces are worth cutting
     */
    public PullPlanner(BlockDirectory directory, Peers peers, BlockRanges wanted, long typicalBlockBytes) {
        this(directory, peers, wanted, typicalBlockBytes, BATCH_PIECES);
    }

    /** As above, with another number of pieces that are asked for at a time. */
    public PullPlanner(BlockDirectory directory, Peers peers, BlockRanges wanted, long typicalBlockBytes,
            int batchPieces) {
        this.peers = peers;
        this.wanted = new WantedPieces(directory, wanted, peers.storeRank(), typicalBlockBytes);
        this.batchPieces = batchPieces;
        hasPiece = this.wanted.next();
    }

    /** Whether anything is left to be asked for. */
    public boolean hasNext() {
        return hasPiece;
    }

    /** The next pieces by current rank of their servers, this PE included; none when nothing is left. */
    public PieceTable next() {
        PieceTable.Builder batch = new PieceTable.Builder();
        while (hasPiece && batch.size() < batchPieces) {
            if (wanted.server() < 0) {
                lost.add(0, wanted.position(), wanted.count(), wanted.slot());
            } else {
                batch.add(peers.currentRank(wanted.server()), wanted.position(), wanted.count(), wanted.slot());
            }
            hasPiece = wanted.next();
        }
        return batch.build(peers.size());
    }

    /**
     * The pieces planned so far that nobody alive has, as one group, in ascending order of slots; their places in the
     * destination stay as they were.
     */
    public PieceTable lost() {
        return lost.buildGroup(0);
    }
}
