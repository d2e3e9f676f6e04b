package org.restorej.loop;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.PendingOperation;
import org.restorej.ReStore;
import org.restorej.StagedSubmission;
import org.restorej.Submission;
import org.restorej.block.BlockRanges;
import org.restorej.internal.access.StoreAccess;

/**
 * One generation of a {@link CheckpointLoop}: the blocks and values that it consists of, from preparation until it is
 * committed or discarded. Not thread-safe.
 */
final class Checkpoint {
    /**
     * What this PE contributes to one store.
     *
     * @param all its blocks
     * @param changed the blocks that differ from the last generation; all blocks if they are not compared
     * @param copy owner of the blocks' memory; null if they are read from the application's memory
     */
    record Part(KeptData data, Submission all, Submission changed, @Nullable BlockCopy copy) {
        ReStore store() {
            return data.store();
        }
    }

    private final CheckpointData data;
    private final long iteration;
    private final boolean incremental;
    private final List<Part> parts = new ArrayList<>();
    private final List<byte[]> values = new ArrayList<>();
    /** Pending submits in the background. */
    private final List<PendingOperation<StagedSubmission>> underWay = new ArrayList<>();
    /** Has its full capacity: nothing is allocated between the submits and the commit, where the other PEs wait. */
    private final ArrayList<StagedSubmission> staged = new ArrayList<>();
    private boolean submitted;

    /**
     * Creates a checkpoint of which nothing is prepared.
     *
     * @param data to be submitted
     * @param iteration number of iterations that are done
     * @param incremental whether stores get only changed blocks, if that is enough
     */
    Checkpoint(CheckpointData data, long iteration, boolean incremental) {
        this.data = data;
        this.iteration = iteration;
        this.incremental = incremental;
    }

    void add(Part part) {
        parts.add(part);
        staged.ensureCapacity(parts.size());
    }

    void add(byte[] value) {
        values.add(value);
    }

    /** Number of iterations done when it was prepared. */
    long iteration() {
        return iteration;
    }

    List<byte[]> values() {
        return values;
    }

    /** The blocks that a level of storage saves: for blocks that change, the prepared ones. */
    List<LoopStorage.Blocks> savedBlocks() {
        return data.blocks().stream().<LoopStorage.Blocks>map(SavedBlocks::new).toList();
    }

    /**
     * Submits what was prepared to all stores together. Collective; the other PEs are about to submit.
     *
     * @param inBackground whether to only start the submits; {@link #await} then completes them
     */
    void submit(boolean inBackground) {
        if (!parts.isEmpty()) {
            // Takes no memory: if this threw earlier, the other PEs wouldn't learn of it in the submit.
            StoreAccess.expect(parts.getFirst().store());
        }
        if (inBackground) {
            for (Part part : parts) {
                StoreAccess.expect(part.store());
                underWay.add(onlyChanges(part)
                        ? part.store().stageChangesAsync(part.changed())
                        : part.store().stageAsync(part.all()));
            }
        } else if (parts.size() == 1) {
            submitAlone(parts.getFirst());
        } else if (!parts.isEmpty()) {
            submitTogether();
        }
        submitted = true;
    }

    private void submitAlone(Part part) {
        if (onlyChanges(part)) {
            part.store().submitChanges(part.changed());
        } else {
            part.store().submit(part.all());
        }
    }

    private void submitTogether() {
        for (Part part : parts) {
            StoreAccess.expect(part.store());
            staged.add(onlyChanges(part)
                    ? part.store().stageChanges(part.changed())
                    : part.store().stage(part.all()));
        }
        StagedSubmission.commitTogether(staged);
    }

    /**
     * Whether changed blocks are enough for the next generation; the same on all PEs. They are not if blocks are lost:
     * a recovery has read those by a fallback, and the store lacks them until they are submitted, changed or not.
     */
    private boolean onlyChanges(Part part) {
        return incremental && part.store().takesChanges() && part.store().lostBlocks().isEmpty();
    }

    /** Whether it was submitted and has not yet been awaited. */
    boolean isSubmitted() {
        return submitted;
    }

    /** Whether it is being submitted in the background. */
    boolean isUnderWay() {
        return !underWay.isEmpty();
    }

    /** Waits for submits in the background and commits them together. Collective, called once. */
    void await() {
        submitted = false;
        if (isUnderWay()) {
            for (int part = 0; part < underWay.size(); part++) {
                staged.add(underWay.get(part).await());
            }
            StagedSubmission.commitTogether(staged);
        }
    }

    /**
     * Records that the stores have committed it. The part that could leave blocks and values in different generations
     * takes no memory; copies are freed afterwards.
     */
    void committed() {
        data.commit(values);
        for (int part = 0; part < parts.size(); part++) {
            parts.get(part).data().committed();
        }
        for (Part part : parts) {
            part.data().keep(part.copy(), data.submitsOnlyChanges());
        }
    }

    /** Frees what was prepared and not committed; after a failure at the next recovery. */
    void giveUp() {
        for (Part part : parts) {
            part.data().dropOwnCopy();
            BlockCopy copy = part.copy();
            if (copy != null) {
                copy.free(part.store());
            }
        }
        parts.clear();
    }

    /** The blocks of one store that this PE saves to a level. */
    private final class SavedBlocks implements LoopStorage.Blocks {
        private final KeptData kept;

        SavedBlocks(KeptData kept) {
            this.kept = kept;
        }

        @Override
        public ReStore store() {
            return kept.store();
        }

        @Override
        public boolean isConstant() {
            return !kept.changes();
        }

        @Override
        public BlockRanges ids() {
            return kept.ids();
        }

        @Override
        public void writeTo(Submission.Sink sink) throws IOException {
            Submission all = parts.stream().filter(part -> part.data().equals(kept)).map(Part::all).findFirst()
                    .orElseGet(kept::submission);
            kept.requireAll(all, "save");
            all.writeTo(store().blockSizeBytes(), sink);
        }
    }
}
