package org.restorej;

import java.lang.foreign.MemorySegment;
import org.restorej.block.BlockRange;

/**
 * Reads blocks from where the application got them in the first place, input files for example, when no PE alive holds
 * them any more. Where blocks have different sizes it is a {@link SizedBlockFallback}.
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
