package org.restorej;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Settlement;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.placement.RangePermutation;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.storage.BlockLayout;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.UniformLayout;
import org.restorej.internal.storage.VariableLayout;
import org.restorej.internal.transfer.DamageReport;

/**
 * One pull or push, from a wish to blocks in the application's memory.
 *
 * <p>
 * What is wrong with one PE's wish keeps nobody waiting: that PE serves the others all the same, and complains at the
 * end. When a server finds a replica damaged, everything is read again without it. Lost blocks are asked of the
 * fallback; what it can't give either, all PEs learn of. Blocks of different sizes take two passes, as in a submit.
 */
final class ReadOperation {
    /** Moves blocks to those who want them. */
    interface Exchange {
        /** Does it. */
        Delivery run(OperationContext context, BlockDirectory directory, CheckedMemory memory, Target target,
                PooledMemory scratch);

        /** Whether blocks come to a PE that has not asked for them. */
        boolean sendsUnasked();
    }

    /**
     * Where blocks go.
     *
     * @param wanted what this PE wants
     * @param layout where each block begins
     * @param memory off-heap
     */
    record Target(BlockRanges wanted, BlockLayout layout, MemorySegment memory) {}

    /**
     * What has come.
     *
     * @param sound whether all of it fits its checksums
     * @param lost wanted pieces that nobody alive has, as one group
     */
    record Delivery(boolean sound, PieceTable lost) {}

    private final String name;
    private final OperationContext context;
    private final Generation generation;
    private final @Nullable BlockFallback fallback;
    private final ReadDestination destination;
    private final Exchange exchange;
    private final LongSet damagedChunks = new LongOpenHashSet();
    private final List<Throwable> fallbackFailures = new ArrayList<>();
    private BlockDirectory directory;
    private BlockRanges accepted;
    private @Nullable IllegalArgumentException complaint;
    /** Of this PE alone: thrown when the others have what they want from it. */
    private @Nullable Error error;
    private @Nullable PulledBlocks pulled;
    private boolean whole;
    private boolean sound;
    private boolean repeated;

    ReadOperation(String name, OperationContext context, Generation generation, @Nullable BlockFallback fallback,
            BlockRanges wanted, ReadDestination destination, Exchange exchange) {
        this.name = name;
        this.context = context;
        this.generation = generation;
        this.fallback = fallback;
        this.destination = destination;
        this.exchange = exchange;
        directory = generation.directory();
        // Nothing is thrown here: the others are at the read, and wait for this PE.
        complaint = wanted == null
                ? new IllegalArgumentException("wanted must not be null")
                : context.configuration().contains(wanted)
                        ? destination.complaint()
                        : new IllegalArgumentException(context.configuration().outOfRange("wanted", wanted));
        accepted = wanted != null && context.configuration().contains(wanted) ? wanted : BlockRanges.EMPTY;
    }

    /**
     * Runs it. Collective.
     *
     * @return whether everything that any PE wanted has been delivered
     */
    boolean run() {
        int flags = attempt();
        while ((flags & Settlement.SOUND) == 0) {
            directory = directory.with(DamageReport.exchange(context.channel(), directory.damaged(),
                    context.originalRank(), damagedChunks));
            repeated = true;
            flags = attempt();
        }
        if (error != null) {
            throw error;
        }
        if (complaint != null) {
            throw complaint;
        }
        return (flags & Settlement.COMPLETE) != 0;
    }

    /** The damage that is known now, on all PEs. */
    DamagedReplicas damaged() {
        return directory.damaged();
    }

    /** What was brought. */
    PulledBlocks pulled() {
        if (pulled == null) {
            throw new IllegalStateException("the read has not been done");
        }
        return pulled;
    }

    /** Why the fallback could not read some of this PE's blocks. */
    List<Throwable> fallbackFailures() {
        return fallbackFailures;
    }

    private int attempt() {
        PooledMemory scratch = context.channel().openScratch();
        try {
            return context.channel().settle(name, () -> {
                damagedChunks.clear();
                fallbackFailures.clear();
                // Before the first submission a read makes sense with a fallback only.
                whole = generation.number() != Generation.NOTHING || fallback != null;
                sound = true;
                BlockLayout layout = context.configuration().variable()
                        ? readSizes(scratch)
                        : new UniformLayout(accepted.blockCount(), context.configuration().blockSizeBytes());
                if (!context.configuration().variable() || !context.anywhere(!sound)) {
                    readBlocks(layout, scratch);
                }
                return Settlement.flags(true, whole, sound);
            });
        } finally {
            context.channel().release(scratch::close);
        }
    }

    private BlockLayout readSizes(PooledMemory scratch) {
        // What the layout needs must live as long as what it describes.
        SegmentAllocator owner = owner(scratch);
        BlockLayout layout = new UniformLayout(accepted.blockCount(), VariableLayout.SIZE_BYTES);
        // Lost blocks that no fallback knows have no bytes.
        MemorySegment sizes = owner.allocate(layout.bytes()).fill((byte) 0);
        ReplicaMemory held = Objects.requireNonNull(generation.sizes(), "sizes of the generation");
        PieceTable lost = read(context.checkedSizes(held), layout, sizes, scratch);
        readLost(lost, (source, run, slot) -> {
            BlockSizes known = source.sizes(run);
            for (long i = 0; i < run.count(); i++) {
                VariableLayout.putSize(sizes, slot + i, known.bytesOf(run.first() + i));
            }
        });
        return new VariableLayout(sizes, owner);
    }

    private void readBlocks(BlockLayout wantedLayout, PooledMemory scratch) {
        if (complaint == null) {
            complaint = destination.complaint(wantedLayout);
        }
        MemorySegment buffer = buffer(wantedLayout, scratch);
        BlockLayout layout = accepted.isEmpty() ? new UniformLayout(0, 1) : wantedLayout;
        MemorySegment heap = complaint == null && destination instanceof ReadDestination.Given(MemorySegment memory)
                && !memory.isNative() ? memory.asSlice(0, layout.bytes()) : MemorySegment.NULL;
        // What can't be delivered is to stay as it was.
        MemorySegment.copy(heap, 0, buffer, 0, heap.byteSize());
        PieceTable lost = read(context.checkedBlocks(generation.blocks()), layout, buffer, scratch);
        if (repeated) {
            // An attempt before may have brought something damaged, which is not to be mistaken for a block.
            for (int piece = 0; piece < lost.size(); piece++) {
                buffer.asSlice(layout.offset(lost.slot(piece)), layout.bytes(lost.slot(piece), lost.count(piece)))
                        .fill((byte) 0);
            }
        }
        readLost(lost, (source, run, slot) -> source.read(run,
                buffer.asSlice(layout.offset(slot), layout.bytes(slot, run.count()))));
        MemorySegment.copy(buffer, 0, heap, 0, heap.byteSize());
        pulled = new PulledBlocks(accepted, layout, buffer);
    }

    /** Off-heap memory to receive into: the application's if it can be, otherwise some of this operation's. */
    private MemorySegment buffer(BlockLayout layout, PooledMemory scratch) {
        if (complaint == null && destination instanceof ReadDestination.Given(MemorySegment memory)
                && memory.isNative()) {
            return memory;
        }
        if (pulled != null && destination instanceof ReadDestination.Allocated) {
            return pulled.bytes();
        }
        try {
            return owner(scratch).allocate(layout.bytes(), Long.BYTES);
        } catch (OutOfMemoryError noMemory) {
            if (exchange.sendsUnasked()) {
                throw noMemory;
            }
            // A PE that has no memory for its own blocks must still serve the others before it says so.
            error = noMemory;
            accepted = BlockRanges.EMPTY;
            return MemorySegment.NULL;
        }
    }

    private SegmentAllocator owner(PooledMemory scratch) {
        return complaint == null && destination instanceof ReadDestination.Allocated(Arena given) ? given : scratch;
    }

    private PieceTable read(CheckedMemory memory, BlockLayout layout, MemorySegment buffer, PooledMemory scratch) {
        Delivery delivery = exchange.run(context, directory, memory, new Target(accepted, layout, buffer), scratch);
        damagedChunks.addAll(memory.damagedChunks());
        sound &= delivery.sound() && memory.damagedChunks().isEmpty();
        return delivery.lost();
    }

    /** Asks the fallback for something about a run of lost blocks that begins at a slot. */
    @FunctionalInterface
    private interface LostRunReader {
        void read(BlockFallback source, BlockRange run, long slot) throws Exception;
    }

    private void readLost(PieceTable lost, LostRunReader reader) {
        BlockFallback source = fallback;
        if (source == null) {
            whole &= lost.size() == 0;
            return;
        }
        RangePermutation permutation = directory.permutation();
        for (int piece = 0; piece < lost.size(); piece++) {
            long done = 0;
            while (done < lost.count(piece)) {
                long position = lost.position(piece) + done;
                long together = Math.min(lost.count(piece) - done, permutation.runAtPosition(position));
                BlockRange run = BlockRange.of(permutation.blockAt(position), together);
                try {
                    reader.read(source, run, lost.slot(piece) + done);
                } catch (Throwable failure) {
                    // Of the application's making, whatever it is: the blocks are lost then.
                    if (failure instanceof Error own) {
                        error = own;
                    }
                    fallbackFailures.add(failure);
                    whole = false;
                }
                done += together;
            }
        }
    }
}
