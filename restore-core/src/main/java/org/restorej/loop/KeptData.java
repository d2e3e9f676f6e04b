package org.restorej.loop;

import java.lang.foreign.Arena;
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
 * The state of one store in a {@link CheckpointLoop}: its data and its balancer. {@link LoopData} knows which blocks
 * this PE has, and a {@link Checkpoint} which are being submitted. Not thread-safe.
 */
final class KeptData {
    private final LoopData data;
    private final ReStore store;
    private final LoadBalancer balancer;
    private final boolean changes;
    private final long blocksPerPart;
    /** Whether the store had a generation before the loop kept it that has not been read yet. */
    private boolean unread;
    /** Whether there is a generation, committed by the loop or found in the store. */
    private boolean submitted;
    /** Number of the last generation that the loop knows of; 0 before the first. */
    private long generation;
    /** The pull under way; null between pulls. */
    private @Nullable Pull pull;

    /**
     * Keeps data.
     *
     * @param balancer assigns their blocks
     */
    KeptData(LoopData data, LoadBalancer balancer) {
        this.data = data;
        store = data.store();
        this.balancer = balancer;
        changes = !data.isConstant();
        blocksPerPart = data.blocksPerPart();
        generation = store.generation();
        submitted = generation > 0;
        unread = submitted;
    }

    ReStore store() {
        return store;
    }

    /** Number of blocks that the balancer assigns. One of them, a part, may be several blocks of the store. */
    long partCount() {
        return store.blockCount() / blocksPerPart;
    }

    LoadBalancer balancer() {
        return balancer;
    }

    /** Whether this balancer assigns the blocks; compared by identity. */
    @SuppressWarnings("ReferenceEquality") // Two balancers that hand out the same blocks change each by itself.
    boolean isHandedOutBy(LoadBalancer other) {
        return balancer == other;
    }

    boolean changes() {
        return changes;
    }

    /** Whether there is a generation to roll back to; the same on all PEs. */
    boolean isSubmitted() {
        return submitted;
    }

    boolean isUnread() {
        return unread;
    }

    /** The parts that the current assignment gives to this PE. */
    BlockRanges mine() {
        return store.isIdleSpare() ? BlockRanges.EMPTY : balancer.assignment().blocksOf(store.rank());
    }

    /** The shape that a checkpoint in files must have to be loaded. */
    String shape() {
        return data.kind() + ": " + store.blockCount() + " blocks of "
                + (store.hasVariableBlockSizes() ? "different sizes" : store.blockSizeBytes() + " bytes")
                + (changes ? "" : ", constant");
    }

    /** The blocks of the store that the current assignment gives to this PE. */
    BlockRanges ids() {
        return blocksOf(mine());
    }

    /** All blocks of this PE in their current state. */
    Submission submission() {
        return data.submission();
    }

    /** Throws unless the submission has exactly the blocks of this PE. */
    void requireAll(Submission saved) {
        if (!saved.ids().equals(ids())) {
            throw new InvalidSubmissionException("a PE must save all its blocks, " + ids() + ": it saves "
                    + saved.ids());
        }
    }

    /** Records that a level of storage has loaded blocks into the store. */
    void loaded() {
        generation = store.generation();
        submitted = true;
        unread = true;
    }

    /** Initializes the blocks although the store may have some, from a level that could not be loaded completely. */
    void initializeInstead() {
        generation = store.generation();
        initialize();
    }

    /** Sets the blocks to their state before the first iteration. */
    void initialize() {
        data.begin(mine());
    }

    /**
     * Prepares the next submission.
     *
     * @param copied whether iterations may change the blocks during the submit
     * @throws InvalidSubmissionException when blocks can't be copied
     */
    Checkpoint.Part prepare(boolean copied) {
        checkOnlySubmitter();
        if (!copied && !data.isCopied()) {
            return new Checkpoint.Part(this, data.submission(), null);
        }
        Arena copy = NativeMemory.openShared();
        try {
            return new Checkpoint.Part(this, data.copy(copy), copy);
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
    void committed() {
        generation = store.generation();
        submitted = true;
    }

    /**
     * Reads this PE's blocks, by the current assignment. Collective.
     *
     * @param back whether to read all blocks that change; otherwise only those that this PE lacks
     */
    void pull(boolean back) {
        BlockRanges wanted;
        Pull began;
        try {
            checkOnlySubmitter();
            wanted = blocksOf(unread || (back && changes) ? mine() : data.missing(mine()));
            began = new Pull();
        } catch (Throwable own) {
            // The other PEs are in the pull.
            StoreAccess.leave(store, "pull", own);
            throw own;
        }
        pull = began;
        began.read(store, wanted);
    }

    private BlockRanges blocksOf(BlockRanges parts) {
        return blocksPerPart == 1
                ? parts
                : BlockRanges.of(parts.runs().stream()
                        .map(run -> BlockRange.of(run.first() * blocksPerPart, run.count() * blocksPerPart)).toList());
    }

    /**
     * Passes the blocks that were read to the application, and returns their bytes. Called in an operation that is
     * settled.
     */
    long takeOver() {
        if (pull == null) {
            throw new IllegalStateException("nothing was pulled");
        }
        PulledBlocks blocks = pull.blocks();
        data.gain(blocks, mine());
        unread = false;
        return blocks.bytes().byteSize();
    }

    /** Frees the memory of the last {@link #pull}; after a failure at the next recovery. */
    void releasePulled() {
        Pull ended = pull;
        pull = null;
        if (ended != null) {
            StoreAccess.release(store, ended);
        }
    }
}
