package org.restorej.loop;

import java.lang.foreign.Arena;
import java.util.Objects;
import org.restorej.PulledBlocks;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.block.BlockRanges;

/**
 * The blocks of one store that a {@link CheckpointLoop} keeps, as this PE works on them. {@code LocalRows} and
 * {@code LocalObjects} extend it; a class of your own may keep blocks in any other form. The loop calls all methods on
 * its own thread, and none of them may call the store or a communicator. An exception of a method is thrown on its PE
 * only; the other PEs recover, and wait until this PE ends or calls the loop again.
 */
public abstract class LoopData {
    private final ReStore store;
    private BlockRanges ids = BlockRanges.EMPTY;
    /** The blocks that this PE has for certain: a {@link #takeOver} that threw may have dropped others. */
    private BlockRanges certain = BlockRanges.EMPTY;

    /**
     * Data of a store.
     *
     * @param store built on the loop's communicator; from the first call of the loop on only the loop submits to it
     */
    protected LoopData(ReStore store) {
        this.store = Objects.requireNonNull(store, "store");
    }

    /**
     * Ids of the blocks that this PE has: rows, objects, or whatever the balancer assigns. In ascending order, as the
     * values are. They change with a recovery or {@link CheckpointLoop#adopt}, so they are asked for again in each
     * iteration.
     */
    public final BlockRanges ids() {
        return ids;
    }

    /** Number of blocks that this PE has, at most {@link Integer#MAX_VALUE}. */
    public final int count() {
        return Math.toIntExact(ids.blockCount());
    }

    /** Initializes the blocks of this PE. */
    final void begin(BlockRanges mine) {
        initialize(mine);
        ids = mine;
        certain = mine;
    }

    /** The blocks among {@code mine} that this PE doesn't have, or not for certain. */
    final BlockRanges missing(BlockRanges mine) {
        return mine.minus(certain);
    }

    /** Takes over blocks, in addition to those that this PE keeps. */
    final void gain(PulledBlocks blocks, BlockRanges mine) {
        certain = certain.intersect(mine);
        takeOver(blocks, mine);
        ids = mine;
        certain = mine;
    }

    /** The store of the blocks. */
    protected final ReStore store() {
        return store;
    }

    /** Number of consecutive blocks of the store in one block of the balancer; constant. */
    protected long blocksPerPart() {
        return 1;
    }

    /** A short name of the kind of data. A checkpoint in files is loaded only into data of the same kind. */
    protected String kind() {
        return getClass().getName();
    }

    /**
     * Whether no iteration changes the blocks. They are then submitted once, and after a failure a PE reads only those
     * that it gains. Constant, and the same on every PE.
     */
    protected boolean isConstant() {
        return false;
    }

    /**
     * Sets the blocks to their state before the first iteration. Called again, with other blocks, when a PE fails
     * before the first generation; not called if the store had a generation before the loop kept it.
     *
     * @param mine all blocks of this PE; any earlier blocks are dropped
     */
    protected abstract void initialize(BlockRanges mine);

    /** All blocks of this PE in their current state. Their memory stays unchanged until the next iteration. */
    protected abstract Submission submission();

    /**
     * Whether each submission is a {@link #copy} in memory of the loop, for example because blocks are written anew for
     * it. Otherwise only submissions during which iterations go on are. Constant, and the same on every PE.
     */
    protected boolean isCopied() {
        return false;
    }

    /**
     * A copy of all blocks of this PE in their current state, which iterations don't change.
     *
     * @param memory of the copy; the loop frees it when the generation is committed or discarded
     */
    protected Submission copy(Arena memory) {
        return submission().copy(memory, store.blockSizeBytes());
    }

    /**
     * Takes over blocks that were read from the store after a failure or with a new assignment: at a rollback all
     * blocks that change, otherwise those that this PE gains. After an exception the next call of the loop may pass the
     * same blocks again.
     *
     * @param blocks replace what this PE has of them; may be empty. Their memory is valid only during the call
     * @param mine all blocks of this PE from now on. It has and keeps those that are not among {@code blocks}, and
     *        drops all others
     */
    protected abstract void takeOver(PulledBlocks blocks, BlockRanges mine);
}
