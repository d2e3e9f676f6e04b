package org.restorej;

import org.restorej.block.BlockRanges;

/** Blocks that a {@link CheckpointLoop} keeps and that never change, so that a PE keeps those that it has. */
interface ConstantLoopData extends LoopData {
    /** Ids of the blocks that this PE has now. */
    BlockRanges blocks();

    /**
     * Takes over blocks beside those that this PE has, in ascending order of all their ids.
     *
     * @param gained the blocks that are new here, perhaps none; their memory is valid only during the call
     * @param mine all blocks of this PE from now on
     */
    void accept(PulledBlocks gained, BlockRanges mine);
}
