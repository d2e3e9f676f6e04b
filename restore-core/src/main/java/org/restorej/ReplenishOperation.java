package org.restorej;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Settlement;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.FailedRanks;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.plan.ReplenishPlan;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.VariableLayout;
import org.restorej.internal.transfer.DamageReport;
import org.restorej.internal.transfer.TransferEngine;

/**
 * One replenishment, from a generation that lacks replicas to the same with all that can be made anew.
 *
 * <p>
 * The new replicas get memory of their own beside the old ones, and belong to the generation once all PEs alive have
 * theirs; otherwise they are freed, and everybody has what it had before. Damaged replicas are overwritten with sound
 * ones where they are: nobody reads them before all have agreed that they are repaired.
 */
final class ReplenishOperation {
    private final OperationContext context;
    private final Generation current;
    private final LongSet damagedChunks = new LongOpenHashSet();
    private BlockDirectory directory;
    private long receivedBytes;
    private @Nullable ReplicaMemory extendedSizes;
    private @Nullable ReplicaMemory extendedBlocks;

    ReplenishOperation(OperationContext context, Generation current) {
        this.context = context;
        this.current = current;
        directory = current.directory();
    }

    /** Bytes of blocks that this PE received. */
    long receivedBytes() {
        return receivedBytes;
    }

    /** Runs it. Collective. Returns the healed generation, the same object where there was nothing to heal. */
    Generation run(FailedRanks failedRanks) {
        ReplicaMap wanted = current.residency().replenished(failedRanks);
        int flags = attempt(wanted);
        while ((flags & Settlement.SOUND) == 0) {
            // What was copied from a damaged replica is of no use.
            discard();
            directory = directory.with(DamageReport.exchange(context.channel(), directory.damaged(),
                    context.originalRank(), damagedChunks));
            flags = attempt(wanted);
        }
        if (extendedBlocks == null) {
            return current;
        }
        return new Generation(current.number(), directory.with(wanted).with(directory.stillDamaged()),
                extendedBlocks, extendedSizes);
    }

    private int attempt(ReplicaMap wanted) {
        try {
            return context.channel().settle("replenish", () -> {
                damagedChunks.clear();
                if (wanted != current.residency() || !directory.damaged().isEmpty()) {
                    copyLostReplicas(wanted);
                }
                return Settlement.flags(true, true, damagedChunks.isEmpty());
            });
        } catch (RuntimeException | Error failure) {
            context.channel().release(this::discard);
            throw failure;
        }
    }

    /** The memory is taken in here, since a PE that has none left must tell the others. */
    private void copyLostReplicas(ReplicaMap wanted) {
        // A new replica is the better use of it; the next submit will hold other runs of blocks anyway.
        context.pool().releaseSpare();
        ReplenishPlan plan = ReplenishPlan.of(directory, wanted, context.peers());
        ReplicaMemory sizes = current.sizes();
        if (sizes != null) {
            ReplicaMemory longer = sizes.extendedFor(wanted, context.originalRank(), VariableLayout.SIZE_BYTES);
            extendedSizes = longer;
            copy(plan, context.checkedSizes(sizes), longer);
            if (context.anywhere(!damagedChunks.isEmpty())) {
                // Where a block begins follows from all sizes before it.
                return;
            }
            extendedBlocks = current.blocks().extendedFor(longer);
        } else {
            extendedBlocks = current.blocks().extendedFor(wanted, context.originalRank(),
                    context.configuration().blockSizeBytes());
        }
        copy(plan, context.checkedBlocks(current.blocks()), extendedBlocks);
    }

    private void copy(ReplenishPlan plan, CheckedMemory source, ReplicaMemory target) {
        receivedBytes = new TransferEngine(context.channel()).replenish(plan, source, target);
        damagedChunks.addAll(source.damagedChunks());
    }

    private void discard() {
        if (extendedBlocks != null) {
            extendedBlocks.closeAllBut(current.blocks());
            extendedBlocks = null;
        }
        if (extendedSizes != null && current.sizes() != null) {
            extendedSizes.closeAllBut(current.sizes());
            extendedSizes = null;
        }
    }
}
