package org.restorej.exchange;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import org.restorej.placement.ChunkGrid;
import org.restorej.storage.ReplicaMemory;

/**
 * A PE's replica memory during one operation in which it is read: each chunk is checked when something of it is first
 * read. What is damaged is read all the same, since the others expect the bytes; they learn of it at the end.
 */
public final class CheckedMemory {
    private final ReplicaMemory memory;
    private final ChunkGrid grid;
    private final boolean checks;
    private final int wideningBlocks;
    private final LongSet checkedChunks = new LongOpenHashSet();
    private final LongSet damagedChunks = new LongOpenHashSet();

    /**
     * Memory whose chunks have not been checked yet.
     *
     * @param checks whether to check at all
     * @param wideningBlocks what is checked reaches to multiples of this many blocks from a region's beginning: 1 for
     *        blocks; for sizes as many as may have an influence on where another block begins
     */
    public CheckedMemory(ReplicaMemory memory, ChunkGrid grid, boolean checks, int wideningBlocks) {
        this.memory = memory;
        this.grid = grid;
        this.checks = checks;
        this.wideningBlocks = wideningBlocks;
    }

    /** First positions of the chunks found damaged so far. */
    public LongSet damagedChunks() {
        return damagedChunks;
    }

    /** Whether anything is checked at all. */
    boolean checks() {
        return checks;
    }

    /** The bytes of a group's pieces, after they have been checked. */
    ByteRuns checkedRuns(PieceTable pieces, int group) {
        check(pieces, group);
        return pieces.runs(group, PieceTable.PieceMemory.blocks(memory));
    }

    /** The same, and after them, where anything is checked, what was found. */
    ByteRuns checkedRunsWithVerdict(PieceTable pieces, int group) {
        boolean sound = check(pieces, group);
        ByteRuns blocks = pieces.runs(group, PieceTable.PieceMemory.blocks(memory));
        return checks ? ByteRuns.concat(blocks, ServerVerdicts.toSend(sound)) : blocks;
    }

    private boolean check(PieceTable pieces, int group) {
        boolean sound = true;
        for (int piece = pieces.start(group); checks && piece < pieces.start(group + 1); piece++) {
            sound &= check(pieces.position(piece), pieces.count(piece));
        }
        return sound;
    }

    /** Checks all that is here. */
    public void checkAll() {
        if (checks) {
            memory.forEachRegion(this::check);
        }
    }

    /** Number of chunks checked so far. */
    public int checkedChunkCount() {
        return checkedChunks.size();
    }

    /** Checks all chunks that some positions touch, and says whether all are sound. */
    private boolean check(long position, long count) {
        long regionFirst = memory.regionFirst(position);
        long regionEnd = memory.regionEnd(position);
        long first = position - (position - regionFirst) % wideningBlocks;
        long end = position + count;
        long widenedEnd = Math.min(regionEnd, end + wideningBlocks - 1 - (end - regionFirst - 1) % wideningBlocks);
        boolean sound = true;
        for (long chunk = grid.chunkFirst(first); chunk < widenedEnd; chunk = grid.chunkEnd(chunk)) {
            if (checkedChunks.add(chunk) && !memory.isSound(chunk)) {
                damagedChunks.add(chunk);
            }
            sound &= !damagedChunks.contains(chunk);
        }
        if (!sound && wideningBlocks > 1) {
            // Where these blocks begin follows from sizes that are wrong.
            for (long chunk = grid.chunkFirst(position); chunk < end; chunk = grid.chunkEnd(chunk)) {
                damagedChunks.add(chunk);
            }
        }
        return sound;
    }
}
