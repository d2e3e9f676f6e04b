package org.restorej;

import org.restorej.block.BlockRanges;
import org.restorej.placement.FailedRanks;

/**
 * All holders of some blocks are dead. Thrown on every survivor, with the same blocks, by a pull or push in which some
 * PE wanted one of them. All other blocks that were wanted have been delivered, and stay readable.
 */
public class IrrecoverableDataLossException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient BlockRanges lostBlocks;
    private final transient FailedRanks failedRanks;

    /**
     * A loss.
     *
     * @param lostBlocks all lost blocks of the data set
     * @param failedRanks the original ranks that have failed
     */
    public IrrecoverableDataLossException(BlockRanges lostBlocks, FailedRanks failedRanks) {
        super("no PE alive holds blocks " + lostBlocks + ": failed original ranks " + failedRanks);
        this.lostBlocks = lostBlocks;
        this.failedRanks = failedRanks;
    }

    /** All lost blocks of the data set, whoever wanted them. */
    public BlockRanges lostBlocks() {
        return lostBlocks;
    }

    /** The original ranks that have failed. */
    public FailedRanks failedRanks() {
        return failedRanks;
    }
}
