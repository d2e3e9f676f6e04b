package org.restorej.internal.operation;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRanges;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.Request;
import org.restorej.internal.settlement.Task;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.plan.ReadPlanner;
import org.restorej.internal.storage.BlockLayout;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.UniformLayout;
import org.restorej.internal.storage.VariableLayout;
import org.restorej.internal.transfer.ReadPayload;
import org.restorej.internal.transfer.Transfer;
import org.restorej.placement.FailedRanks;
import org.restorej.report.StoreReport.Operation;

/**
 * A pull of the blocks that this PE wants into the application's memory.
 *
 * <p>
 * A PE with an invalid request, or without memory for its blocks, still serves the others, and throws at the end. Lost
 * blocks are requested from the fallback. All PEs learn of those that the fallback doesn't have either.
 */
public final class ReadOperation extends CollectiveOperation<ReadOperation.Delivered> {
    private final Generation generation;
    private final LostBlockReader fallback;
    /** Memory of the application for the blocks, on or off the heap; null if an arena allocates it. */
    private final @Nullable MemorySegment destination;
    private final @Nullable Arena arena;
    /** The wanted blocks that this PE requests. */
    private BlockRanges accepted = BlockRanges.EMPTY;
    /** An error of this PE alone, thrown after the others have their blocks. */
    private @Nullable IllegalArgumentException refusal;
    /**
     * An error of this PE alone, thrown before a refusal, unless all PEs throw. Kept if the read is repeated: this PE
     * requests nothing any more.
     */
    private @Nullable OutOfMemoryError outOfMemory;
    private @Nullable BlockLayout layout;
    private @Nullable Delivered delivered;
    /** The replicas that this PE reads, for itself and, until the attempt is settled, for the others. */
    private @Nullable CheckedMemory source;
    private boolean repeated;

    /**
     * The blocks that a read delivers to this PE, consecutive in ascending order of ids.
     *
     * @param ids their ids
     * @param layout their places
     * @param bytes at least as long as all blocks; on the heap if the application's memory is
     */
    public record Delivered(BlockRanges ids, BlockLayout layout, MemorySegment bytes) {}

    /** Creates a read. Nothing is thrown here: the other PEs wait for this one in the read. */
    private ReadOperation(StoreState state, Generation generation, LostBlockReader fallback,
            @Nullable BlockRanges wanted, @Nullable MemorySegment destination, @Nullable Arena arena,
            @Nullable IllegalArgumentException destinationError) {
        super(Operation.PULL, Operation.PULL.text(), state, generation.directory());
        this.generation = generation;
        this.fallback = fallback;
        this.destination = destination;
        this.arena = arena;
        if (wanted == null) {
            refusal = new IllegalArgumentException("wanted must not be null");
        } else if (!state.configuration().blocks().contains(wanted)) {
            refusal = new IllegalArgumentException(state.configuration().blocks().outOfRange("wanted", wanted));
        } else {
            accepted = wanted;
            refusal = destinationError;
        }
    }

    /**
     * Creates a read into memory of the application, without starting it.
     *
     * @param wanted null if the application passed null, which is thrown at the end
     * @param destination on or off the heap; null if the application passed null
     */
    public static ReadOperation into(StoreState state, LostBlockReader fallback, @Nullable BlockRanges wanted,
            @Nullable MemorySegment destination) {
        return new ReadOperation(state, state.readable(), fallback, wanted, destination, null, errorOf(destination));
    }

    /**
     * Creates a read into memory that it allocates, without starting it.
     *
     * @param wanted null if the application passed null, which is thrown at the end
     * @param arena of the application or of the caller; null if the application passed null
     */
    public static ReadOperation allocating(StoreState state, LostBlockReader fallback, @Nullable BlockRanges wanted,
            @Nullable Arena arena) {
        return new ReadOperation(state, state.readable(), fallback, wanted, null, arena, errorOf(arena));
    }

    private static @Nullable IllegalArgumentException errorOf(@Nullable MemorySegment destination) {
        if (destination == null) {
            return new IllegalArgumentException("destination must not be null");
        }
        if (!destination.scope().isAlive() || !destination.isAccessibleBy(Thread.currentThread())) {
            return new IllegalArgumentException(
                    "destination must be memory of an open arena that this thread may access: " + destination);
        }
        return destination.isReadOnly()
                ? new IllegalArgumentException("destination must be writable: it is read-only")
                : null;
    }

    private static @Nullable IllegalArgumentException errorOf(@Nullable Arena arena) {
        if (arena == null) {
            return new IllegalArgumentException("arena must not be null");
        }
        try {
            arena.allocate(0);
            return null;
        } catch (RuntimeException | Error unusable) {
            // An arena may be implemented by the application: none of its exceptions may leave the other PEs waiting.
            return new IllegalArgumentException("arena must be open and this thread's to use: " + unusable.getMessage(),
                    unusable);
        }
    }

    private static @Nullable IllegalArgumentException errorOf(MemorySegment destination, BlockLayout layout) {
        if (destination.byteSize() >= layout.bytes()) {
            return null;
        }
        return new IllegalArgumentException("destination must have at least " + layout.bytes() + " bytes, "
                + layout.count() + " blocks" + (layout.count() == 0 || layout.bytes() % layout.count() != 0
                        ? ""
                        : " of " + layout.bytes() / layout.count())
                + ": destination.byteSize()=" + destination.byteSize());
    }

    @Override
    void begin(PooledMemory scratch) {
        source = null;
        fallback.begin();
        if (!fallback.isThere() && generation.number() == Generation.NOTHING) {
            // Before the first submission a read makes sense only with a fallback.
            foundIncomplete();
        }
    }

    @Override
    Task<?> moveSizes(PooledMemory scratch) {
        // Memory that the layout refers to must live as long as the blocks.
        SegmentAllocator owner = owner(scratch);
        BlockLayout sizeLayout = new UniformLayout(accepted.blockCount(), VariableLayout.SIZE_BYTES);
        // Lost blocks that the fallback doesn't have get no bytes.
        MemorySegment sizes = owner.allocate(sizeLayout.bytes()).fill((byte) 0);
        ReplicaMemory held = Objects.requireNonNull(generation.sizes(), "sizes of the generation");
        return read(state.checked(held), sizeLayout, sizes, scratch, this::beginComparing)
                .then(lost -> {
                    if (!fallback.readSizes(lost, directory().permutation(), sizes)) {
                        foundIncomplete();
                    }
                    layout = new VariableLayout(sizes, owner);
                    return lost;
                });
    }

    @Override
    Task<Delivered> moveBlocks(PooledMemory scratch) {
        BlockLayout wantedLayout = layout == null
                ? new UniformLayout(accepted.blockCount(), state.configuration().blocks().sizeBytes())
                : layout;
        if (refusal == null && destination != null) {
            refusal = errorOf(destination, wantedLayout);
        }
        MemorySegment buffer = buffer(wantedLayout, scratch);
        BlockLayout target = accepted.isEmpty() ? new UniformLayout(0, 1) : wantedLayout;
        MemorySegment heap = refusal == null && destination != null && !destination.isNative()
                ? destination.asSlice(0, target.bytes())
                : MemorySegment.NULL;
        // Blocks that can't be delivered must remain unchanged.
        MemorySegment.copy(heap, 0, buffer, 0, heap.byteSize());
        CheckedMemory blocks = state.checked(generation.blocks());
        source = blocks;
        return read(blocks, target, buffer, scratch, null).then(lost -> {
            takeCareOfLost(lost, target, buffer);
            MemorySegment.copy(buffer, 0, heap, 0, heap.byteSize());
            // The buffer for a heap destination lives only until the end of the attempt.
            Delivered all = new Delivered(accepted, target, heap.isNative() ? buffer : heap);
            delivered = all;
            return all;
        });
    }

    private void takeCareOfLost(PieceTable lost, BlockLayout target, MemorySegment buffer) {
        if (repeated) {
            // An earlier attempt may have left damaged data, which must not be taken for a block.
            for (int piece = 0; piece < lost.size(); piece++) {
                target.slice(buffer, lost.slot(piece), lost.count(piece)).fill((byte) 0);
            }
        }
        if (!fallback.readBlocks(lost, directory().permutation(), buffer, target)) {
            foundIncomplete();
        }
    }

    /** Off-heap memory to receive into: the application's if possible, otherwise this operation's. */
    private MemorySegment buffer(BlockLayout wantedLayout, PooledMemory scratch) {
        if (refusal == null && destination != null && destination.isNative()) {
            return destination;
        }
        if (refusal == null && delivered != null && arena != null
                && delivered.bytes().byteSize() >= wantedLayout.bytes()) {
            return delivered.bytes();
        }
        try {
            return owner(scratch).allocate(wantedLayout.bytes(), Long.BYTES);
        } catch (OutOfMemoryError noMemory) {
            // This PE must serve the others before it throws.
            outOfMemory = noMemory;
            accepted = BlockRanges.EMPTY;
            return MemorySegment.NULL;
        }
    }

    private SegmentAllocator owner(PooledMemory scratch) {
        return refusal == null && arena != null ? arena : scratch;
    }

    /**
     * Reads the wanted pieces. The result is those of which no survivor has a sound replica, as one group.
     *
     * @param last begins the collective call after which all PEs have their pieces; null if the settlement follows
     */
    private Task<PieceTable> read(CheckedMemory memory, BlockLayout target, MemorySegment buffer, PooledMemory scratch,
            @Nullable Function<Boolean, Request> last) {
        long blockSizeBytes = state.configuration().blocks().sizeBytes();
        ReadPlanner planner = new ReadPlanner(directory(), state.peers(), accepted, blockSizeBytes);
        ReadPayload payload = new ReadPayload(memory, target, buffer, state.decoder(scratch), scratch);
        Task<Boolean> transfer = Transfer.pull(state.channel(), planner, payload, last);
        return transfer.then(sound -> {
            foundDamaged(memory.damagedChunks());
            if (!sound) {
                foundUnsound();
            }
            return planner.lost();
        });
    }

    @Override
    void settledAttempt() {
        if (source != null) {
            foundDamaged(source.damagedChunks());
        }
    }

    @Override
    boolean repeatsAfterDamage() {
        noteDamage();
        repeated = true;
        return true;
    }

    @Override
    Delivered end(Delivered result, boolean completeOnAll) {
        if (outOfMemory != null && completeOnAll) {
            throw outOfMemory;
        }
        fallback.throwError();
        if (refusal != null) {
            throw refusal;
        }
        if (!completeOnAll) {
            RuntimeException loss = loss();
            fallback.addFailures(loss);
            if (outOfMemory != null) {
                loss.addSuppressed(outOfMemory);
            }
            throw loss;
        }
        return result;
    }

    private RuntimeException loss() {
        FailedRanks failedRanks = state.failedRanks();
        if (generation.number() != Generation.NOTHING) {
            return new IrrecoverableDataLossException(directory().lostBlocks(), failedRanks);
        }
        return failedRanks.isEmpty()
                ? new IllegalStateException(name
                        + " needs a submission: nothing has been submitted, and no fallback has read all blocks that "
                        + "were wanted")
                : IrrecoverableDataLossException.withoutSubmission(directory().lostBlocks(), failedRanks);
    }
}
