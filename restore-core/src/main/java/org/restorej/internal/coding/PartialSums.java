package org.restorej.internal.coding;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.ReplicaMemory;

/**
 * Partial sums of a PE's parity, kept apart until they are to be added: what a run of less than a row contributes, or
 * what changed blocks change. They come under positions behind all others. Takes as much memory as they have bytes. One
 * thread.
 */
public final class PartialSums implements BlockMemory {
    private final RowCode code;
    private final long blockSizeBytes;
    private final SegmentAllocator memory;
    private final List<Sum> sums = new ArrayList<>();

    private record Sum(long position, long count, MemorySegment bytes) {}

    /** None yet; they come to memory of an allocator. */
    public PartialSums(RowCode code, long blockSizeBytes, SegmentAllocator memory) {
        this.code = code;
        this.blockSizeBytes = blockSizeBytes;
        this.memory = memory;
    }

    /** The position that partial sums for a position have: behind all others. */
    public static long positionOf(CodedLayout layout, long position) {
        return layout.placement().blockCount() + position;
    }

    /** Whether a position is one of partial sums. */
    public static boolean isAt(CodedLayout layout, long position) {
        return position >= layout.placement().blockCount();
    }

    /** The position of the parity that a partial sum is for. */
    public static long parityOf(CodedLayout layout, long position) {
        return position - layout.placement().blockCount();
    }

    /** {@inheritDoc} New at each call. */
    @Override
    public MemorySegment at(long position, long count) {
        MemorySegment bytes = memory.allocate(count * blockSizeBytes, Long.BYTES);
        sums.add(new Sum(parityOf(code.layout(), position), count, bytes));
        return bytes;
    }

    /** None: the holder of the parity makes them. */
    @Override
    public MemorySegment checksums(long position, long count) {
        return MemorySegment.NULL;
    }

    /** First positions of the cells that they are for. */
    public LongSet touchedCells() {
        LongSet cells = new LongOpenHashSet();
        sums.forEach(sum -> cells.add(sum.position() - sum.position() % code.layout().cellBlocks()));
        return cells;
    }

    /** Adds them to the parity that they are for. */
    public void addTo(ReplicaMemory parts) {
        sums.forEach(sum -> code.addSum(sum.bytes(), parts.at(sum.position(), sum.count())));
    }

    public long bytes() {
        return sums.stream().mapToLong(sum -> sum.bytes().byteSize()).sum();
    }
}
