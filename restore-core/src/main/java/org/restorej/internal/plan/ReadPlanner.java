package org.restorej.internal.plan;

import java.util.List;
import org.restorej.block.BlockRanges;
import org.restorej.internal.coding.Decoding;
import org.restorej.internal.placement.BlockDirectory;

/**
 * Plans whom this PE asks for what it wants, batch by batch, so that no plan grows with the wish. Who serves is
 * computed, not negotiated: {@link ReadCursor}. Not thread-safe.
 */
public final class ReadPlanner {
    /** A piece takes some 110 bytes in the plans of who asks for it, and as many where it is served: 14 MiB a batch. */
    private static final int BATCH_PIECES = 1 << 17;

    /** What lost blocks are computed from takes memory beside the destination, which the pool keeps if it is little. */
    private static final long BATCH_DECODING_BYTES = 4 << 20;

    private final Peers peers;
    private final long typicalBlockBytes;
    private final int batchPieces;
    private final ReadCursor reads;
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

    /** As above, with another number of pieces that are asked for at a time. */
    public ReadPlanner(BlockDirectory directory, Peers peers, BlockRanges wanted, long typicalBlockBytes, Pass pass,
            int batchPieces) {
        this.peers = peers;
        this.typicalBlockBytes = typicalBlockBytes;
        this.batchPieces = batchPieces;
        reads = new ReadCursor(directory, wanted, peers.storeRank(), typicalBlockBytes, pass);
    }

    public boolean hasNext() {
        return reads.hasRead();
    }

    /** The next pieces by current rank of their servers, this PE included; none when nothing is left. */
    public PieceTable next() {
        PieceTable.Builder batch = new PieceTable.Builder();
        long decodingEnd = reads.decodingEnd() + BATCH_DECODING_BYTES / typicalBlockBytes;
        while (reads.hasRead() && (reads.continuesComputation()
                || (batch.size() < batchPieces && reads.decodingEnd() <= decodingEnd))) {
            if (reads.isLost()) {
                lost.add(0, reads.position(), reads.count(), reads.slot());
            } else {
                batch.add(peers.currentRank(reads.server()), reads.position(), reads.count(), reads.slot());
            }
            reads.advance();
        }
        decodings = reads.takeDecodings();
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
}
