package org.restorej.internal.storage;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.ReplicaMap;

/**
 * A PE's replica memory during one operation that reads it. Each chunk is checked when it is first read. Damaged chunks
 * are read nevertheless, since other PEs expect the bytes; they learn of the damage at the end.
 */
public final class CheckedMemory {
    private final ReplicaMemory memory;
    private final ChunkGrid grid;
    private final LongSet checkedChunks = new LongOpenHashSet();
    private final LongSet damagedChunks = new LongOpenHashSet();

    /** Creates memory whose chunks have not been checked. */
    public CheckedMemory(ReplicaMemory memory, ChunkGrid grid) {
        this.memory = memory;
        this.grid = grid;
    }

    /** First positions of the damaged chunks found so far. */
    public LongSet damagedChunks() {
        return damagedChunks;
    }

    public ReplicaMemory memory() {
        return memory;
    }

    /** Checks all chunks that contain the positions. Returns whether all are sound. */
    public boolean check(long position, long count) {
        boolean sound = true;
        for (long chunk = grid.chunkFirst(position); chunk < position + count; chunk = grid.chunkEnd(chunk)) {
            sound &= isSound(chunk);
        }
        return sound;
    }

    /**
     * Checks all replicas that this PE holds. Data lost before it got memory for them are not held.
     *
     * @param directory the holders of replicas
     * @param storeRank this PE
     */
    public void checkAll(BlockDirectory directory, int storeRank) {
        int[] holders = new int[directory.replication()];
        for (ReplicaRun run : memory.runs()) {
            for (long chunk = run.first(); chunk < run.end(); chunk = grid.chunkEnd(chunk)) {
                if (ReplicaMap.isAmong(storeRank, holders, directory.holders(chunk, holders))) {
                    check(chunk, 1);
                }
            }
        }
    }

    public int checkedChunkCount() {
        return checkedChunks.size();
    }

    private boolean isSound(long chunk) {
        if (checkedChunks.add(chunk) && !memory.isSound(chunk)) {
            damagedChunks.add(chunk);
        }
        return !damagedChunks.contains(chunk);
    }
}
