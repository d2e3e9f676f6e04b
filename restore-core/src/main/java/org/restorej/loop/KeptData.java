package org.restorej.loop;

import org.jspecify.annotations.Nullable;
import org.restorej.PulledBlocks;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.internal.access.CopiedData;
import org.restorej.internal.access.StoreAccess;

/**
 * What a {@link CheckpointLoop} knows of one store: its blocks, who works on them, and what this PE had in the last
 * generation, where that is needed. Which of them this PE has, {@link LoopData} knows; what is being submitted, a
 * {@link Checkpoint}. One thread at a time.
 */
final class KeptData {
    private final LoopData data;
    private final ReStore store;
    private final LoadBalancer balancer;
    private final boolean changes;
    /** The data, where what they submit is a copy already. */
    private final @Nullable CopiedData copying;
    private final long blocksPerPart;
    /** Whether the store had a generation before the loop kept it, which nobody has read yet. */
    private boolean unread;
    /** Whether there is a generation that the loop has committed or has found. */
    private boolean submitted;
    /** Number of the last generation that the loop knows of; 0 before the first. */
    private long generation;
    /** Blocks of the generation that is committed; null where nobody compares with them. */
    private @Nullable BlockCopy committed;
    /** What is being brought; null between pulls. */
    private @Nullable Pull pull;

    /**
     * Data of a store.
     *
     * @param balancer hands out its blocks
     */
    KeptData(LoopData data, LoadBalancer balancer) {
        this.data = data;
        store = data.store();
        this.balancer = balancer;
        changes = !data.isConstant();
        copying = data instanceof CopiedData copied ? copied : null;
        blocksPerPart = data.blocksPerPart();
        generation = store.generation();
        submitted = generation > 0;
        unread = submitted;
    }

    ReStore store() {
        return store;
    }

    /** How many blocks the balancer is to hand out: here parts, which may be several blocks of the store. */
    long partCount() {
        return store.blockCount() / blocksPerPart;
    }

    LoadBalancer balancer() {
        return balancer;
    }

    /** Whether it is this very balancer. */
    @SuppressWarnings("ReferenceEquality") // Two balancers that hand out the same blocks change each by itself.
    boolean isHandedOutBy(LoadBalancer other) {
        return balancer == other;
    }

    boolean changes() {
        return changes;
    }

    /** Whether there is a generation to go back to: the same on all PEs. */
    boolean isSubmitted() {
        return submitted;
    }

    boolean isUnread() {
        return unread;
    }

    /** All blocks of this PE, by the assignment in force. */
    BlockRanges mine() {
        return store.isIdleSpare() ? BlockRanges.EMPTY : balancer.assignment().blocksOf(store.rank());
    }

    /** What a checkpoint in files must be of, to be of these data. */
    String shape() {
        return data.kind() + ": " + store.blockCount() + " blocks of "
                + (store.hasVariableBlockSizes() ? "different sizes" : store.blockSizeBytes() + " bytes")
                + (changes ? "" : ", constant");
    }

    /** All blocks of this PE in the store. */
    BlockRanges ids() {
        return blocksOf(mine());
    }

    /** All blocks of this PE as they are now. */
    Submission submission() {
        return data.submission();
    }

    /** Throws unless these are all blocks of this PE. */
    void requireAll(Submission all, String verb) {
        if (!all.ids().equals(ids())) {
            throw new InvalidSubmissionException("a PE must " + verb + " all its blocks, " + ids() + ": it " + verb
                    + "s " + all.ids());
        }
    }

    /** The store has blocks that a level of storage has brought. */
    void loaded() {
        generation = store.generation();
        submitted = true;
        unread = true;
    }

    /** Begins as if the store had no blocks; a level of storage may have brought some in vain. */
    void initializeInstead() {
        generation = store.generation();
        initialize();
    }

    /** Makes the blocks as they are before the first iteration. */
    void initialize() {
        dropCopies();
        data.begin(mine());
    }

    /**
     * Makes what is submitted next.
     *
     * @param copied whether iterations may change the blocks while they are submitted
     * @param incremental whether only changes are submitted
     * @throws InvalidSubmissionException when a copy shows that this PE doesn't submit its blocks
     */
    Checkpoint.Part prepare(boolean copied, boolean incremental) {
        checkOnlySubmitter();
        Submission all = data.submission();
        boolean compared = incremental && changes;
        if (copying != null || (!copied && !compared)) {
            return new Checkpoint.Part(this, all, all, null);
        }
        BlockCopy copy = BlockCopy.of(all, store);
        try {
            requireAll(copy.blocks(), "submit");
            return new Checkpoint.Part(this, copy.blocks(), compared && committed != null
                    ? copy.blocks().changesSince(committed.blocks())
                    : copy.blocks(), copy);
        } catch (Throwable failure) {
            copy.free(store);
            throw failure;
        }
    }

    /** Blocks of other generations would come back after a failure. */
    private void checkOnlySubmitter() {
        if (store.generation() != generation) {
            throw new IllegalStateException("only the loop may submit to a store that it keeps: generation "
                    + generation + " was the loop's last, and now it is " + store.generation());
        }
    }

    /** The store has committed what was prepared. Takes no memory. */
    void committed() {
        generation = store.generation();
        submitted = true;
    }

    /**
     * Keeps the copy of what is committed where the next generation is compared with it, and frees others.
     *
     * @param copy null where there is none
     * @param compares whether the next generation is compared
     */
    void keep(@Nullable BlockCopy copy, boolean compares) {
        dropCopies();
        if (copy == null) {
            return;
        }
        if (compares && changes) {
            committed = copy;
        } else {
            copy.free(store);
        }
    }

    /**
     * Reads what this PE works on from now on. Collective.
     *
     * @param back everything, where blocks change; else what it doesn't have
     */
    void pull(boolean back) {
        BlockRanges wanted;
        Pull began;
        try {
            checkOnlySubmitter();
            wanted = blocksOf(unread || (back && changes) ? mine() : data.missing(mine()));
            began = new Pull();
        } catch (Throwable own) {
            // The others are at the pull.
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

    /** Gives the application what was read, beside what this PE keeps. Returns its bytes. To be settled. */
    long takeOver(boolean compares) {
        if (pull == null) {
            throw new IllegalStateException("nothing was pulled");
        }
        PulledBlocks blocks = pull.blocks();
        dropCopies();
        data.gain(blocks, mine());
        unread = false;
        if (compares && changes && copying == null) {
            committed = BlockCopy.of(blocks.submission(), store);
        }
        return blocks.bytes().byteSize();
    }

    /** Frees what {@link #pull} has brought; after a failure that waits for the next recovery. */
    void releasePulled() {
        Pull ended = pull;
        pull = null;
        if (ended != null) {
            StoreAccess.release(store, ended);
        }
    }

    /** Has data free the copy of themselves. */
    void dropOwnCopy() {
        if (copying != null) {
            copying.submitted();
        }
    }

    void dropCopies() {
        dropOwnCopy();
        BlockCopy copy = committed;
        committed = null;
        if (copy != null) {
            copy.free(store);
        }
    }
}
