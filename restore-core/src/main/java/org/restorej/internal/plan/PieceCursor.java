package org.restorej.internal.plan;

import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.BlockPositions;

/**
 * Iterates over the pieces of runs of block ids: consecutive positions with the same holders, in ascending order of
 * ids. Allocates nothing after its creation. Not thread-safe.
 */
final class PieceCursor {
    private final BlockDirectory directory;
    private final BlockPositions permutation;
    private long nextBlock;
    private long endBlock;
    private long nextSlot;
    /** End of the positions after the piece that belong to consecutive ids. */
    private long endPosition;
    private long position;
    private long count;
    private long slot;

    /** Creates a cursor over no blocks. */
    PieceCursor(BlockDirectory directory) {
        this.directory = directory;
        permutation = directory.permutation();
    }

    /**
     * Begins a run.
     *
     * @param firstBlock first block id
     * @param blockCount number of blocks
     * @param firstSlot slot of the first block; the others follow
     */
    void begin(long firstBlock, long blockCount, long firstSlot) {
        nextBlock = firstBlock;
        endBlock = firstBlock + blockCount;
        nextSlot = firstSlot;
        count = 0;
        position = 0;
        endPosition = 0;
    }

    /** Whether the run has more pieces. */
    boolean hasNext() {
        return nextBlock < endBlock;
    }

    /** Moves to the next piece. Returns false if the run has no more. */
    boolean next() {
        if (nextBlock == endBlock) {
            return false;
        }
        position += count;
        if (position == endPosition) {
            position = permutation.positionOf(nextBlock);
            endPosition = position + Math.min(endBlock - nextBlock, permutation.runAt(nextBlock));
        }
        count = Math.min(endPosition, directory.end(position)) - position;
        slot = nextSlot;
        nextBlock += count;
        nextSlot += count;
        return true;
    }

    long position() {
        return position;
    }

    /** Number of blocks, at least 1. */
    long count() {
        return count;
    }

    long slot() {
        return slot;
    }

    /**
     * The PEs with sound replicas of the piece.
     *
     * @param into filled with store ranks from index 0, at least K long
     * @return their number
     */
    int soundHolders(int[] into) {
        return directory.holders(position, into);
    }

    /** The PEs with replicas of the piece, damaged ones included; otherwise as {@link #soundHolders}. */
    int holders(int[] into) {
        return directory.replicaMap().holders(position, into);
    }
}
