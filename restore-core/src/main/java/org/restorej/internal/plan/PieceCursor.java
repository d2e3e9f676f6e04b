package org.restorej.internal.plan;

import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.BlockPositions;

/**
 * Goes through the pieces of runs of block ids: consecutive positions that have the same holders, in ascending order of
 * ids. Allocates nothing on its way. One thread.
 */
final class PieceCursor {
    private final BlockDirectory directory;
    private final BlockPositions permutation;
    private long nextBlock;
    private long endBlock;
    private long nextSlot;
    /** Positions that follow the piece and belong to consecutive ids, up to this one. */
    private long endPosition;
    private long position;
    private long count;
    private long slot;

    /** A cursor over no blocks. */
    PieceCursor(BlockDirectory directory) {
        this.directory = directory;
        permutation = directory.permutation();
    }

    /**
     * Begins with a run.
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

    /** Whether the run has further pieces. */
    boolean hasNext() {
        return nextBlock < endBlock;
    }

    /** Goes on to the next piece; false when the run has no more. */
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
     * The PEs that have sound replicas of the piece.
     *
     * @param into filled with store ranks from index 0, at least K long
     * @return how many there are
     */
    int soundHolders(int[] into) {
        return directory.holders(position, into);
    }

    /** The PEs that have replicas of the piece, damaged ones included; otherwise as {@link #soundHolders}. */
    int holders(int[] into) {
        return directory.replicaMap().holders(position, into);
    }
}
