package org.restorej.internal.coding;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.SegmentPool;

/**
 * What changed blocks change of a PE's parity, kept apart until it is to be added: partial sums of old and new bytes.
 * Takes as much memory as these have bytes. One thread.
 */
public final class ParityChanges implements BlockMemory, AutoCloseable {
    private final RowCode code;
    private final long blockSizeBytes;
    private final PooledMemory memory;
    private final List<Change> changes = new ArrayList<>();

    private record Change(long position, long count, MemorySegment bytes) {}

    /** None yet. */
    public ParityChanges(RowCode code, long blockSizeBytes, SegmentPool pool) {
        this.code = code;
        this.blockSizeBytes = blockSizeBytes;
        memory = pool.open();
    }

    /** {@inheritDoc} Of partial sums only; new at each call. */
    @Override
    public MemorySegment at(long position, long count) {
        MemorySegment bytes = memory.allocate(count * blockSizeBytes, Long.BYTES);
        changes.add(new Change(ParityMemory.ofPartialSum(code.layout(), position), count, bytes));
        return bytes;
    }

    /** The holder makes them itself. */
    @Override
    public MemorySegment checksums(long position, long count) {
        return MemorySegment.NULL;
    }

    /** First positions of the cells that change. */
    public LongSet touchedCells() {
        LongSet cells = new LongOpenHashSet();
        changes.forEach(change -> cells.add(change.position() - change.position() % code.layout().cellBlocks()));
        return cells;
    }

    /** Adds them to the parity that they are of. */
    public void addTo(ReplicaMemory parts) {
        changes.forEach(change -> code.addSum(change.bytes(), parts.at(change.position(), change.count())));
    }

    public long bytes() {
        return changes.stream().mapToLong(change -> change.bytes().byteSize()).sum();
    }

    /** {@inheritDoc} A second call does nothing. */
    @Override
    public void close() {
        memory.close();
    }
}
