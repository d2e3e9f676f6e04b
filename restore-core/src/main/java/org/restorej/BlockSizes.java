package org.restorej;

import java.util.Objects;
import org.restorej.block.BlockRange;

/** How long each block is, where blocks have different sizes. */
@FunctionalInterface
public interface BlockSizes {
    /** Bytes of a block, 0 or more; the same whenever it is asked for. */
    long bytesOf(long blockId);

    /**
     * The sizes of some blocks.
     *
     * @param blocks their ids
     * @param sizesBytes one for each, in ascending order of ids; used, not copied
     */
    static BlockSizes of(BlockRange blocks, long... sizesBytes) {
        if (sizesBytes.length != blocks.count()) {
            throw new IllegalArgumentException("sizesBytes must have one size for each of the " + blocks.count()
                    + " blocks " + blocks + ": sizesBytes.length=" + sizesBytes.length);
        }
        return blockId -> sizesBytes[Math.toIntExact(Objects.checkIndex(blockId - blocks.first(), blocks.count()))];
    }
}
