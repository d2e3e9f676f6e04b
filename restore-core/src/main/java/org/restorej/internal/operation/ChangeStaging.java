package org.restorej.internal.operation;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.internal.coding.PartialSums;
import org.restorej.internal.coding.RowCode;
import org.restorej.internal.placement.BlockPositions;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.plan.Coverage;
import org.restorej.internal.plan.SourceRuns;
import org.restorej.internal.storage.BlockLayout;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.ChangedBlocks;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.UniformLayout;
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
    /** Of coded blocks, when their changes have come. */
    private @Nullable PartialSums parityChanges;
    private @Nullable PooledMemory parityMemory;
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
        if (state.code() != null && !damagedChunks.isEmpty()) {
            // Parity would get a sum with bytes that it is not of.
            return Optional.of("old bytes of changed blocks are damaged here: scrub and replenish, and submit the "
                    + "changes again");
        }
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

    /**
     * The sums of old and new bytes of the changed blocks that this PE has, of coded blocks; parity changes by what they
     * contribute.
     *
     * @param memory for them
     */
    SourceRuns sumsOfOldAndNew(RowCode code, BlockPositions positions, SegmentAllocator memory) {
        List<SourceRuns.Run> sums = new ArrayList<>();
        long blockSizeBytes = state.configuration().blockSizeBytes();
        Objects.requireNonNull(changedBlocks, "changedBlocks").forEachRun((position, count, bytes) -> {
            MemorySegment sum = memory.allocate(bytes.byteSize(), Long.BYTES).copyFrom(bytes);
            code.addSum(current.blocks().at(position, count), sum);
            long offset = 0;
            for (BlockRange run : positions.blocksAt(position, position + count)) {
                BlockLayout layout = new UniformLayout(run.count(), blockSizeBytes);
                sums.add(new SourceRuns.Run(run, layout, sum.asSlice(offset, layout.bytes())));
                offset += layout.bytes();
            }
        });
        return new SourceRuns(sums);
    }

    /** Memory for the changes of parity that this PE has. */
    PartialSums parityChanges(RowCode code) {
        PooledMemory opened = state.pool().open();
        parityMemory = opened;
        PartialSums sums = new PartialSums(code, state.configuration().blockSizeBytes(), opened);
        parityChanges = sums;
        return sums;
    }

    /** All changes of parity have come. */
    void parityComplete() {
        if (state.configuration().checksums()) {
            Objects.requireNonNull(parityChanges, "parityChanges").touchedCells().forEach(this::checkOldBytes);
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
        return (changedBlocks == null ? 0 : changedBlocks.bytes())
                + (parityChanges == null ? 0 : parityChanges.bytes()) + (freshBlocks == null ? 0 : freshBlocks.bytes());
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
            if (parityChanges != null) {
                LongSet soundParity = parityChanges.touchedCells();
                soundParity.removeIf((long cell) -> !blocks.isSound(cell));
                parityChanges.addTo(blocks);
                sound.addAll(soundParity);
            }
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
        if (parityMemory != null) {
            parityMemory.close();
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
