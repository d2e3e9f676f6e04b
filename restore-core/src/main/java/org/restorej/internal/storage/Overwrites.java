package org.restorej.internal.storage;

import it.unimi.dsi.fastutil.longs.Long2IntMap;
import it.unimi.dsi.fastutil.longs.Long2IntRBTreeMap;
import it.unimi.dsi.fastutil.longs.Long2IntSortedMap;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Replacements of bytes of replicas in place, with the resulting checksums of their chunks. Everything is computed in
 * advance: {@link #apply} copies, allocates nothing, and can't fail. Not thread-safe.
 */
public final class Overwrites {
    private final List<MemorySegment> sources = new ArrayList<>();
    private final List<MemorySegment> targets = new ArrayList<>();
    /** By start address of a target, its index in the lists; without checksums. */
    private final Long2IntSortedMap byAddress = new Long2IntRBTreeMap();

    /** Creates an empty list. */
    public Overwrites() {}

    /**
     * Adds a replacement.
     *
     * @param source must not change until it is written
     * @param target of the same length; overlaps no other one
     */
    public void add(MemorySegment source, MemorySegment target) {
        byAddress.put(target.address(), targets.size());
        addPair(source, target);
    }

    private void addPair(MemorySegment source, MemorySegment target) {
        sources.add(source);
        targets.add(target);
    }

    /**
     * Adds the checksum that a chunk will have after all added replacements. A chunk whose current bytes don't match
     * its checksum keeps the checksum, so that the damage stays detectable.
     */
    public void seal(ReplicaMemory memory, long chunkFirst) {
        if (memory.isSound(chunkFirst)) {
            sealAnew(memory, chunkFirst);
        }
    }

    /**
     * Adds the checksum of a chunk whose bytes are all replaced, even if they don't match the current one; see
     * {@link #seal}.
     */
    public void sealAnew(ReplicaMemory memory, long chunkFirst) {
        ReplicaRun run = memory.runOf(chunkFirst, 1);
        int[] checksum = {checksumThen(run.chunk(chunkFirst))};
        addPair(MemorySegment.ofArray(checksum), run.checksum(chunkFirst));
    }

    private int checksumThen(MemorySegment chunk) {
        CRC32C crc = new CRC32C();
        long begin = chunk.address();
        long next = 0;
        for (Long2IntMap.Entry each : byAddress.tailMap(firstTouching(begin)).headMap(begin + chunk.byteSize())
                .long2IntEntrySet()) {
            MemorySegment source = sources.get(each.getIntValue());
            long from = each.getLongKey() - begin;
            long to = Math.min(from + source.byteSize(), chunk.byteSize());
            if (to > next) {
                Checksum.add(crc, chunk.asSlice(next, Math.max(from, next) - next));
                next = Math.max(from, next);
                Checksum.add(crc, source.asSlice(next - from, to - next));
                next = to;
            }
        }
        Checksum.add(crc, chunk.asSlice(next));
        return (int) crc.getValue();
    }

    /** Start address of the last target that begins at or before an address. */
    private long firstTouching(long address) {
        Long2IntSortedMap before = byAddress.headMap(address + 1);
        return before.isEmpty() ? address : before.lastLongKey();
    }

    /** Writes all replacements. */
    public void apply() {
        for (int index = 0; index < targets.size(); index++) {
            targets.get(index).copyFrom(sources.get(index));
        }
    }
}
