package org.restorej.loop;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.PendingOperation;
import org.restorej.ReStore;
import org.restorej.StagedSubmission;
import org.restorej.Submission;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.internal.access.StoreAccess;
import org.restorej.internal.message.Completely;

/**
 * One generation of a {@link CheckpointLoop}: the blocks and values that it consists of, from preparation until it is
 * committed or discarded. Not thread-safe.
 */
final class Checkpoint {
    /**
     * What this PE contributes to one store.
     *
     * @param blocks of this PE
     * @param copy owner of the blocks' memory; null if they are read from the application's memory
     */
    record Part(LoopData data, Submission blocks, @Nullable Arena copy) {
        ReStore store() {
            return data.store();
        }

        /** Frees a copy; after a failure at the next recovery. */
        private void free() {
            if (copy != null) {
                StoreAccess.release(store(), copy);
            }
        }
    }

    private static final System.Logger LOG = System.getLogger(Checkpoint.class.getName());

    private final CheckpointData data;
    private final long iteration;
    private final List<Part> parts;
    private final List<byte[]> values = new ArrayList<>();
    /** Pending submits in the background. */
    private final List<PendingOperation<StagedSubmission>> underWay = new ArrayList<>();
    /** Has its full capacity, as the parts: nothing is allocated between the submits and the commit, where the other PEs wait. */
    private final List<StagedSubmission> staged;
    private boolean submitted;

    /**
     * Creates a checkpoint of which nothing is prepared.
     *
     * @param data to be submitted
     * @param iteration number of iterations that are done
     */
    Checkpoint(CheckpointData data, long iteration) {
        this.data = data;
        this.iteration = iteration;
        parts = new ArrayList<>(data.blocks().size());
        staged = new ArrayList<>(data.blocks().size());
    }

    void add(Part part) {
        parts.add(part);
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
                underWay.add(part.store().stageAsync(part.blocks()));
            }
        } else if (parts.size() == 1) {
            parts.getFirst().store().submit(parts.getFirst().blocks());
        } else if (!parts.isEmpty()) {
            submitTogether();
        }
        submitted = true;
    }

    private void submitTogether() {
        for (Part part : parts) {
            StoreAccess.expect(part.store());
            staged.add(part.store().stage(part.blocks()));
        }
        StagedSubmission.commitTogether(staged);
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
     * takes no memory. Copies are freed afterwards. If that fails it is logged, since the other PEs go on.
     */
    void committed() {
        data.commit(values);
        for (int part = 0; part < parts.size(); part++) {
            parts.get(part).data().committed();
        }
        try {
            free();
        } catch (RuntimeException | OutOfMemoryError failure) {
            warn(failure);
        }
    }

    private static void warn(Throwable failure) {
        try {
            LOG.log(System.Logger.Level.WARNING, "memory of a checkpoint that was committed can't be freed", failure);
        } catch (RuntimeException | OutOfMemoryError untold) {
            // Out of memory: the warning is dropped.
        }
    }

    /** Frees all copies, once; after a failure at the next recovery. Copies no list: memory may be short. */
    void free() {
        try {
            Completely.forEach(parts, Part::free);
        } finally {
            parts.clear();
        }
    }

    /** The blocks of one store that this PE saves to a level. */
    private final class SavedBlocks implements LoopStorage.Blocks {
        private final LoopData kept;

        SavedBlocks(LoopData kept) {
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
            return kept.blocks();
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // An application may override equals.
        public void writeTo(Submission.Sink sink) throws IOException {
            Submission all = parts.stream().filter(part -> part.data() == kept).map(Part::blocks).findFirst()
                    .orElseGet(kept::submission);
            if (!all.ids().equals(ids())) {
                throw new InvalidSubmissionException("a PE must save all its blocks, " + ids() + ": it saves "
                        + all.ids());
            }
            all.writeTo(store().blockSizeBytes(), sink);
        }
    }
}
