package org.restorej.internal.operation;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.settlement.Task;
import org.restorej.internal.coding.Decoder;
import org.restorej.internal.coding.Decoding;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.plan.ReplenishPlan;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.Overwrites;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.VariableLayout;
import org.restorej.internal.transfer.Transfer;
import org.restorej.report.StoreReport.Operation;

/**
 * A replenishment: turns a generation with missing replicas into one with all replicas that can be re-created.
 *
 * <p>
 * New replicas get their own memory beside the old ones. They belong to the generation once all survivors have theirs;
 * otherwise they are freed, and every PE keeps what it had. Damaged replicas are overwritten in place with sound ones.
 * They are not read before all PEs have agreed that they are repaired.
 */
public final class ReplenishOperation extends CollectiveOperation<ReplenishOperation.Replenished> {
    private final Generation current;
    private final ReplicaMap wanted;
    /** Null if there is nothing to copy. */
    private @Nullable ReplenishPlan plan;
    private @Nullable ReplicaMemory extendedSizes;
    private @Nullable ReplicaMemory extendedBlocks;
    /** Blocks computed in the latest attempt. */
    private List<Decoding> computed = List.of();
    /** Prepared before all PEs agree; null if there is nothing to do. */
    private @Nullable Succession succession;

    /**
     * The result on one PE.
     *
     * @param generation with the new replicas; the same object if there was nothing to copy
     * @param receivedBytes bytes of blocks that this PE received
     */
    public record Replenished(Generation generation, long receivedBytes) {}

    /** A replenishment of the present generation. Does nothing before the first submission. */
    public ReplenishOperation(StoreState state) {
        state.checkNothingStaged("replenish");
        this(state, state.readable());
    }

    private ReplenishOperation(StoreState state, Generation current) {
        super(Operation.REPLENISH, "replenish", state, current.directory());
        this.current = current;
        wanted = current.replicaMap().replenished(state.failedRanks());
    }

    @Override
    void begin(PooledMemory scratch) {
        computed = List.of();
        if (current.number() == Generation.NOTHING
                || (wanted == current.replicaMap() && directory().damaged().isEmpty())) {
            plan = null;
            return;
        }
        // New replicas are the better use of this memory. The next submit will need runs of other lengths anyway.
        state.pool().releaseSpare();
        plan = ReplenishPlan.of(directory(), wanted, state.peers());
    }

    @Override
    Task<?> moveSizes(PooledMemory scratch) {
        ReplicaMemory sizes = current.sizes();
        if (plan == null || sizes == null) {
            return Task.done(0L);
        }
        ReplicaMemory longer = sizes.extendedFor(wanted, state.rank(), VariableLayout.SIZE_BYTES);
        extendedSizes = longer;
        return copy(plan, state.checked(sizes), longer, null);
    }

    @Override
    Task<Replenished> moveBlocks(PooledMemory scratch) {
        if (plan == null) {
            return Task.done(new Replenished(current, 0));
        }
        ReplicaMemory longer = extendedSizes == null
                ? held(current.blocks()).extendedFor(wanted, state.rank(),
                        state.configuration().blocks().sizeBytes())
                : current.blocks().extendedFor(extendedSizes);
        extendedBlocks = longer;
        return copy(plan, state.checked(current.blocks()), longer, state.decoder(scratch))
                .then(receivedBytes -> new Replenished(new Generation(current.number(),
                        directory().with(wanted).with(directory().stillDamaged()), longer, extendedSizes),
                        receivedBytes));
    }

    /** The memory without parts that move to another PE. This PE only sends those. */
    private ReplicaMemory held(ReplicaMemory memory) {
        return state.layout().code() == null
                ? memory
                : memory.only(first -> wanted.holderOfPart(first) == state.rank());
    }

    /** Copies pieces. The result is the number of bytes that this PE received. */
    private Task<Long> copy(ReplenishPlan copies, CheckedMemory source, ReplicaMemory target,
            @Nullable Decoder decoder) {
        if (decoder != null) {
            decoder.expect(copies.decodings());
        }
        return Transfer.replenish(state.channel(), copies, source, target,
                (slot, count) -> Objects.requireNonNull(decoder, "decoder").at(slot, count)).then(receivedBytes -> {
                    if (decoder != null) {
                        decoder.decode(decoding -> target.at(decoding.position(), decoding.count()));
                        computed = copies.decodings();
                    }
                    foundDamaged(source.damagedChunks());
                    return receivedBytes;
                });
    }

    /** The checksums of computed blocks. */
    private Overwrites checksumsOfComputed(ReplicaMemory blocks) {
        Overwrites overwrites = new Overwrites();
        ChunkGrid grid = state.layout().grid();
        for (Decoding decoding : computed) {
            long end = decoding.position() + decoding.count();
            for (long chunk = decoding.position(); chunk < end; chunk = grid.chunkEnd(chunk)) {
                overwrites.sealAnew(blocks, chunk);
            }
        }
        return overwrites;
    }

    /** {@inheritDoc} Always: copies of damaged replicas are useless. */
    @Override
    boolean repeatsAfterDamage() {
        return true;
    }

    @Override
    void discard() {
        // It refers to memory that is freed now, and another attempt may have nothing to do.
        succession = null;
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
    void prepareEnd(Replenished result) {
        if (!result.generation().equals(current)) {
            // After all PEs know that the sources were sound. Until then the overwritten replicas count as damaged.
            Overwrites overwrites = checksumsOfComputed(result.generation().blocks());
            succession = new Succession(state.generation(), result.generation(), overwrites, List.of());
        }
    }

    @Override
    Replenished end(Replenished result, boolean completeOnAll) {
        return result;
    }

    @Override
    void publish(Replenished result) {
        if (succession != null) {
            state.commit(succession);
            // Constant data are not submitted again, so the memory of parts that moved away would stay unused.
            state.pool().releaseSpare();
        }
    }
}
