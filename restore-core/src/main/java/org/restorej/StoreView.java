package org.restorej;

import java.util.Objects;
import java.util.Optional;
import org.restorej.block.BlockRanges;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.ProcessFailedException;
import org.restorej.internal.access.StoreHandle;
import org.restorej.internal.operation.Generation;
import org.restorej.internal.operation.StoreRanks;
import org.restorej.internal.operation.StoreState;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;
import org.restorej.placement.StoreRank;
import org.restorej.report.StoreReport;

/**
 * The local queries of a store: its ranks, its placement and its state. They neither communicate nor wait for
 * background operations. Not thread-safe, as {@link ReStore}.
 */
abstract sealed class StoreView extends StoreHandle permits ReStore {
    StoreView(StoreState state) {
        super(state);
    }

    /** Whether this PE is a spare that has not yet taken a failed PE's rank. */
    public boolean isIdleSpare() {
        return state.rank() == StoreRanks.NO_RANK;
    }

    /**
     * Rank of this PE in the store: its rank in the communicator on which the store was built, or the rank of the
     * failed PE that it has replaced.
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
     * The store rank of a PE, as of the last {@link ReStore#recover}. Translates the PEs that a communicator
     * or a {@link ProcessFailedException} names. A PE that fails keeps its rank until the next recover.
     *
     * @return empty for an idle spare, for a PE known to have failed, and for one that has not built the store
     */
    public Optional<StoreRank> rankOf(OriginalRank pe) {
        return state.ranks().rankOf(pe).stream().mapToObj(StoreRank::of).findFirst();
    }

    /** The PE that has a store rank, as of the last {@link ReStore#recover}; empty if the rank has failed. */
    public Optional<OriginalRank> processOf(StoreRank rank) {
        Objects.checkIndex(rank.value(), placement().peCount());
        return failedRanks().contains(rank) ? Optional.empty() : Optional.of(state.ranks().processOf(rank.value()));
    }

    /** The store ranks that have failed and that no spare has taken over, as of the last {@link ReStore#recover}. */
    public FailedRanks failedRanks() {
        return state.failedRanks();
    }

    /** The placement of blocks without failures. */
    public Placement placement() {
        return state.layout().placement();
    }

    /** The blocks of a block range, as {@link #placement} numbers them. Takes time linear in its permutation ranges. */
    public BlockRanges blocksIn(int range) {
        Placement placement = placement();
        Objects.checkIndex(range, placement.peCount());
        return BlockRanges.of(state.layout().permutation().blocksAt(placement.firstPosition(range),
                placement.firstPosition(range + 1)));
    }

    /** Size of a block in bytes; with variable sizes, about the size of most blocks. */
    public long blockSizeBytes() {
        return state.configuration().blocks().sizeBytes();
    }

    /** Number of blocks. */
    public long blockCount() {
        return state.configuration().blocks().count();
    }

    /** Whether blocks may have different sizes. */
    public boolean hasVariableBlockSizes() {
        return state.configuration().blocks().variable();
    }

    /** Number of the generation that is read: 0 before the first submit, and larger after each submit. */
    public long generation() {
        return state.generationNumber();
    }

    /** Bytes of the replicas that this PE holds. */
    public long replicaBytes() {
        Generation current = state.generation();
        return current == null ? 0 : current.blockBytes();
    }

    /**
     * Blocks of which no sound replica is left, as of the last {@link ReStore#recover}. Takes time linear in what is
     * lost.
     */
    public BlockRanges lostBlocks() {
        Generation current = state.generation();
        return current == null ? BlockRanges.EMPTY : current.directory().lostBlocks();
    }

    /**
     * The state of the store as far as this PE knows it, with a text to be printed. Neither communicates nor waits for
     * a submit in the background. Takes time linear in what is lost or damaged, not in the number of blocks.
     */
    public StoreReport report() {
        return state.report();
    }

    /**
     * The probability that further failures lose data before the next {@link ReStore#replenish}, and the block ranges
     * that are one failure from loss. Neither communicates nor waits for a submit in the background. Takes time and
     * memory {@code O(P K + K^2 f g)} for f failures and g ring points, plus the lookup of the blocks at risk. For the
     * cost of a probability see {@link StoreRisk}.
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
