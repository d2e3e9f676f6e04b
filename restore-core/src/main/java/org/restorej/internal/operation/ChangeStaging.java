package org.restorej.internal.operation;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.plan.Coverage;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.ChangedBlocks;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.VariableLayout;

/**
 * Memory for the changed blocks of a new generation only. Blocks of one size are written over the old ones when the
 * generation is committed; where sizes differ, the runs that contain a changed block are made anew before that.
 */
final class ChangeStaging implements Staging {
    private final StoreState state;
    private final Generation current;
    private final ChunkGrid grid;
    private final LongSet damagedChunks = new LongOpenHashSet();
    private DamagedReplicas damaged = DamagedReplicas.NONE;
    private boolean sizesAreDamaged;
    private @Nullable ChangedBlocks changedSizes;
    private @Nullable ChangedBlocks changedBlocks;
    private @Nullable ReplicaMemory freshSizes;
    private @Nullable ReplicaMemory freshBlocks;

    ChangeStaging(StoreState state, Generation current) {
        this.state = state;
        this.current = current;
        grid = state.grid();
    }

    @Override
    public BlockMemory sizes() {
        ChangedBlocks room = ChangedBlocks.ofSize(VariableLayout.SIZE_BYTES, state.pool());
        changedSizes = room;
        return room;
    }

    @Override
    public BlockMemory blocks() {
        ChangedBlocks room = changedSizes == null
                ? ChangedBlocks.ofSize(state.configuration().blockSizeBytes(), state.pool())
                : ChangedBlocks.ofSizes(changedSizes, state.pool());
        changedBlocks = room;
        return room;
    }

    /** They would cover whole chunks, and rarely would a change. */
    @Override
    public boolean takesChecksums() {
        return false;
    }

    @Override
    public Optional<String> error(Coverage coverage) {
        return sizesAreDamaged
                ? Optional.of("sizes of blocks are damaged here: scrub and replenish, and submit the changes again")
                : coverage.complaintOfTwice();
    }

    /** The runs are made anew when the blocks are there too, from old sizes that must be right. */
    @Override
    public void sizesComplete(LongSet unsealedChunks) {
        CheckedMemory sizes = state.checkedSizes(Objects.requireNonNull(current.sizes(), "sizes"));
        sizesAreDamaged = !sizes.checkRunsOf(Objects.requireNonNull(changedSizes, "changedSizes").firstPositions());
        damagedChunks.addAll(sizes.damagedChunks());
    }

    @Override
    public void blocksComplete(LongSet unsealedChunks) {
        ChangedBlocks changes = Objects.requireNonNull(changedBlocks, "changedBlocks");
        LongSet touched = changes.touchedChunks(grid);
        if (state.configuration().checksums()) {
            touched.forEach(this::checkOldBytes);
        }
        if (sizesAreDamaged) {
            return;
        }
        if (current.sizes() != null && !touched.isEmpty()) {
            makeAnew(current.sizes(), Objects.requireNonNull(changedSizes, "changedSizes"), changes, touched);
        }
    }

    /** What of a damaged chunk stays would get a fitting checksum, and nobody would find the damage any more. */
    private void checkOldBytes(long chunkFirst) {
        if (!current.blocks().isSound(chunkFirst)
                || (current.sizes() != null && !current.sizes().isSound(chunkFirst))) {
            damagedChunks.add(chunkFirst);
        }
    }

    private void makeAnew(ReplicaMemory oldSizes, ChangedBlocks newSizes, ChangedBlocks changes, LongSet touched) {
        ReplicaMemory sizes = oldSizes.replacementAt(newSizes.firstPositions(), VariableLayout.SIZE_BYTES);
        freshSizes = sizes;
        newSizes.merge(oldSizes, sizes);
        ReplicaMemory blocks = ReplicaMemory.allocate(sizes, state.checksumGrid(), state.pool());
        freshBlocks = blocks;
        changes.merge(current.blocks(), blocks);
        touched.forEach(chunk -> {
            sizes.seal(chunk);
            blocks.seal(chunk);
        });
    }

    @Override
    public LongSet damagedChunks() {
        return damagedChunks;
    }

    @Override
    public void markDamaged(DamagedReplicas replicas) {
        damaged = replicas;
    }

    @Override
    public long bytes() {
        return (changedBlocks == null ? 0 : changedBlocks.bytes()) + (freshBlocks == null ? 0 : freshBlocks.bytes());
    }

    /** The present generation has the same memory as when this began, but more of it may be known to be damaged. */
    @Override
    public Generation commit(@Nullable Generation present) {
        Generation now = Objects.requireNonNull(present, "present");
        ReplicaMemory blocks = now.blocks();
        ReplicaMemory sizes = now.sizes();
        BlockDirectory directory = now.directory().with(now.directory().damaged().and(damaged));
        ChangedBlocks changes = Objects.requireNonNull(changedBlocks, "changedBlocks");
        if (sizes == null) {
            // A chunk that has been damaged since it was staged keeps its checksum, which gives it away.
            LongSet sound = changes.touchedChunks(grid);
            sound.removeIf((long chunk) -> !blocks.isSound(chunk));
            changes.writeTo(blocks);
            sound.forEach(blocks::seal);
        } else if (freshSizes != null) {
            closeChanges();
            return new Generation(now.number() + 1, directory, blocks.with(Objects.requireNonNull(freshBlocks)),
                    sizes.with(freshSizes));
        }
        closeChanges();
        return new Generation(now.number() + 1, directory, blocks, sizes);
    }

    private void closeChanges() {
        if (changedBlocks != null) {
            changedBlocks.close();
        }
        if (changedSizes != null) {
            changedSizes.close();
        }
    }

    @Override
    public void discard() {
        closeChanges();
        if (freshBlocks != null) {
            freshBlocks.retire();
        }
        if (freshSizes != null) {
            freshSizes.retire();
        }
    }
}
