package org.restorej.internal.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.settlement.Task;
import org.restorej.internal.coding.Decoder;
import org.restorej.internal.coding.Decoding;
import org.restorej.internal.coding.SizesDecoder;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.plan.Pass;
import org.restorej.internal.plan.ReplenishPlan;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.Overwrites;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.VariableLayout;
import org.restorej.internal.transfer.Transfer;
import org.restorej.report.StoreReport.Operation;

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
    /** Of coded blocks of different sizes. */
    private @Nullable SizesDecoder sizesOfLost;
    private @Nullable ReplicaMemory extendedBlocks;
    /** In the latest attempt. */
    private final List<Computed> computed = new ArrayList<>();
    /** Ready when all PEs agree; null where nothing is to be done. */
    private @Nullable Succession succession;

    /**
     * The outcome on one PE.
     *
     * @param generation with the new replicas; the same object when there was nothing to copy
     * @param receivedBytes bytes of blocks that this PE received
     */
    public record Replenished(Generation generation, long receivedBytes) {}

    /** A replenishment of the present generation; of none, before the first submission, it does nothing. */
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
        computed.clear();
        if (current.number() == Generation.NOTHING
                || (wanted == current.replicaMap() && directory().damaged().isEmpty())) {
            plan = null;
            return;
        }
        // A new replica is the better use of it; the next submit will hold other runs of blocks anyway.
        state.pool().releaseSpare();
        plan = ReplenishPlan.of(directory(), wanted, state.peers(), Pass.BLOCKS);
    }

    @Override
    Task<?> moveSizes(PooledMemory scratch) {
        ReplicaMemory sizes = current.sizes();
        if (plan == null || sizes == null) {
            return Task.done(0L);
        }
        ReplicaMemory longer = held(sizes).extendedFor(wanted, state.rank(), VariableLayout.SIZE_BYTES);
        extendedSizes = longer;
        SizesDecoder decoder = state.sizesDecoder(scratch);
        sizesOfLost = decoder;
        ReplenishPlan ofSizes = decoder == null
                ? plan
                : ReplenishPlan.of(directory(), wanted, state.peers(), Pass.SIZES);
        return copy(ofSizes, state.checked(sizes), longer, decoder);
    }

    @Override
    Task<Replenished> moveBlocks(PooledMemory scratch) {
        if (plan == null) {
            return Task.done(new Replenished(current, 0));
        }
        ReplicaMemory longer = extendedSizes == null
                ? held(current.blocks()).extendedFor(wanted, state.rank(),
                        state.configuration().blocks().sizeBytes())
                : held(current.blocks()).extendedFor(extendedSizes);
        extendedBlocks = longer;
        return copy(plan, state.checked(current.blocks()), longer, state.decoder(sizesOfLost, scratch))
                .then(receivedBytes -> new Replenished(new Generation(current.number(),
                        directory().with(wanted).with(directory().stillDamaged()), longer, extendedSizes),
                        receivedBytes));
    }

    /** Without parts that another PE gets now, which this one only sends. */
    private ReplicaMemory held(ReplicaMemory memory) {
        return state.layout().code() == null
                ? memory
                : memory.only(first -> wanted.holderOfPart(first) == state.rank());
    }

    /** Comes to the bytes that this PE has received. */
    private Task<Long> copy(ReplenishPlan copies, CheckedMemory source, ReplicaMemory target,
            @Nullable Decoder decoder) {
        if (decoder != null) {
            decoder.expect(copies.decodings());
        }
        return Transfer.replenish(state.channel(), copies, source, target,
                (slot, count) -> Objects.requireNonNull(decoder, "decoder").at(slot, count)).then(receivedBytes -> {
                    if (decoder != null) {
                        decoder.decode(decoding -> target.at(decoding.position(), decoding.count()));
                        computed.add(new Computed(copies.decodings(), target));
                    }
                    foundDamaged(source.damagedChunks());
                    return receivedBytes;
                });
    }

    /** What this PE has computed, and where it is. */
    private record Computed(List<Decoding> decodings, ReplicaMemory target) {
        void seal(ChunkGrid grid, Overwrites overwrites) {
            for (Decoding decoding : decodings) {
                long end = decoding.position() + decoding.count();
                for (long chunk = decoding.position(); chunk < end; chunk = grid.chunkEnd(chunk)) {
                    overwrites.sealAnew(target, chunk);
                }
            }
        }
    }

    /** What was copied from a damaged replica is of no use. */
    @Override
    boolean repeatsAfterDamage() {
        return true;
    }

    @Override
    void discard() {
        // It is of memory that goes now, and another attempt may have nothing to do.
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
            Overwrites overwrites = new Overwrites();
            // Only when all PEs know that the sources were sound; till then what is written over counts as damaged.
            computed.forEach(each -> each.seal(state.layout().grid(), overwrites));
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
            // Data that never change are not submitted again, and nothing else would take what moved parts had here.
            state.pool().releaseSpare();
        }
    }
}
