package org.restorej.loop;

import java.io.IOException;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;
import org.restorej.PendingOperation;
import org.restorej.PulledBlocks;
import org.restorej.ReStore;
import org.restorej.StagedSubmission;
import org.restorej.Submission;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.internal.access.CopiedData;
import org.restorej.internal.access.StoreAccess;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.loop.CheckpointLoop.Storage;

/**
 * What a {@link CheckpointLoop} knows of one store: its blocks, who works on them, and what this PE had in the last
 * generation, where that is needed. One thread at a time.
 */
final class KeptData implements Storage.Blocks {
    private static final Submission NOTHING = new Submission();

    private final LoopData data;
    private final ReStore store;
    private final LoadBalancer balancer;
    private final boolean changes;
    /** The data, where what they submit is a copy already. */
    private final @Nullable CopiedData copying;
    private final long blocksPerPart;
    /** Blocks that this PE has: as many as it has certainly kept when it has thrown while it took over others. */
    private BlockRanges held = BlockRanges.EMPTY;
    /** Whether the store had a generation before the loop kept it, which nobody has read yet. */
    private boolean unread;
    /** What the next generation gets from this PE: all its blocks. */
    private Submission prepared = NOTHING;
    /** Those of them that differ from the last generation; all where nobody compares. */
    private Submission changed = NOTHING;
    /** Whether there is a generation that the loop has committed or has found. */
    private boolean submitted;
    /** Number of the last generation that the loop knows of; 0 before the first. */
    private long generation;
    /** Blocks of the generation that is committed; null where nobody compares with them. */
    private @Nullable Copy committed;
    /** Blocks of the generation that is being submitted; null where they are read from where they are. */
    private @Nullable Copy captured;
    /** What a recovery has brought, until it is taken over. */
    private @Nullable PulledBlocks pulled;
    private @Nullable Arena pulledMemory;
    /** What has kept this PE from its blocks in a pull that the others have done; thrown where they are told. */
    private @Nullable OutOfMemoryError noMemory;

    /** A copy of blocks, and the memory that it is in. */
    private record Copy(Submission blocks, Arena memory) {}

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

    @Override
    public ReStore store() {
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

    @Override
    public boolean isConstant() {
        return !changes;
    }

    @Override
    public BlockRanges ids() {
        return blocksOf(mine());
    }

    /** Of what changes it is what was prepared. */
    @Override
    public void writeTo(Storage.Sink sink) throws IOException {
        Submission all = changes ? prepared : data.submission();
        if (!all.ids().equals(ids())) {
            throw new InvalidSubmissionException("a PE must save all its blocks, " + ids() + ": it saves "
                    + all.ids());
        }
        StoreAccess.read(all, store.blockSizeBytes(), sink::accept);
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
        data.initialize(mine());
        held = mine();
        data.hold(held);
    }

    /**
     * Makes what is submitted next.
     *
     * @param copied whether iterations may change the blocks while they are submitted
     * @param incremental whether only changes are submitted
     * @throws InvalidSubmissionException when a copy shows that this PE doesn't submit its blocks
     */
    void prepare(boolean copied, boolean incremental) {
        checkOnlySubmitter();
        Submission all = data.submission();
        boolean compared = incremental && changes;
        if (copying != null || (!copied && !compared)) {
            prepared = all;
            changed = all;
            return;
        }
        dropCaptured();
        Copy copy = copy(all);
        captured = copy;
        BlockRanges mine = blocksOf(mine());
        if (!copy.blocks.ids().equals(mine)) {
            throw new InvalidSubmissionException("a PE must submit all its blocks, " + mine + ": it submits "
                    + copy.blocks.ids());
        }
        prepared = copy.blocks;
        changed = compared && committed != null ? copy.blocks.changesSince(committed.blocks) : copy.blocks;
    }

    private Copy copy(Submission blocks) {
        Arena arena = NativeMemory.openShared();
        try {
            return new Copy(blocks.copy(arena, store.blockSizeBytes()), arena);
        } catch (Throwable failure) {
            arena.close();
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

    /** Begins to bring what was prepared to its holders. Collective. */
    PendingOperation<StagedSubmission> beginStaging(boolean incremental) {
        return onlyChanges(incremental) ? store.stageChangesAsync(changed) : store.stageAsync(prepared);
    }

    /** Brings what was prepared to its holders. Collective. */
    StagedSubmission stage(boolean incremental) {
        return onlyChanges(incremental) ? store.stageChanges(changed) : store.stage(prepared);
    }

    /** As {@link #stage}, and commits it. Collective. */
    void submit(boolean incremental) {
        if (onlyChanges(incremental)) {
            store.submitChanges(changed);
        } else {
            store.submit(prepared);
        }
    }

    /**
     * Whether changes are all that the next generation needs: the same on all PEs. Blocks that a recovery has read by a
     * fallback, from memory of no PE, are lost in the store until somebody submits them, changed or not.
     */
    private boolean onlyChanges(boolean incremental) {
        return incremental && store.lostBlocks().isEmpty();
    }

    /** What was prepared is what the committed generation has. Takes no memory. */
    void committed() {
        generation = store.generation();
        submitted = true;
        prepared = NOTHING;
        changed = NOTHING;
    }

    /** Keeps the copy of what is committed where it is compared with, and frees others. */
    void keepSubmitted(boolean keepCopy) {
        dropOwnCopy();
        Copy copy = captured;
        captured = null;
        free(committed);
        committed = keepCopy && changes ? copy : null;
        free(committed == null ? copy : null);
    }

    /**
     * Reads what this PE works on from now on. Collective. Where only this PE's memory for it is missing, that is thrown
     * by {@link #takeOver}: the others are on their way there, and perhaps in the pull of another store before.
     *
     * @param back everything, where blocks change; else what it doesn't have
     */
    void pull(boolean back) {
        BlockRanges wanted;
        PullMemory memory;
        try {
            checkOnlySubmitter();
            wanted = blocksOf(back && changes ? mine() : mine().minus(held));
            memory = new PullMemory();
        } catch (Throwable own) {
            // The others are at the pull.
            StoreAccess.leave(store, "pull", own);
            throw own;
        }
        pulledMemory = memory;
        try {
            pulled = store.pull(wanted, memory);
        } catch (OutOfMemoryError own) {
            if (!memory.wasMissing(own)) {
                throw own;
            }
            noMemory = own;
        }
    }

    private BlockRanges blocksOf(BlockRanges parts) {
        return blocksPerPart == 1
                ? parts
                : BlockRanges.of(parts.runs().stream()
                        .map(run -> BlockRange.of(run.first() * blocksPerPart, run.count() * blocksPerPart)).toList());
    }

    /** Gives the application what was read, beside what this PE keeps. Returns its bytes. To be settled. */
    long takeOver(boolean keepCopy) {
        if (noMemory != null) {
            throw noMemory;
        }
        PulledBlocks blocks = pulled;
        if (blocks == null) {
            throw new IllegalStateException("nothing was pulled");
        }
        dropCopies();
        BlockRanges mine = mine();
        // What the application throws leaves open which of its blocks it has let go of.
        held = held.intersect(mine);
        data.takeOver(blocks, mine);
        held = mine;
        data.hold(mine);
        unread = false;
        if (keepCopy && changes && copying == null) {
            committed = copy(blocks.submission());
        }
        return blocks.bytes().byteSize();
    }

    /** Frees what {@link #pull} has brought; after a failure that waits for the next recovery. */
    void releasePulled() {
        Arena arena = pulledMemory;
        pulled = null;
        pulledMemory = null;
        noMemory = null;
        if (arena != null) {
            StoreAccess.release(store, arena);
        }
    }

    /** Has data free the copy of themselves. */
    private void dropOwnCopy() {
        if (copying != null) {
            copying.submitted();
        }
    }

    private void dropCaptured() {
        Copy copy = captured;
        captured = null;
        free(copy);
    }

    void dropCopies() {
        dropOwnCopy();
        dropCaptured();
        Copy copy = committed;
        committed = null;
        free(copy);
    }

    private void free(@Nullable Copy copy) {
        if (copy != null) {
            StoreAccess.release(store, copy.memory);
        }
    }
}
