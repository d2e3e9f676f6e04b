package org.restorej.loop;

import java.lang.foreign.Arena;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.PulledBlocks;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.internal.access.StoreAccess;
import org.restorej.internal.memory.NativeMemory;

/**
 * The blocks of one store that a {@link CheckpointLoop} keeps, as this PE works on them. {@code LocalRows} and
 * {@code LocalObjects} extend it; a class of your own may keep blocks in any other form. The loop calls all methods on
 * its own thread, and none of them may call the store or a communicator. An exception of a method is thrown on its PE
 * only; the other PEs recover, and wait until this PE ends or calls the loop again. Only one open loop may keep it.
 */
public abstract class LoopData {
    private final ReStore store;
    private BlockRanges ids = BlockRanges.EMPTY;
    /** The blocks that this PE has for certain: a {@link #takeOver} that threw may have dropped others. */
    private BlockRanges certain = BlockRanges.EMPTY;
    /** Assigns the blocks; null until a loop keeps them. */
    private @Nullable LoadBalancer balancer;
    /** Whether iterations change the blocks. */
    private boolean changes;
    /** Whether there is a generation, committed by the loop or found in the store. */
    private boolean submitted;
    /** Number of the last generation that the loop knows of; 0 before the first. */
    private long generation;
    /** The pull under way; null between pulls. */
    private @Nullable Pull pull;

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

    /** Starts to be kept by a loop, with a balancer that fits the store. */
    final void keepBy(LoadBalancer assigning) {
        balancer = assigning;
        changes = !isConstant();
        generation = store.generation();
        submitted = generation > 0;
        certain = BlockRanges.EMPTY;
    }

    final LoadBalancer balancer() {
        return Objects.requireNonNull(balancer, "balancer");
    }

    /** Number of blocks that the balancer assigns. One of them, a part, may be several blocks of the store. */
    final long partCount() {
        return store.blockCount() / blocksPerPart();
    }

    final boolean changes() {
        return changes;
    }

    /** Whether there is a generation to roll back to; the same on all PEs. */
    final boolean isSubmitted() {
        return submitted;
    }

    /** The parts that the current assignment gives to this PE. */
    final BlockRanges mine() {
        return store.isIdleSpare() ? BlockRanges.EMPTY : balancer().assignment().blocksOf(store.rank());
    }

    /** The blocks of the store that the current assignment gives to this PE. */
    final BlockRanges blocks() {
        return blocksOf(mine());
    }

    private BlockRanges blocksOf(BlockRanges parts) {
        long each = blocksPerPart();
        return each == 1
                ? parts
                : BlockRanges.of(parts.runs().stream()
                        .map(run -> BlockRange.of(run.first() * each, run.count() * each)).toList());
    }

    /** The shape that a checkpoint in files must have to be loaded. */
    final String shape() {
        return kind() + ": " + store.blockCount() + " blocks of "
                + (store.hasVariableBlockSizes() ? "different sizes" : store.blockSizeBytes() + " bytes")
                + (changes ? "" : ", constant");
    }

    /** Initializes the blocks of this PE. */
    final void begin(BlockRanges mine) {
        initialize(mine);
        ids = mine;
        certain = mine;
    }

    /** Records that a level of storage has loaded blocks into the store. */
    final void loaded() {
        generation = store.generation();
        submitted = true;
        certain = BlockRanges.EMPTY;
    }

    /** Initializes the blocks although the store may have some, from a level that could not be loaded completely. */
    final void beginInstead() {
        generation = store.generation();
        begin(mine());
    }

    /**
     * Prepares the next submission.
     *
     * @param copied whether iterations may change the blocks during the submit
     * @throws InvalidSubmissionException when blocks can't be copied
     */
    final Checkpoint.Part prepare(boolean copied) {
        checkOnlySubmitter();
        if (!copied && !isCopied()) {
            return new Checkpoint.Part(this, submission(), null);
        }
        Arena copy = NativeMemory.openShared();
        try {
            return new Checkpoint.Part(this, copy(copy), copy);
        } catch (Throwable failure) {
            copy.close();
            throw failure;
        }
    }

    /** Throws if anything but the loop has submitted: a rollback would read blocks of another generation. */
    private void checkOnlySubmitter() {
        if (store.generation() != generation) {
            throw new IllegalStateException("only the loop may submit to a store that it keeps: generation "
                    + generation + " was the loop's last, and now it is " + store.generation());
        }
    }

    /** Records that the store has committed the prepared generation. Takes no memory. */
    final void committed() {
        generation = store.generation();
        submitted = true;
    }

    /**
     * Reads this PE's blocks, by the current assignment. Collective.
     *
     * @param back whether to read all blocks that change; otherwise only those that this PE doesn't have for certain
     */
    final void pull(boolean back) {
        BlockRanges wanted;
        Pull began;
        try {
            checkOnlySubmitter();
            wanted = blocksOf(back && changes ? mine() : mine().minus(certain));
            began = new Pull();
        } catch (Throwable own) {
            // The other PEs are in the pull.
            StoreAccess.leave(store, "pull", own);
            throw own;
        }
        pull = began;
        began.read(store, wanted);
    }

    /** Takes over the blocks that were read, and returns their bytes. Called in an operation that is settled. */
    final long gainPulled() {
        if (pull == null) {
            throw new IllegalStateException("nothing was pulled");
        }
        PulledBlocks blocks = pull.blocks();
        gain(blocks, mine());
        return blocks.bytes().byteSize();
    }

    /** Takes over blocks, in addition to those that this PE keeps. */
    final void gain(PulledBlocks blocks, BlockRanges mine) {
        certain = certain.intersect(mine);
        takeOver(blocks, mine);
        ids = mine;
        certain = mine;
    }

    /** Frees the memory of the last {@link #pull}; after a failure at the next recovery. */
    final void releasePulled() {
        Pull ended = pull;
        pull = null;
        if (ended != null) {
            StoreAccess.release(store, ended);
        }
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
