package org.restorej.internal.plan;

import org.restorej.block.BlockRanges;
import org.restorej.internal.placement.BlockDirectory;

/** Goes through the pieces that one PE wants, and says who serves each. One thread. */
final class WantedPieces {
    private final BlockRanges wanted;
    private final PieceCursor pieces;
    private final ServerChoice choice;
    private final int[] holders;
    private int nextRun;
    private int shares;
    private int share;
    private long position;
    private long slot;

    /**
     * The pieces of one PE.
     *
     * @param wanted what it wants
     * @param requester its store rank, or -1
     * @param typicalBlockBytes about the size of a block, the same on every PE: decides which pieces are worth cutting
     */
    WantedPieces(BlockDirectory directory, BlockRanges wanted, int requester, long typicalBlockBytes) {
        this.wanted = wanted;
        pieces = new PieceCursor(directory);
        holders = new int[directory.replication()];
        choice = new ServerChoice(requester, typicalBlockBytes, holders.length);
    }

    /** Goes on to the next piece; false when there is none. */
    boolean next() {
        if (share + 1 < shares) {
            position += choice.count(share);
            slot += choice.count(share);
            share++;
            return true;
        }
        while (!pieces.next()) {
            if (nextRun == wanted.runCount()) {
                return false;
            }
            pieces.begin(wanted.runFirst(nextRun), wanted.runEnd(nextRun) - wanted.runFirst(nextRun),
                    wanted.blocksBefore(nextRun));
            nextRun++;
        }
        shares = choice.choose(holders, pieces.soundHolders(holders), pieces.count());
        share = 0;
        position = pieces.position();
        slot = pieces.slot();
        return true;
    }

    /** Store rank of who serves it, or -1 when nobody alive has it. */
    int server() {
        return shares == 0 ? -1 : choice.server(share);
    }

    /** First position. */
    long position() {
        return position;
    }

    /** Number of blocks. */
    long count() {
        return shares == 0 ? pieces.count() : choice.count(share);
    }

    /** Place of the first block among those that the PE wants. */
    long slot() {
        return slot;
    }
}
