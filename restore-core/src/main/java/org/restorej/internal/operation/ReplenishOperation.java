package org.restorej.internal.operation;

import org.jspecify.annotations.Nullable;
import org.restorej.StoreReport.Operation;
import org.restorej.comm.Task;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.plan.ReplenishPlan;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.VariableLayout;
import org.restorej.internal.transfer.TransferEngine;

/**
 * One replenishment, from a generation that lacks replicas to the same with all that can be made anew.
 *
 * <p>
 * The new replicas get memory of their own beside the old ones, and belong to the generation once all PEs alive have
 * theirs; otherwise they are freed, and everybody has what it had before. Damaged replicas are overwritten with sound
 * ones where they are: nobody reads them before all have agreed that they are repaired.
 */
public final class ReplenishOperation extends CollectiveOperation<ReplenishOperation.Replenished> {
    private final Generation current;
    private final ReplicaMap wanted;
    /** Null when there is nothing to copy. */
    private @Nullable ReplenishPlan plan;
    private @Nullable ReplicaMemory extendedSizes;
    private @Nullable ReplicaMemory extendedBlocks;

    /**
     * The outcome on one PE.
     *
     * @param generation with the new replicas; the same object when there was nothing to copy
     * @param receivedBytes bytes of blocks that this PE received
     */
    public record Replenished(Generation generation, long receivedBytes) {}

    /** A replenishment of the present generation. */
    public ReplenishOperation(StoreState state, Generation current) {
        super(Operation.REPLENISH, "replenish", state, current.directory());
        this.current = current;
        wanted = current.replicaMap().replenished(state.failedRanks());
    }

    @Override
    void begin() {
        if (wanted == current.replicaMap() && directory().damaged().isEmpty()) {
            plan = null;
            return;
        }
        // A new replica is the better use of it; the next submit will hold other runs of blocks anyway.
        state.pool().releaseSpare();
        plan = ReplenishPlan.of(directory(), wanted, state.peers());
    }

    @Override
    Task<?> moveSizes(PooledMemory scratch) {
        return Task.inOneStep(() -> {
            copySizes();
            return true;
        });
    }

    private void copySizes() {
        ReplicaMemory sizes = current.sizes();
        if (plan != null && sizes != null) {
            ReplicaMemory longer = sizes.extendedFor(wanted, state.rank(), VariableLayout.SIZE_BYTES);
            extendedSizes = longer;
            copy(plan, state.checkedSizes(sizes), longer);
        }
    }

    @Override
    Task<Replenished> moveBlocks(PooledMemory scratch) {
        return Task.inOneStep(() -> copyBlocks());
    }

    private Replenished copyBlocks() {
        if (plan == null) {
            return new Replenished(current, 0);
        }
        ReplicaMemory longer = extendedSizes == null
                ? current.blocks().extendedFor(wanted, state.rank(),
                        state.configuration().blockSizeBytes())
                : current.blocks().extendedFor(extendedSizes);
        extendedBlocks = longer;
        long receivedBytes = copy(plan, state.checkedBlocks(current.blocks()), longer);
        return new Replenished(new Generation(current.number(),
                directory().with(wanted).with(directory().stillDamaged()), longer, extendedSizes),
                receivedBytes);
    }

    /** Returns the bytes that this PE has received. */
    private long copy(ReplenishPlan copies, CheckedMemory source, ReplicaMemory target) {
        long receivedBytes = new TransferEngine(state.channel()).replenish(copies, source, target);
        foundDamaged(source.damagedChunks());
        return receivedBytes;
    }

    /** What was copied from a damaged replica is of no use. */
    @Override
    boolean repeatsAfterDamage() {
        return true;
    }

    @Override
    void discard() {
        if (extendedBlocks != null) {
            extendedBlocks.closeAllBut(current.blocks());
            extendedBlocks = null;
        }
        if (extendedSizes != null && current.sizes() != null) {
            extendedSizes.closeAllBut(current.sizes());
            extendedSizes = null;
        }
    }

    @Override
    Replenished end(Replenished result, boolean completeOnAll) {
        return result;
    }

    @Override
    void publish(Replenished result) {
        state.replaceGeneration(result.generation());
    }
}
