package org.restorej.internal.storage;

import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectRBTreeMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.lang.foreign.MemorySegment;
import org.restorej.internal.placement.ChunkGrid;

/**
 * New contents of some blocks of one size that a PE holds, kept apart until they are to replace the old ones. Takes as
 * much memory as they have bytes. Not thread-safe.
 */
public final class ChangedBlocks implements BlockMemory, AutoCloseable {
    private final long blockSizeBytes;
    /** The bytes of consecutive blocks by the position of the first. */
    private final Long2ObjectRBTreeMap<MemorySegment> bytesAt = new Long2ObjectRBTreeMap<>();
    private final PooledMemory memory;

    /** Room for blocks, of which none has come. */
    public ChangedBlocks(long blockSizeBytes, SegmentPool pool) {
        this.blockSizeBytes = blockSizeBytes;
        memory = pool.open();
    }

    /** First positions of all chunks that have a changed block. */
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

    /** Has the changed blocks written over the old ones. */
    public void writeTo(ReplicaMemory replicas, Overwrites overwrites) {
        bytesAt.forEach((position, bytes) -> overwrites.add(bytes, replicas.at(position, countOf(bytes))));
    }

    public long bytes() {
        return bytesAt.values().stream().mapToLong(MemorySegment::byteSize).sum();
    }

    /** The memory of consecutive blocks, which is allocated when it is first asked for. */
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

    /** Changed blocks have none: the holder makes new ones for their chunks. */
    @Override
    public MemorySegment checksums(long position, long count) {
        return MemorySegment.NULL;
    }

    /** What the blocks are in. */
    public PooledMemory memory() {
        return memory;
    }

    /** {@inheritDoc} A second call does nothing. */
    @Override
    public void close() {
        memory.close();
    }
}
