package org.restorej.internal.storage;

import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectRBTreeMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.lang.foreign.MemorySegment;
import org.restorej.internal.placement.ChunkGrid;

/**
 * New contents of some blocks of one size that a PE holds, kept apart until they replace the old contents. Takes as
 * much memory as the blocks have bytes. Not thread-safe.
 */
public final class ChangedBlocks implements BlockMemory, AutoCloseable {
    private final long blockSizeBytes;
    /** The bytes of consecutive blocks by the position of the first. */
    private final Long2ObjectRBTreeMap<MemorySegment> bytesAt = new Long2ObjectRBTreeMap<>();
    private final PooledMemory memory;

    /** Creates memory without blocks. */
    public ChangedBlocks(long blockSizeBytes, SegmentPool pool) {
        this.blockSizeBytes = blockSizeBytes;
        memory = pool.open();
    }

    /** First positions of all chunks with a changed block. */
    public LongSet touchedChunks(ChunkGrid grid) {
        LongSet chunks = new LongOpenHashSet();
        for (Long2ObjectMap.Entry<MemorySegment> changed : bytesAt.long2ObjectEntrySet()) {
            long end = changed.getLongKey() + countOf(changed.getValue());
            for (long chunk = grid.chunkFirst(changed.getLongKey()); chunk < end; chunk = grid.chunkEnd(chunk)) {
                chunks.add(chunk);
            }
        }
        return chunks;
    }

    private long countOf(MemorySegment bytes) {
        return bytes.byteSize() / blockSizeBytes;
    }

    /** Adds the copies of the changed blocks over the old ones. */
    public void writeTo(ReplicaMemory replicas, Overwrites overwrites) {
        bytesAt.forEach((position, bytes) -> overwrites.add(bytes, replicas.at(position, countOf(bytes))));
    }

    public long bytes() {
        return bytesAt.values().stream().mapToLong(MemorySegment::byteSize).sum();
    }

    /** The memory of consecutive blocks. Allocated at the first call. */
    @Override
    public MemorySegment at(long position, long count) {
        MemorySegment known = bytesAt.get(position);
        if (known != null && countOf(known) == count) {
            return known;
        }
        MemorySegment added = memory.allocate(count * blockSizeBytes, Long.BYTES);
        bytesAt.put(position, added);
        return added;
    }

    /** {@inheritDoc} Changed blocks have none; their holder computes those of their chunks. */
    @Override
    public MemorySegment checksums(long position, long count) {
        return MemorySegment.NULL;
    }

    /** The memory of all blocks. */
    public PooledMemory memory() {
        return memory;
    }

    /** {@inheritDoc} A second call does nothing. */
    @Override
    public void close() {
        memory.close();
    }
}
