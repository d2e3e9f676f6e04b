package org.restorej;

import org.restorej.block.BlockRanges;

/**
 * Blocks of one store that a {@link CheckpointLoop} keeps, as this PE works on them. {@link ReplicatedArray} and
 * {@link ReplicatedObjects} need none of this; it is for a program that keeps its blocks in a form of its own. All
 * methods are called by the loop, on the thread that runs it, and none of them may call the store or a communicator.
 */
public interface LoopData {
    /** The store, built on the loop's communicator; nobody else submits to it. */
    ReStore store();

    /**
     * Makes blocks as they are before the first iteration. Called again, with other blocks, when a process dies before
     * the first generation.
     *
     * @param mine all blocks of this PE; whatever it has had before is forgotten
     */
    void initialize(BlockRanges mine);

    /** All blocks of this PE as they are now. Its memory stays unchanged until the next iteration begins. */
    Submission submission();

    /**
     * Goes back to a generation: forgets all blocks and takes these.
     *
     * @param blocks all blocks of this PE; their memory is valid only during the call
     */
    void replaceAll(PulledBlocks blocks);
}
