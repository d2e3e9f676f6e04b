package org.restorej;

import java.util.Objects;
import java.util.Optional;
import org.restorej.block.BlockRanges;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.ProcessFailedException;
import org.restorej.internal.access.StoreAccess;
import org.restorej.internal.operation.Generation;
import org.restorej.internal.operation.StoreRanks;
import org.restorej.internal.operation.StoreState;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;
import org.restorej.placement.StoreRank;
import org.restorej.report.StoreReport;

/**
 * What a PE knows of a store without asking others: who is in it, where blocks are, and how it is. Nothing here
 * communicates, or waits for what goes on in the background. One thread, as of {@link ReStore}.
 */
abstract sealed class StoreView permits ReStore {
    static {
        StoreAccess.give(store -> ((StoreView) store).state);
    }

    final StoreState state;

    StoreView(StoreState state) {
        this.state = state;
    }

    /** Whether this PE is a spare that has not yet taken anyone's place. */
    public boolean isIdleSpare() {
        return state.rank() == StoreRanks.NO_RANK;
    }

    /**
     * Rank of this PE in the store: its rank in the communicator that the store was built on, or that of the failed PE
     * whose place it has taken.
     *
     * @throws IllegalStateException on an idle spare
     */
    public StoreRank rank() {
        if (isIdleSpare()) {
            throw new IllegalStateException("this PE is an idle spare and has no rank in the store");
        }
        return StoreRank.of(state.rank());
    }

    /**
     * The rank that a process has in the store, as of the last {@link ReStore#recover}: for what a communicator or a
     * {@link ProcessFailedException} says of processes. One that has failed has its rank until the recover that
     * follows.
     *
     * @return empty for an idle spare, for one that is known to have failed, and for one that has not built the store
     */
    public Optional<StoreRank> rankOf(OriginalRank process) {
        return state.ranks().rankOf(process).stream().mapToObj(StoreRank::of).findFirst();
    }

    /** The process that has a rank of the store, as of the last {@link ReStore#recover}; empty when the rank has failed. */
    public Optional<OriginalRank> processOf(StoreRank rank) {
        Objects.checkIndex(rank.value(), placement().peCount());
        return failedRanks().contains(rank) ? Optional.empty() : Optional.of(state.ranks().processOf(rank.value()));
    }

    /** The ranks of the store that have failed and that no spare has taken over, as of the last {@link ReStore#recover}. */
    public FailedRanks failedRanks() {
        return state.failedRanks();
    }

    /** Where blocks live while everybody is alive. */
    public Placement placement() {
        return state.placement();
    }

    /** The block range, as {@link #placement} numbers them, that a block is in. */
    public int rangeOf(long block) {
        Objects.checkIndex(block, blockCount());
        return placement().rangeOf(state.permutation().positionOf(block));
    }

    /** The blocks of a block range; time linear in its permutation ranges. */
    public BlockRanges blocksIn(int range) {
        Placement placement = placement();
        Objects.checkIndex(range, placement.peCount());
        return BlockRanges.of(state.permutation().blocksAt(placement.firstPosition(range),
                placement.firstPosition(range + 1)));
    }

    /** Size of a block in bytes; where sizes differ, about the size of most blocks. */
    public long blockSizeBytes() {
        return state.configuration().blockSizeBytes();
    }

    /** Number of blocks. */
    public long blockCount() {
        return state.configuration().blocks();
    }

    /** Whether blocks may have different sizes. */
    public boolean hasVariableBlockSizes() {
        return state.configuration().variable();
    }

    /** Number of the generation that can be read: 0 before the first submit, then a higher one after each. */
    public long generation() {
        return state.generationNumber();
    }

    /** Bytes of the replicas that this PE holds. */
    public long replicaBytes() {
        Generation current = state.generation();
        return current == null ? 0 : current.blockBytes();
    }

    /** Blocks that nobody has a sound replica of, as of the last {@link ReStore#recover}; in time linear in what is lost. */
    public BlockRanges lostBlocks() {
        Generation current = state.generation();
        return current == null ? BlockRanges.EMPTY : current.directory().lostBlocks();
    }

    /**
     * How the store is, as far as this PE knows; communicates with nobody, and waits for no submit in the background.
     * Its text is made to be printed. Costs time in what is lost or damaged, not in the number of blocks.
     */
    public StoreReport report() {
        return state.report();
    }

    /**
     * What further failures would do: how likely they lose something before the next {@link ReStore#replenish}, and which
     * block ranges are one failure from loss. Communicates with nobody, and waits for no submit in the background. Time
     * and memory {@code O(P K + K^2 f g)} for f failures and g ring points, plus that of looking up where the blocks at
     * risk are; what a probability takes, {@link StoreRisk} says.
     *
     * @throws IllegalStateException when nothing has been submitted
     */
    public StoreRisk risk() {
        return StoreRisk.of(state.submitted("risk").directory(), failedRanks());
    }

    StoreState state() {
        return state;
    }
}
