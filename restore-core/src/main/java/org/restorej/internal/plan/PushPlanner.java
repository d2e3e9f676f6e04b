package org.restorej.internal.plan;

import org.restorej.block.BlockRanges;
import org.restorej.internal.placement.BlockDirectory;

/**
 * Plans who sends what to whom where every PE knows what all of them want, so that nobody has to ask. Every PE takes
 * time linear in what all of them want.
 */
public final class PushPlanner {
    private final BlockDirectory directory;
    private final Peers peers;
    private final int[] storeRanks;
    private final BlockRanges[] wanted;
    private final long typicalBlockBytes;
    private final PullPlanner own;
    private final PieceCursor cursor;
    private final int[] holders;

    /**
     * A planner.
     *
     * @param directory where the replicas are
     * @param storeRanks store rank of each PE, or -1, by current rank
     * @param wanted what each PE wants, by current rank; the same on every PE
     * @param typicalBlockBytes about the size of a block, the same on every PE: decides which pieces are worth cutting
     */
    public PushPlanner(BlockDirectory directory, Peers peers, int[] storeRanks, BlockRanges[] wanted,
            long typicalBlockBytes) {
        this.directory = directory;
        this.peers = peers;
        this.storeRanks = storeRanks;
        this.wanted = wanted;
        this.typicalBlockBytes = typicalBlockBytes;
        cursor = new PieceCursor(directory);
        holders = new int[directory.replication()];
        own = new PullPlanner(directory, peers, wanted[peers.rank()], typicalBlockBytes, Integer.MAX_VALUE);
    }

    /** Number of PEs. */
    public int peerCount() {
        return storeRanks.length;
    }

    /** What comes to this PE, by current rank of who sends it, this PE included. */
    public PieceTable incoming() {
        return own.next();
    }

    /** What this PE sends to another one, as one group at most. */
    public PieceTable outgoing(int peer) {
        if (!hasAnyOf(wanted[peer])) {
            return PieceTable.EMPTY;
        }
        PieceTable.Builder served = new PieceTable.Builder();
        WantedPieces pieces = new WantedPieces(directory, wanted[peer], storeRanks[peer], typicalBlockBytes);
        while (pieces.next()) {
            // A lost piece has no server, and a spare PE, whose store rank is -1 too, serves nothing.
            if (pieces.server() >= 0 && pieces.server() == peers.storeRank()) {
                served.add(peer, pieces.position(), pieces.count(), pieces.slot());
            }
        }
        return served.buildGroup(peer);
    }

    /** Whether this PE is a holder of anything wanted: of most wishes it is not, and nothing is allocated for these. */
    private boolean hasAnyOf(BlockRanges wish) {
        for (int run = 0; run < wish.runCount(); run++) {
            cursor.begin(wish.runFirst(run), wish.runEnd(run) - wish.runFirst(run), 0);
            while (cursor.next()) {
                for (int i = cursor.soundHolders(holders) - 1; i >= 0; i--) {
                    if (holders[i] == peers.storeRank()) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** As {@link PullPlanner#lost}, when {@link #incoming} has been asked for. */
    public PieceTable lost() {
        return own.lost();
    }
}
