package org.restorej.loop;

import java.util.Objects;
import org.restorej.PulledBlocks;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.block.BlockRanges;

/**
 * Blocks of one store that a {@link CheckpointLoop} keeps, as this PE works on them. {@code LocalRows} and
 * {@code LocalObjects} are such data; a class of one's own keeps blocks in any other form. All
 * methods are called by the loop, on the thread that runs it, and none of them may call the store or a communicator. What one of them throws is thrown
 * on its PE alone; the others recover, and wait for this PE to end or to call the loop again.
 */
public abstract class LoopData {
    private final ReStore store;
    private BlockRanges ids = BlockRanges.EMPTY;
    /** Those of them that it has for certain: when {@link #takeOver} has thrown, it may have let go of others. */
    private BlockRanges certain = BlockRanges.EMPTY;

    /**
     * Data of a store.
     *
     * @param store built on the loop's communicator; from the first call of the loop on nobody else submits to it
     */
    protected LoopData(ReStore store) {
        this.store = Objects.requireNonNull(store, "store");
    }

    /**
     * Which blocks of all PEs this PE has: ids of rows, objects, or whatever the balancer hands out. In ascending
     * order, as values are; others when the loop has gone back, so asked for again in each iteration.
     */
    public final BlockRanges ids() {
        return ids;
    }

    /** How many this PE has, at most {@link Integer#MAX_VALUE}. */
    public final int count() {
        return Math.toIntExact(ids.blockCount());
    }

    /**
     * Notes which blocks this PE has now, for data that also change without a loop: the loop itself knows it after
     * {@link #initialize} and {@link #takeOver}.
     */
    protected final void hold(BlockRanges mine) {
        ids = mine;
        certain = mine;
    }

    /** Makes the blocks of this PE as they are before the first iteration. */
    final void begin(BlockRanges mine) {
        initialize(mine);
        hold(mine);
    }

    /** Which of its blocks this PE doesn't have, or not for certain. */
    final BlockRanges missing(BlockRanges mine) {
        return mine.minus(certain);
    }

    /** Takes over blocks, beside those that this PE keeps. */
    final void gain(PulledBlocks blocks, BlockRanges mine) {
        certain = certain.intersect(mine);
        takeOver(blocks, mine);
        hold(mine);
    }

    /** The store whose blocks these are. */
    protected final ReStore store() {
        return store;
    }

    /** How many consecutive blocks of the store are one of those that the balancer hands out; always the same. */
    protected long blocksPerPart() {
        return 1;
    }

    /** What the blocks are, in a few words: a checkpoint in files is only taken for data that say the same. */
    protected String kind() {
        return getClass().getName();
    }

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
