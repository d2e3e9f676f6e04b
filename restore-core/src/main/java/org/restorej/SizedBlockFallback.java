package org.restorej;

import org.restorej.block.BlockRange;

/** A {@link BlockFallback} of a store whose blocks have different sizes. */
public interface SizedBlockFallback extends BlockFallback {
    /**
     * The sizes of lost blocks, which are lost as well; asked for before the blocks are read. What it throws makes them
     * count as lost.
     *
     * @param blocks their ids
     */
    BlockSizes sizes(BlockRange blocks) throws Exception;
}
