package org.restorej.internal.placement;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.placement.Placement;

/**
 * Says which PEs hold each block now: the placement, as failures, repairs and damage have changed it. The same on every
 * PE. Immutable.
 *
 * @param permutation from ids to positions
 * @param replicaMap places of the replicas
 * @param grid division of positions into chunks
 * @param damaged replicas of chunks that must not be read
 */
public record BlockDirectory(BlockPositions permutation, ReplicaMap replicaMap, ChunkGrid grid,
        DamagedReplicas damaged) {
    public BlockDirectory with(DamagedReplicas otherDamage) {
        return new BlockDirectory(permutation, replicaMap, grid, otherDamage);
    }

    public BlockDirectory with(ReplicaMap otherMap) {
        return new BlockDirectory(permutation, otherMap, grid, damaged);
    }

    /**
     * The damage that is left when all damaged replicas of chunks that also have a sound one are repaired.
     */
    public DamagedReplicas stillDamaged() {
        CodedLayout layout = layout();
        LongSet left = new LongOpenHashSet();
        if (layout != null) {
            forEachLostCellOfDamagedRows(layout, 0, layout.parts(), left::add);
        } else {
            int[] sound = new int[replication()];
            damaged.forEach((chunkFirst, rank) -> {
                if (holders(chunkFirst, sound) == 0) {
                    left.add(chunkFirst);
                }
            });
        }
        return DamagedReplicas.everywhere(left);
    }

    /** Maximum number of holders of a piece; for coded blocks, of all parts of a range. */
    public int replication() {
        return replicaMap.placement().replication();
    }

    /** The layout of coded blocks; null for replicated blocks. */
    public @Nullable CodedLayout layout() {
        return replicaMap.ring().layout();
    }

    /** Minimum number of holders of a block that must fail before it is lost, if none is missing yet. */
    public int redundancy() {
        CodedLayout layout = layout();
        return layout == null ? replication() : layout.parityParts() + 1;
    }

    /**
     * The PEs with sound replicas of a position and of all following ones up to {@link #end}.
     *
     * @param into filled from index 0, at least K long
     * @return their number; 0 if the block is lost
     */
    public int holders(long position, int[] into) {
        int found = replicaMap.holders(position, into);
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

    /** First position after this one that may have other holders. */
    public long end(long position) {
        long end = replicaMap.end(position);
        return damaged.isEmpty() ? end : Math.min(end, grid.chunkEnd(position));
    }

    /** In place of a part's holder: the part is lost. */
    public static final int LOST = -1;

    /**
     * The holders of sound cells of the row of a position, for coded blocks.
     *
     * @param holderOfPart filled with the holder of each part, or {@link #LOST}
     * @return number of parts that are not lost; with k or more, every block of the row is available
     */
    public int soundParts(long position, int[] holderOfPart) {
        CodedLayout layout = Objects.requireNonNull(layout(), "layout");
        long row = layout.rowOf(position);
        int[] holder = new int[replication()];
        int sound = 0;
        for (int part = 0; part < layout.parts(); part++) {
            int found = holders(layout.cell(row, part), holder);
            holderOfPart[part] = found == 0 ? LOST : holder[0];
            sound += found;
        }
        return sound;
    }

    /** Passes the lost cells of parts {@code from .. to - 1} in rows that have damaged cells and too few sound ones. */
    private void forEachLostCellOfDamagedRows(CodedLayout layout, int from, int to, LongConsumer consumer) {
        int[] holderOfPart = new int[layout.parts()];
        LongSet rows = new LongOpenHashSet();
        damaged.forEach((chunkFirst, rank) -> {
            long row = layout.rowOf(chunkFirst);
            if (rows.add(row) && soundParts(chunkFirst, holderOfPart) < layout.dataParts()) {
                for (int part = from; part < to; part++) {
                    if (holderOfPart[part] == LOST) {
                        consumer.accept(layout.cell(row, part));
                    }
                }
            }
        });
    }

    /** Blocks of which no survivor has a sound replica. Takes time linear in lost and damaged replicas. */
    public BlockRanges lostBlocks() {
        List<BlockRange> lost = new ArrayList<>();
        for (Long2LongMap.Entry run : replicaMap.lostRuns().long2LongEntrySet()) {
            lost.addAll(permutation.blocksAt(run.getLongKey(), run.getLongValue()));
        }
        CodedLayout layout = layout();
        if (layout != null) {
            forEachLostCellOfDamagedRows(layout, 0, layout.dataParts(),
                    cell -> lost.addAll(permutation.blocksAt(cell, layout.cellEnd(cell))));
            return BlockRanges.of(lost);
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

    /**
     * At index n the number of blocks with n sound replicas, {@code n = 0 .. K}. For coded blocks, the number of those
     * that are lost when n more PEs fail, {@code n = 0 .. m + 1}.
     */
    public long[] blocksByReplicas() {
        CodedLayout layout = layout();
        if (layout != null) {
            return codedBlocksByRedundancy(layout);
        }
        Placement placement = replicaMap.placement();
        long[] blocks = new long[replication() + 1];
        blocks[replication()] = placement.blockCount();
        touchedRanges().forEach((int range) -> forEachPiece(range, (first, end, holders, count) -> {
            blocks[replication()] -= end - first;
            blocks[count] += end - first;
        }));
        return blocks;
    }

    private long[] codedBlocksByRedundancy(CodedLayout layout) {
        long[] blocks = new long[redundancy() + 1];
        blocks[redundancy()] = layout.blockCount();
        touchedRanges().forEach((int range) -> forEachRows(layout, range, (firstRow, endRow, holderOfPart, sound) -> {
            int failures = failuresUntilLoss(layout, holderOfPart, sound);
            for (int part = 0; part < layout.dataParts(); part++) {
                long count = layout.blocksIn(firstRow, endRow, part);
                blocks[redundancy()] -= count;
                blocks[isLost(layout, holderOfPart[part], sound) ? 0 : failures] += count;
            }
        }));
        return blocks;
    }

    private static boolean isLost(CodedLayout layout, int holder, int sound) {
        return holder == LOST && sound < layout.dataParts();
    }

    /**
     * Minimum number of PEs that must fail before a row loses another block.
     *
     * @param holderOfPart of the row
     * @param sound number of its parts that are not lost
     */
    public static int failuresUntilLoss(CodedLayout layout, int[] holderOfPart, int sound) {
        Int2IntOpenHashMap partsOf = new Int2IntOpenHashMap();
        for (int holder : holderOfPart) {
            if (holder != LOST) {
                partsOf.addTo(holder, 1);
            }
        }
        // PEs with most parts first.
        int[] parts = partsOf.values().toIntArray();
        Arrays.sort(parts);
        int left = sound;
        int failures = 0;
        for (int i = parts.length - 1; i >= 0 && left >= layout.dataParts(); i--) {
            left -= parts[i];
            failures++;
        }
        return Math.max(1, failures);
    }

    /** Consumer of rows with the same sound parts. */
    @FunctionalInterface
    public interface RowsConsumer {
        /**
         * Takes rows {@code firstRow .. endRow - 1}.
         *
         * @param holderOfPart as from {@link #soundParts}; valid during the call only
         * @param sound number of parts that are not lost
         */
        void accept(long firstRow, long endRow, int[] holderOfPart, int sound);
    }

    /** Passes the rows of a range, grouped by the holders of sound parts, in ascending order. */
    public void forEachRows(CodedLayout layout, int range, RowsConsumer consumer) {
        int[] holderOfPart = new int[layout.parts()];
        int pieces = replicaMap.ring().endPiece(0);
        for (int piece = 0; piece < pieces; piece++) {
            long row = replicaMap.ring().firstRow(layout, range, piece);
            long end = replicaMap.ring().firstRow(layout, range, piece + 1);
            while (row < end) {
                // Damage may differ from row to row.
                long last = damaged.isEmpty() ? end : row + 1;
                int sound = soundParts(layout.cell(row, 0), holderOfPart);
                consumer.accept(row, last, holderOfPart, sound);
                row = last;
            }
        }
    }

    /** The ranges that ever lost a replica, and those with a damaged one. All others have K replicas of each block. */
    private IntSet touchedRanges() {
        IntSet touched = new IntOpenHashSet(replicaMap.rangesOf(replicaMap.everFailed()));
        damaged.forEach((chunk, rank) -> touched.add(replicaMap.placement().rangeOf(chunk)));
        return touched;
    }

    /** Consumer of positions with the same holders. */
    @FunctionalInterface
    public interface PieceConsumer {
        /**
         * Takes positions {@code first .. end - 1}.
         *
         * @param holders the first {@code count} are the PEs with sound replicas; valid during the call only
         */
        void accept(long first, long end, int[] holders, int count);
    }

    /** Passes the blocks of a range, grouped by the holders of sound replicas, in ascending order of positions. */
    public void forEachPiece(int range, PieceConsumer consumer) {
        int[] holders = new int[replication()];
        long rangeEnd = replicaMap.placement().firstPosition(range + 1);
        long position = replicaMap.placement().firstPosition(range);
        while (position < rangeEnd) {
            long end = end(position);
            consumer.accept(position, end, holders, holders(position, holders));
            position = end;
        }
    }
}
