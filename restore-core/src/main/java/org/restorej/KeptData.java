package org.restorej;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.internal.memory.NativeMemory;

/**
 * What a {@link CheckpointLoop} knows of one store: its blocks, who works on them, and what this PE had in the last
 * generation, where that is needed. One thread at a time.
 */
final class KeptData {
    private final LoopData data;
    private final LoadBalancer balancer;
    private final boolean changes;
    /** Blocks of the generation that is committed; null where nobody compares with them. */
    private @Nullable BlockImage committed;
    /** Blocks of the generation that is being submitted; null where they are read from where they are. */
    private @Nullable BlockImage captured;
    /** What a recovery has brought, until it is taken over. */
    private @Nullable PulledBlocks pulled;
    private @Nullable Arena pulledMemory;

    /**
     * Data of a store.
     *
     * @param balancer hands out its blocks
     * @param changes whether the blocks change from iteration to iteration
     */
    KeptData(LoopData data, LoadBalancer balancer, boolean changes) {
        this.data = data;
        this.balancer = balancer;
        this.changes = changes;
    }

    ReStore store() {
        return data.store();
    }

    LoadBalancer balancer() {
        return balancer;
    }

    boolean changes() {
        return changes;
    }

    /** All blocks of this PE, by the assignment in force. */
    BlockRanges mine() {
        return store().isIdleSpare() ? BlockRanges.EMPTY : balancer.assignment().blocksOf(store().rank());
    }

    /** Makes the blocks as they are before the first iteration. */
    void initialize() {
        dropImages();
        data.initialize(mine());
    }

    /** Copies the blocks of this PE as they are now. */
    void capture() {
        dropCaptured();
        captured = BlockImage.of(data.submission(), store().blockSizeBytes());
    }

    /** Brings a new generation of all blocks, or of those that have changed, to their holders. Collective. */
    StagedSubmission stage(boolean onlyChanges) {
        return onlyChanges ? store().stageChanges(changedBlocks()) : store().stage(allBlocks());
    }

    /** As {@link #stage}, and commits it. Collective. */
    void submit(boolean onlyChanges) {
        if (onlyChanges) {
            store().submitChanges(changedBlocks());
        } else {
            store().submit(allBlocks());
        }
    }

    private Submission allBlocks() {
        return captured == null ? data.submission() : captured.submission();
    }

    private Submission changedBlocks() {
        if (captured == null || committed == null) {
            throw new IllegalStateException("changes need images of both generations");
        }
        return captured.changesSince(committed);
    }

    /** What was captured is what the committed generation has. */
    void committed(boolean keepImage) {
        BlockImage image = captured;
        captured = null;
        free(committed);
        committed = keepImage ? image : null;
        free(keepImage ? null : image);
    }

    /** Reads what this PE works on from now on: everything where blocks change, else what is new here. Collective. */
    void pull() {
        BlockRanges mine = mine();
        Arena arena = NativeMemory.openShared();
        pulledMemory = arena;
        pulled = store().pull(changes ? mine : mine.minus(data.blocks()), arena);
    }

    /** Puts what was read in the place of what this PE had. Returns its bytes. */
    long takeOver(boolean keepImage) {
        PulledBlocks blocks = pulled;
        if (blocks == null) {
            throw new IllegalStateException("nothing was pulled");
        }
        dropImages();
        if (changes) {
            data.replaceAll(blocks);
            if (keepImage) {
                committed = BlockImage.of(blocks, store().hasVariableBlockSizes(), store().blockSizeBytes());
            }
        } else {
            data.accept(blocks, mine());
        }
        return blocks.bytes().byteSize();
    }

    /** Frees what {@link #pull} has brought; after a failure that waits for the next recovery. */
    void releasePulled() {
        Arena arena = pulledMemory;
        pulled = null;
        pulledMemory = null;
        if (arena != null) {
            store().release(arena);
        }
    }

    private void dropCaptured() {
        BlockImage image = captured;
        captured = null;
        free(image);
    }

    /** Frees the copies. */
    void dropImages() {
        dropCaptured();
        BlockImage image = committed;
        committed = null;
        free(image);
    }

    private void free(@Nullable BlockImage image) {
        if (image != null) {
            store().release(image.arena());
        }
    }
}
