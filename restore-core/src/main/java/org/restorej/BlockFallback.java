package org.restorej;

import java.lang.foreign.MemorySegment;
import org.restorej.block.BlockRange;

/**
 * Reads blocks from where the application got them in the first place, input files for example, when no PE alive holds
 * them any more. Where blocks have different sizes it implements {@link #sizes}, too.
 */
@FunctionalInterface
public interface BlockFallback {
    /**
     * Reads a run of lost blocks that this PE has asked for. Called on that PE only, from inside a pull or push; what
     * it throws makes the blocks count as lost, and an {@link Error} is thrown on this PE, too, when the others have
     * been served.
     *
     * @param blocks their ids
     * @param destination their bytes one after another, to be filled
     */
    void read(BlockRange blocks, MemorySegment destination) throws Exception;

    /**
     * The sizes of lost blocks, which are lost as well where they differ; asked for before the blocks are read. What it
     * throws makes the blocks count as lost.
     *
     * @param blocks their ids
     */
    default BlockRange.Sizes sizes(BlockRange blocks) throws Exception {
        throw new UnsupportedOperationException(
                "a fallback for blocks of different sizes must implement sizes: " + getClass().getName());
    }

    /**
     * What reads the lost blocks of one generation. A fallback whose blocks change from generation to generation, such
     * as a checkpoint, hands back one that reads those or refuses. Called on this PE only, once at the start of every
     * pull and push; what it throws makes the blocks that it would have read count as lost, and an {@link Error} is
     * thrown on this PE, too, when the others have been served.
     *
     * @param store that reads
     * @param generation that is read; 0 before the first submission
     */
    default BlockFallback forGeneration(ReStore store, long generation) {
        return this;
    }
}
