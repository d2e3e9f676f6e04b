package org.restorej.internal.plan;

import java.util.List;
import org.restorej.block.BlockRanges;
import org.restorej.internal.coding.Decoding;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.ReplicaMap;

/**
 * Plans who serves what a PE wants: whom this PE asks, batch by batch, so that no plan grows with the wish, or, where
 * every PE knows what all of them want, also what this PE sends without being asked. Who serves is computed, not
 * negotiated: {@link ReadCursor}. Not thread-safe.
 */
public final class ReadPlanner {
    /** A piece takes some 110 bytes in the plans of who asks for it, and as many where it is served: 14 MiB a batch. */
    private static final int BATCH_PIECES = 1 << 17;

    /** What lost blocks are computed from takes memory beside the destination, which the pool keeps if it is little. */
    private static final long BATCH_DECODING_BYTES = 4 << 20;

    private final BlockDirectory directory;
    private final Peers peers;
    private final long typicalBlockBytes;
    private final Pass pass;
    private final int batchPieces;
    private final ReadCursor reads;
    private final PieceCursor piecesOfOthers;
    private final int[] holders;
    private final PieceTable.Builder lost = new PieceTable.Builder();
    /** Store ranks and wishes of all PEs by current rank, where every PE knows them. */
    private int[] storeRanks = {};
    private BlockRanges[] wishes = {};
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
        this.directory = directory;
        this.peers = peers;
        this.typicalBlockBytes = typicalBlockBytes;
        this.pass = pass;
        this.batchPieces = batchPieces;
        reads = new ReadCursor(directory, wanted, peers.storeRank(), typicalBlockBytes, pass);
        piecesOfOthers = new PieceCursor(directory);
        holders = new int[directory.replication()];
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
        return reads.hasRead();
    }

    /** The next pieces by current rank of their servers, this PE included; none when nothing is left. */
    public PieceTable next() {
        PieceTable.Builder batch = new PieceTable.Builder();
        long decodingEnd = batchPieces == Integer.MAX_VALUE
                ? Long.MAX_VALUE
                : reads.decodingEnd() + BATCH_DECODING_BYTES / typicalBlockBytes;
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

    /** What this PE sends to another one, as one group at most; only of a planner of all wishes. */
    public PieceTable outgoing(int peer) {
        if (!hasAnyOf(wishes[peer])) {
            return PieceTable.EMPTY;
        }
        PieceTable.Builder served = new PieceTable.Builder();
        ReadCursor theirs = new ReadCursor(directory, wishes[peer], storeRanks[peer], typicalBlockBytes, pass);
        for (; theirs.hasRead(); theirs.advance()) {
            if (!theirs.isLost() && theirs.server() == peers.storeRank()) {
                served.add(peer, theirs.position(), theirs.count(), theirs.slot());
            }
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
}
