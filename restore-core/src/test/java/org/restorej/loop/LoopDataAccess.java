package org.restorej.loop;

import org.restorej.PulledBlocks;
import org.restorej.block.BlockRanges;

/** Does with data what a loop does with those that it keeps. */
public final class LoopDataAccess {
    private LoopDataAccess() {}

    /** Makes blocks as they are before the first iteration. */
    public static void begin(LoopData data, BlockRanges mine) {
        data.begin(mine);
    }

    /** Hands over blocks that a pull has brought. */
    public static void gain(LoopData data, PulledBlocks blocks, BlockRanges mine) {
        data.gain(blocks, mine);
    }
}
