package org.restorej.internal.storage;

import it.unimi.dsi.fastutil.longs.Long2IntMap;
import it.unimi.dsi.fastutil.longs.Long2IntRBTreeMap;
import it.unimi.dsi.fastutil.longs.Long2IntSortedMap;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Bytes of replicas that are to be replaced where they are, with the checksums that their chunks have then. All is
 * computed beforehand: {@link #apply} copies, allocates nothing, and can't fail. Not thread-safe.
 */
public final class Overwrites {
    private final List<MemorySegment> sources = new ArrayList<>();
    private final List<MemorySegment> targets = new ArrayList<>();
    /** By address where a target begins, its place in the lists; not of checksums. */
    private final Long2IntSortedMap byAddress = new Long2IntRBTreeMap();

    /** None yet. */
    public Overwrites() {}

    /**
     * Adds bytes.
     *
     * @param source must not change until they are written
     * @param target as long; overlaps no other one
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
     * Adds the checksum that a chunk has when all that has been added is written. A chunk whose present bytes don't fit
     * its checksum keeps it, which gives the damage away.
     */
    public void seal(ReplicaMemory memory, long chunkFirst) {
        ReplicaRun run = memory.runOf(chunkFirst, 1);
        if (run.hasChecksums() && run.isSound(chunkFirst)) {
            sealAnew(memory, chunkFirst);
        }
    }

    /** As {@link #seal}, also of a chunk whose present bytes don't fit its checksum: they have all been replaced. */
    public void sealAnew(ReplicaMemory memory, long chunkFirst) {
        ReplicaRun run = memory.runOf(chunkFirst, 1);
        if (run.hasChecksums()) {
            int[] checksum = {checksumThen(run.chunk(chunkFirst))};
            addPair(MemorySegment.ofArray(checksum), run.checksum(chunkFirst));
        }
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

    /** Where the last target begins that begins at an address or before it. */
    private long firstTouching(long address) {
        Long2IntSortedMap before = byAddress.headMap(address + 1);
        return before.isEmpty() ? address : before.lastLongKey();
    }

    /** Writes everything. */
    public void apply() {
        for (int index = 0; index < targets.size(); index++) {
            targets.get(index).copyFrom(sources.get(index));
        }
    }
}
