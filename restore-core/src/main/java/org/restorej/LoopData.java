package org.restorej;

import java.util.Objects;
import org.restorej.block.BlockRanges;

/**
 * Blocks of one store that a {@link CheckpointLoop} keeps, as this PE works on them. {@link LocalRows} and
 * {@link LocalObjects} are such data; a class of one's own keeps blocks in any other form. All methods are called by the
 * loop, on the thread that runs it, and none of them may call the store or a communicator. What one of them throws is
 * thrown on its PE alone; the others recover, and wait for this PE to end or to call the loop again.
 */
public abstract class LoopData {
    private final ReStore store;

    /**
     * Data of a store.
     *
     * @param store built on the loop's communicator; from the first call of the loop on nobody else submits to it
     */
    protected LoopData(ReStore store) {
        this.store = Objects.requireNonNull(store, "store");
    }

    final ReStore store() {
        return store;
    }

    /** For data that were given as they are, without what makes them. */
    static IllegalStateException cannotBeMade() {
        return new IllegalStateException("a loop can keep only what it can make again while nothing is submitted: these"
                + " blocks were given as they are, so submit them first, or give a function that makes them");
    }

    /** How many blocks of the store are one of those that the balancer hands out. */
    long blocksPerPart() {
        return 1;
    }

    /** Whether {@link #submission} is a copy, which iterations don't change. */
    boolean isWrittenAsCopy() {
        return false;
    }

    /** What {@link #submission} has made isn't needed any more. */
    void submitted() {}

    /**
     * Whether no iteration changes the blocks: they are submitted once, and after a failure a PE reads only those that
     * it gains. The same on every PE, always.
     */
    protected boolean isConstant() {
        return false;
    }

    /**
     * Makes blocks as they are before the first iteration. Called again, with other blocks, when a process fails before
     * the first generation; not called when the store had a generation before the loop kept it.
     *
     * @param mine all blocks of this PE; whatever it has had before is forgotten
     */
    protected abstract void initialize(BlockRanges mine);

    /** All blocks of this PE as they are now. Its memory stays unchanged until the next iteration begins. */
    protected abstract Submission submission();

    /**
     * Takes over blocks that the store has brought: after a failure, or with a new balance. All blocks of blocks that
     * change, when the loop goes back; else those that this PE gains. When it throws, and the loop is called again, it
     * may get blocks that it has taken over already.
     *
     * @param blocks replace whatever this PE has of them; perhaps none. Their memory is valid only during the call
     * @param mine all blocks of this PE from now on: those that are not among {@code blocks} it has, and keeps; it lets
     *        go of all others
     */
    protected abstract void takeOver(PulledBlocks blocks, BlockRanges mine);
}
