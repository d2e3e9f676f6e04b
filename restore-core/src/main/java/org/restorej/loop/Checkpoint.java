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
 * One generation of a {@link CheckpointLoop} on its way: what its stores and values get, from when it is prepared until
 * it is committed or given up. One thread.
 */
final class Checkpoint {
    /**
     * What one store gets from this PE.
     *
     * @param all its blocks
     * @param changed those that differ from the last generation; all where nobody compares
     * @param copy that they are in; null where they are read from where they are
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
    /** Submits that go on in the background. */
    private final List<PendingOperation<StagedSubmission>> underWay = new ArrayList<>();
    private boolean submitted;

    /**
     * A checkpoint of which nothing is prepared.
     *
     * @param data that it is of
     * @param iteration number of iterations that are done
     * @param incremental whether stores get only what has changed, where that is enough
     */
    Checkpoint(CheckpointData data, long iteration, boolean incremental) {
        this.data = data;
        this.iteration = iteration;
        this.incremental = incremental;
    }

    void add(Part part) {
        parts.add(part);
    }

    void add(byte[] value) {
        values.add(value);
    }

    /** Number of iterations that were done. */
    long iteration() {
        return iteration;
    }

    List<byte[]> values() {
        return values;
    }

    /** What a level of storage saves of the stores: of blocks that change what was prepared. */
    List<LoopStorage.Blocks> savedBlocks() {
        return data.blocks().stream().<LoopStorage.Blocks>map(SavedBlocks::new).toList();
    }

    /**
     * Submits what was prepared, all stores together. Collective; the others come to the submit now.
     *
     * @param inBackground whether this only begins, and {@link #await} ends it
     */
    void submit(boolean inBackground) {
        if (!parts.isEmpty()) {
            // Takes no memory: who threw before this would not be known to come there.
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
        List<StagedSubmission> staged = new ArrayList<>(parts.size());
        for (Part part : parts) {
            StoreAccess.expect(part.store());
            staged.add(onlyChanges(part)
                    ? part.store().stageChanges(part.changed())
                    : part.store().stage(part.all()));
        }
        StagedSubmission.commitTogether(staged);
    }

    /**
     * Whether changes are all that the next generation needs: the same on all PEs. Blocks that a recovery has read by a
     * fallback, from memory of no PE, are lost in the store until somebody submits them, changed or not.
     */
    private boolean onlyChanges(Part part) {
        return incremental && part.store().lostBlocks().isEmpty();
    }

    /** Whether it was submitted, and its end is still to be awaited. */
    boolean isSubmitted() {
        return submitted;
    }

    /** Whether it goes on in the background. */
    boolean isUnderWay() {
        return !underWay.isEmpty();
    }

    /** Waits for what goes on in the background, and has the stores commit it together. Collective, and only once. */
    void await() {
        submitted = false;
        if (isUnderWay()) {
            StagedSubmission.commitTogether(underWay.stream().map(PendingOperation::await).toList());
        }
    }

    /**
     * Notes that the stores have committed it. That takes no memory, so that values and blocks are of one generation
     * whatever happens; what is not needed any more is freed after it.
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

    /** Frees what it has prepared in vain; after a failure that waits for the next recovery. */
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

    /** The blocks of one store that this PE saves. */
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
