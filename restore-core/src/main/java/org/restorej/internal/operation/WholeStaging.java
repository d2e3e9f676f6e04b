package org.restorej.internal.operation;

import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.coding.ParityMemory;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.Overwrites;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.VariableLayout;

/** Memory for all blocks of a new generation, beside the old one. Spare memory is used if it fits. */
final class WholeStaging implements Staging {
    private final StoreState state;
    private final BlockDirectory directory;
    private @Nullable ReplicaMemory sizes;
    private @Nullable ReplicaMemory blocks;

    WholeStaging(StoreState state, BlockDirectory directory) {
        this.state = state;
        this.directory = directory;
    }

    @Override
    public BlockMemory sizes() {
        ReplicaMemory allocated = ReplicaMemory.allocate(directory.replicaMap(), state.rank(),
                VariableLayout.SIZE_BYTES, state.layout().grid(), state.pool());
        sizes = allocated;
        return allocated;
    }

    @Override
    public BlockMemory blocks() {
        ReplicaMemory allocated = sizes == null
                ? ReplicaMemory.allocate(directory.replicaMap(), state.rank(),
                        state.configuration().blocks().sizeBytes(), state.layout().grid(), state.pool())
                : ReplicaMemory.allocate(sizes, state.pool());
        blocks = allocated;
        return state.layout().code() == null ? allocated : new ParityMemory(state.layout().code(), allocated);
    }

    @Override
    public void sizesComplete(LongSet unsealedChunks) {
        seal(Objects.requireNonNull(sizes, "sizes"), unsealedChunks);
    }

    @Override
    public void blocksComplete(LongSet unsealedChunks) {
        seal(Objects.requireNonNull(blocks, "blocks"), unsealedChunks);
    }

    private void seal(ReplicaMemory complete, LongSet unsealedChunks) {
        unsealedChunks.forEach(complete::seal);
        if (state.layout().code() != null) {
            ParityMemory.sealCellsWithoutBlocks(state.layout().code().layout(), complete);
        }
    }

    @Override
    public long bytes() {
        return blocks == null ? 0 : blocks.bytes();
    }

    @Override
    public Succession prepare(@Nullable Generation present, long number) {
        return new Succession(present,
                new Generation(number, directory, Objects.requireNonNull(blocks, "blocks"), sizes), new Overwrites(),
                List.of());
    }

    @Override
    public void discard() {
        if (blocks != null) {
            blocks.retire();
        }
        if (sizes != null) {
            sizes.retire();
        }
    }
}
