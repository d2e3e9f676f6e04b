package org.restorej.internal.operation;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.coding.PartialSums;
import org.restorej.internal.coding.RowCode;
import org.restorej.internal.coding.RowSizes;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.plan.Coverage;
import org.restorej.internal.plan.SubmitPlanner;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.ChangedBlocks;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.Overwrites;
import org.restorej.internal.storage.PooledMemory;
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
    /** Under the positions of contributions those of coded blocks whose parity this PE has. */
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
        return sizesAreDamaged
                ? Optional.of("sizes of blocks are damaged here: scrub and replenish, and submit the changes again, "
                        + "or, if blocks are lost, submit all blocks")
                : coverage.complaintOfTwice();
    }

    /** The runs are made anew when the blocks are there too, from old sizes that must be right. */
    @Override
    public void sizesComplete(LongSet unsealedChunks) {
        CheckedMemory sizes = state.checked(Objects.requireNonNull(current.sizes(), "sizes"));
        sizesAreDamaged = !sizes.checkRunsOf(touchedPositions());
        damagedChunks.addAll(sizes.damagedChunks());
    }

    /** Positions in all runs that have changed blocks, or parity of them. */
    private long[] touchedPositions() {
        CodedLayout layout = current.directory().layout();
        return Arrays.stream(Objects.requireNonNull(changedSizes, "changedSizes").firstPositions())
                .map(first -> layout != null && layout.isContribution(first) ? layout.parityCell(first) : first)
                .toArray();
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
        if (current.sizes() != null && touchedPositions().length > 0) {
            makeAnew(current.sizes(), Objects.requireNonNull(changedSizes, "changedSizes"), changes, touched);
        }
    }

    /**
     * What changes of the cells that this PE has, of coded blocks; parity changes by what that contributes.
     *
     * @param memory for the sums of old and new bytes
     */
    List<SubmitPlanner.CellChange> cellChanges(RowCode code, SegmentAllocator memory) {
        List<SubmitPlanner.CellChange> cells = new ArrayList<>();
        if (changedSizes == null) {
            Objects.requireNonNull(changedBlocks, "changedBlocks").forEachRun((position, count, bytes) -> {
                MemorySegment sum = memory.allocate(bytes.byteSize(), Long.BYTES).copyFrom(bytes);
                code.addSum(current.blocks().at(position, count), sum);
                cells.add(new SubmitPlanner.CellChange(position, count, sum));
            });
            return cells;
        }
        ReplicaMemory old = current.blocks();
        ReplicaMemory fresh = freshBlocks == null ? old : freshBlocks;
        long cellBlocks = code.layout().cellBlocks();
        long[] movedCell = {-1};
        changedSizes.forEachRun((position, count, _) -> {
            long cell = position - position % cellBlocks;
            if (code.layout().isContribution(position) || cell == movedCell[0]) {
                // Not of this PE, or part of what has moved behind another run.
                return;
            }
            long blocks = position + count - cell;
            long offset = fresh.at(cell, position - cell).byteSize();
            long bytes = PartialSums.endOfChange(old.at(cell, blocks).byteSize(), fresh.at(cell, blocks).byteSize(),
                    old.at(cell, cellBlocks).byteSize(), fresh.at(cell, cellBlocks).byteSize()) - offset;
            MemorySegment sum = memory.allocate(bytes, Long.BYTES).fill((byte) 0);
            for (ReplicaMemory version : List.of(old, fresh)) {
                MemorySegment changed = version.at(cell, cellBlocks).asSlice(offset);
                long there = Math.min(bytes, changed.byteSize());
                code.addSum(changed.asSlice(0, there), sum.asSlice(0, there));
            }
            cells.add(new SubmitPlanner.CellChange(position, count, sum));
            movedCell[0] = old.at(cell, blocks).byteSize() == fresh.at(cell, blocks).byteSize() ? -1 : cell;
        });
        return cells;
    }

    /** Memory for the changes of parity that this PE has. */
    PartialSums parityChanges(RowCode code) {
        PooledMemory opened = state.pool().open();
        parityMemory = opened;
        PartialSums sums = new PartialSums(code, freshBlocks == null ? current.blocks() : freshBlocks,
                current.blocks(), opened);
        parityChanges = sums;
        return sums;
    }

    /** All changes of parity have come. */
    void parityComplete() {
        PartialSums sums = Objects.requireNonNull(parityChanges, "parityChanges");
        if (state.configuration().checksums()) {
            sums.touchedCells().forEach(this::checkOldBytes);
        }
        if (freshBlocks != null) {
            sums.addTo(freshBlocks);
            sums.touchedCells().forEach(freshBlocks::seal);
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
        ReplicaMemory sizes = oldSizes.replacementAt(touchedPositions(), VariableLayout.SIZE_BYTES);
        freshSizes = sizes;
        newSizes.merge(oldSizes, sizes);
        if (state.code() != null) {
            RowSizes rows = new RowSizes(state.code().layout(), sizes);
            newSizes.forEachRun((position, count, bytes) -> rows.at(position, count).copyFrom(bytes));
            Arrays.stream(touchedPositions()).map(grid::chunkFirst).forEach(sizes::seal);
        }
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
    public Succession prepare(@Nullable Generation present, long number) {
        Generation now = Objects.requireNonNull(present, "present");
        BlockDirectory directory = now.directory().with(now.directory().damaged().and(damaged));
        Overwrites overwrites = new Overwrites();
        ReplicaMemory blocks = now.blocks();
        ReplicaMemory sizes = now.sizes();
        if (sizes == null) {
            overwrite(blocks, overwrites);
        } else if (freshSizes != null) {
            blocks = blocks.with(Objects.requireNonNull(freshBlocks));
            sizes = sizes.with(freshSizes);
        }
        return new Succession(now, new Generation(number, directory, blocks, sizes), overwrites, changes());
    }

    private void overwrite(ReplicaMemory blocks, Overwrites overwrites) {
        ChangedBlocks changes = Objects.requireNonNull(changedBlocks, "changedBlocks");
        changes.writeTo(blocks, overwrites);
        changes.touchedChunks(grid).forEach((long chunk) -> overwrites.seal(blocks, chunk));
        if (parityChanges != null) {
            parityChanges.addTo(blocks, overwrites, Objects.requireNonNull(parityMemory));
            parityChanges.touchedCells().forEach((long cell) -> overwrites.seal(blocks, cell));
        }
    }

    /** The memory that only the changes are in. */
    private List<PooledMemory> changes() {
        return Stream.of(changedBlocks == null ? null : changedBlocks.memory(),
                changedSizes == null ? null : changedSizes.memory(), parityMemory).filter(Objects::nonNull).toList();
    }

    @Override
    public void discard() {
        changes().forEach(PooledMemory::close);
        if (freshBlocks != null) {
            freshBlocks.retire();
        }
        if (freshSizes != null) {
            freshSizes.retire();
        }
    }
}
