package org.restorej.internal.placement;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.longs.Long2LongMap;
import java.util.ArrayList;
import java.util.List;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.placement.Placement;

/**
 * Who has which block now: what placement, ring, failures, repairs and damage together say. The same on every PE.
 * Immutable.
 *
 * @param permutation from ids to positions
 * @param replicaMap where the replicas are
 * @param grid cuts positions into chunks
 * @param damaged replicas of chunks that nobody may read
 */
public record BlockDirectory(RangePermutation permutation, ReplicaMap replicaMap, ChunkGrid grid,
        DamagedReplicas damaged) {
    public BlockDirectory with(DamagedReplicas otherDamage) {
        return new BlockDirectory(permutation, replicaMap, grid, otherDamage);
    }

    public BlockDirectory with(ReplicaMap otherMap) {
        return new BlockDirectory(permutation, otherMap, grid, damaged);
    }

    /** The damage that is left when sound replicas have been copied over damaged ones: where there were none. */
    public DamagedReplicas stillDamaged() {
        int[] sound = new int[replication()];
        return damaged.repaired(chunkFirst -> holders(chunkFirst, sound) > 0);
    }

    public int replication() {
        return replicaMap.placement().replication();
    }

    /**
     * The PEs that have sound replicas of a position, and of all from there to {@link #end}.
     *
     * @param into filled from index 0, at least K long
     * @return how many there are; 0 means that the block is lost
     */
    public int holders(int range, int piece, long position, int[] into) {
        int found = replicaMap.holders(range, piece, into);
        if (damaged.isEmpty()) {
            return found;
        }
        long chunk = grid.chunkFirst(position);
        int sound = 0;
        for (int i = 0; i < found; i++) {
            if (!damaged.contains(chunk, into[i])) {
                into[sound++] = into[i];
            }
        }
        return sound;
    }

    public int holders(long position, int[] into) {
        int range = replicaMap.placement().rangeOf(position);
        return holders(range, replicaMap.pieceOf(range, position), position, into);
    }

    /** First position that may have other holders than this one. */
    public long end(int range, int piece, long position) {
        long end = replicaMap.firstPosition(range, piece + 1);
        return damaged.isEmpty() ? end : Math.min(end, grid.chunkEnd(position));
    }

    /** Blocks that nobody alive has a sound replica of; time linear in what is lost and damaged. */
    public BlockRanges lostBlocks() {
        List<BlockRange> lost = new ArrayList<>();
        for (Long2LongMap.Entry run : replicaMap.lostRuns().long2LongEntrySet()) {
            lost.addAll(permutation.blocksAt(run.getLongKey(), run.getLongValue()));
        }
        int[] sound = new int[replication()];
        long[] last = {-1};
        damaged.forEach((chunkFirst, rank) -> {
            if (chunkFirst != last[0] && holders(chunkFirst, sound) == 0) {
                lost.addAll(permutation.blocksAt(chunkFirst, grid.chunkEnd(chunkFirst)));
            }
            last[0] = chunkFirst;
        });
        return BlockRanges.of(lost);
    }

    /** At index n the number of blocks that n sound replicas are left of, {@code n = 0 .. K}. */
    public long[] blocksByReplicas() {
        Placement placement = replicaMap.placement();
        long[] blocks = new long[replication() + 1];
        blocks[replication()] = placement.blockCount();
        touchedRanges().forEach((int range) -> forEachPiece(range, (first, end, holders, count) -> {
            blocks[replication()] -= end - first;
            blocks[count] += end - first;
        }));
        return blocks;
    }

    /** Number of block ranges that have a block with a single replica. */
    public int rangesWithOneReplica() {
        IntSet touched = touchedRanges();
        IntSet ranges = new IntOpenHashSet();
        touched.forEach((int range) -> forEachPiece(range, (first, end, holders, count) -> {
            if (count == 1) {
                ranges.add(range);
            }
        }));
        // Fewer blocks than PEs leave the last ranges empty.
        Placement placement = replicaMap.placement();
        int withBlocks = (int) Math.min(placement.peCount(), placement.blockCount());
        int untouched = withBlocks - (int) touched.intStream().filter(range -> range < withBlocks).count();
        return ranges.size() + (replication() == 1 ? untouched : 0);
    }

    /** The ranges that have ever lost a replica, and those with a damaged one: the others have K of each block. */
    private IntSet touchedRanges() {
        IntSet touched = new IntOpenHashSet(replicaMap.rangesOf(replicaMap.everFailed()));
        damaged.forEach((chunk, rank) -> touched.add(replicaMap.placement().rangeOf(chunk)));
        return touched;
    }

    /** Takes positions that have the same holders. */
    @FunctionalInterface
    public interface PieceConsumer {
        /**
         * Takes positions {@code first .. end - 1}.
         *
         * @param holders the first {@code count} are the PEs that have sound replicas; changes when the call has
         *        returned
         */
        void accept(long first, long end, int[] holders, int count);
    }

    /** The blocks of a range by who has sound replicas of them, in ascending order of positions. */
    public void forEachPiece(int range, PieceConsumer consumer) {
        int[] holders = new int[replication()];
        for (int piece = 0; piece < replicaMap.pieces(range); piece++) {
            long position = replicaMap.firstPosition(range, piece);
            long pieceEnd = replicaMap.firstPosition(range, piece + 1);
            while (position < pieceEnd) {
                long end = Math.min(pieceEnd, end(range, piece, position));
                consumer.accept(position, end, holders, holders(range, piece, position, holders));
                position = end;
            }
        }
    }
}
