package org.restorej;

import it.unimi.dsi.fastutil.longs.LongSet;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.plan.Coverage;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.VariableLayout;

/** Memory of its own for all blocks of a new generation, beside those of the old one: spare memory, where it fits. */
final class WholeStaging implements SubmitOperation.Staging {
    private final OperationContext context;
    private final BlockDirectory directory;
    private final long number;
    private @Nullable ReplicaMemory sizes;
    private @Nullable ReplicaMemory blocks;

    WholeStaging(OperationContext context, BlockDirectory directory, long number) {
        this.context = context;
        this.directory = directory;
        this.number = number;
    }

    @Override
    public BlockMemory sizes() {
        ReplicaMemory allocated = ReplicaMemory.allocate(directory.residency(), context.originalRank(),
                VariableLayout.SIZE_BYTES, context.checksumGrid(), context.pool());
        sizes = allocated;
        return allocated;
    }

    @Override
    public BlockMemory blocks() {
        ReplicaMemory allocated = sizes == null
                ? ReplicaMemory.allocate(directory.residency(), context.originalRank(),
                        context.configuration().blockSizeBytes(), context.checksumGrid(), context.pool())
                : ReplicaMemory.allocate(sizes, context.checksumGrid(), context.pool());
        blocks = allocated;
        return allocated;
    }

    @Override
    public boolean takesChecksums() {
        return true;
    }

    @Override
    public Optional<String> complaint(Coverage coverage) {
        return coverage.complaint();
    }

    @Override
    public void sizesComplete(LongSet unsealedChunks) {
        unsealedChunks.forEach(Objects.requireNonNull(sizes, "sizes")::seal);
    }

    @Override
    public void blocksComplete(LongSet unsealedChunks) {
        unsealedChunks.forEach(Objects.requireNonNull(blocks, "blocks")::seal);
    }

    @Override
    public LongSet damagedChunks() {
        return LongSets.EMPTY_SET;
    }

    @Override
    public StagedGeneration staged(DamagedReplicas damaged) {
        Generation generation = new Generation(number, directory.with(damaged),
                Objects.requireNonNull(blocks, "blocks"), sizes);
        return new StagedGeneration(before -> generation, () -> generation.retire(),
                generation.blockBytes());
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
