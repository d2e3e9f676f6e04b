package org.restorej.internal.operation;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Reduction;
import org.restorej.internal.settlement.Task;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.report.StoreReport.Operation;
import org.restorej.report.StoreReport.Scrub;

/** Checks all replicas on all PEs. */
public final class ScrubOperation extends CollectiveOperation<Scrub> {
    private final Generation generation;
    private @Nullable CheckedMemory sizes;

    public ScrubOperation(StoreState state, Generation generation) {
        super(Operation.SCRUB, "scrub", state, generation.directory());
        this.generation = generation;
    }

    /** {@inheritDoc} Their damage is reported with that of the blocks, which are checked in any case. */
    @Override
    Task<?> moveSizes(PooledMemory scratch) {
        CheckedMemory checked = state.checked(Objects.requireNonNull(generation.sizes(), "sizes"));
        checked.checkAll(directory(), state.rank());
        sizes = checked;
        return Task.done(checked);
    }

    @Override
    Task<Scrub> moveBlocks(PooledMemory scratch) {
        CheckedMemory blocks = state.checked(generation.blocks());
        blocks.checkAll(directory(), state.rank());
        foundDamaged(blocks.damagedChunks());
        if (sizes != null) {
            foundDamaged(sizes.damagedChunks());
        }
        long[] checked = {blocks.checkedChunkCount(), generation.blockBytes()};
        return Task.inOneStep(state.channel().communicator().iAllReduce(checked, Reduction.SUM)::test,
                () -> new Scrub(checked[0], checked[1], 0));
    }

    /** {@inheritDoc} Never: one attempt checks everything. */
    @Override
    boolean repeatsAfterDamage() {
        noteDamage();
        return false;
    }

    @Override
    Scrub end(Scrub result, boolean completeOnAll) {
        return new Scrub(result.checkedChunks(), result.checkedBytes(), damaged().count());
    }
}
