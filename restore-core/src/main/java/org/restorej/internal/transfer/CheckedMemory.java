package org.restorej.internal.transfer;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.Arrays;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.storage.ReplicaMemory;

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
    /** Of those checked; more may count as damaged for the sake of these. */
    private final LongSet unsoundChunks = new LongOpenHashSet();
    private final LongSet damagedChunks = new LongOpenHashSet();

    /**
     * Memory whose chunks have not been checked yet.
     *
     * @param checks whether to check at all
     * @param wideningBlocks a chunk is sound when all chunks are that it shares a run of so many blocks with, counted
     *        from the region's beginning: 1 for blocks; for sizes as many as may have an influence on where another
     *        block begins
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

    /** Copies a group's pieces, each right after it was checked, while the cache still has it. */
    void copyChecked(PieceTable pieces, int group, ByteRuns target) {
        ByteRuns own = pieces.runs(group, PieceTable.PieceMemory.blocks(memory));
        for (int run = 0; run < own.count(); run++) {
            int piece = pieces.start(group) + run;
            if (checks) {
                check(pieces.position(piece), pieces.count(piece));
            }
            target.segment(run).copyFrom(own.segment(run));
        }
    }

    /**
     * The bytes of a group's pieces, after they have been checked, and then, where anything is checked, what was found.
     */
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

    /**
     * Checks all that this PE holds; what was lost before it got the memory for it is not held.
     *
     * @param directory who holds what
     * @param originalRank this PE
     */
    public void checkAll(BlockDirectory directory, int originalRank) {
        if (checks) {
            int[] holders = new int[directory.replication()];
            memory.forEachRegion((first, count) -> {
                for (long chunk = first; chunk < first + count; chunk = grid.chunkEnd(chunk)) {
                    int holderCount = directory.holders(chunk, holders);
                    if (Arrays.stream(holders, 0, holderCount).anyMatch(holder -> holder == originalRank)) {
                        check(chunk, 1);
                    }
                }
            });
        }
    }

    /** Checks all chunks of the regions that these positions lie in, and says whether all of them are sound. */
    public boolean checkRegionsOf(long[] positions) {
        boolean sound = true;
        for (long position : positions) {
            long first = memory.regionFirst(position);
            sound &= !checks || check(first, memory.regionEnd(position) - first);
        }
        return sound;
    }

    /** Number of chunks checked so far. */
    public int checkedChunkCount() {
        return checkedChunks.size();
    }

    /** Checks all chunks that some positions touch, and says whether all are sound. */
    private boolean check(long position, long count) {
        boolean sound = true;
        for (long chunk = grid.chunkFirst(position); chunk < position + count; chunk = grid.chunkEnd(chunk)) {
            if (!isSoundWithNeighbours(chunk)) {
                damagedChunks.add(chunk);
                sound = false;
            }
        }
        return sound;
    }

    private boolean isSoundWithNeighbours(long chunkFirst) {
        long regionFirst = memory.regionFirst(chunkFirst);
        long first = chunkFirst - (chunkFirst - regionFirst) % wideningBlocks;
        long end = grid.chunkEnd(chunkFirst);
        long widenedEnd = Math.min(memory.regionEnd(chunkFirst),
                end + wideningBlocks - 1 - (end - regionFirst - 1) % wideningBlocks);
        boolean sound = true;
        for (long chunk = grid.chunkFirst(first); chunk < widenedEnd; chunk = grid.chunkEnd(chunk)) {
            sound &= isSound(chunk);
        }
        return sound;
    }

    private boolean isSound(long chunk) {
        if (checkedChunks.add(chunk) && !memory.isSound(chunk)) {
            unsoundChunks.add(chunk);
        }
        return !unsoundChunks.contains(chunk);
    }
}
