package org.restorej.internal.placement;

import org.restorej.placement.Placement;

/**
 * The positions of blocks and parity of a systematic erasure code: any {@code k} of {@code k + m} parts determine the
 * others.
 *
 * <p>
 * The permuted blocks are split into <em>rows</em> of {@code k} <em>cells</em>, each of {@code c} consecutive blocks,
 * and a row gets {@code m} parity cells: byte {@code i} of a parity cell is a sum over bytes {@code i} of the row's
 * data cells. Consecutive rows are a block range. <em>Part</em> {@code j} of a range is the cells {@code j} of its
 * rows. It is placed as replica {@code j} of the range would be with {@code k + m} replicas:
 * {@code shift = floor(P / (k + m))} ranks after part {@code j - 1}. So the parts of a range are on different PEs, and
 * each PE has one part of each number, {@code k} of data and {@code m} of parity, for any P.
 *
 * <p>
 * Positions are ordered by range, then part, then row, so that a PE has one run for each part. Only the last row may be
 * short of blocks: its last cells then have fewer or none, and missing ones count as zeros. After all positions follow
 * those of contributions, that is, of what a block contributes to a parity part.
 *
 * <p>
 * Immutable; constant time, and memory independent of P and B.
 */
public final class CodedLayout {
    private final int dataParts;
    private final int parityParts;
    private final long blockCount;
    private final long cellBlocks;
    /** The placement of rows instead of blocks, with as many replicas as there are parts. */
    private final Placement rows;
    private final Placement placement;

    /**
     * Creates a layout.
     *
     * @param rows placement of as many rows as {@link #rowsOf} returns; its replication level is the number of parts
     * @param dataParts number of data parts k, at least 1 and less than the number of parts
     * @param blockCount number of blocks, at least 0
     * @param cellBlocks number of blocks in a cell, at least 1
     */
    public CodedLayout(Placement rows, int dataParts, long blockCount, long cellBlocks) {
        if (dataParts < 1 || dataParts >= rows.replication()) {
            throw new IllegalArgumentException("dataParts must be in 1.." + (rows.replication() - 1)
                    + ", less than the number of parts: dataParts=" + dataParts);
        }
        if (cellBlocks < 1) {
            throw new IllegalArgumentException("cellBlocks must be at least 1: cellBlocks=" + cellBlocks);
        }
        if (rows.blockCount() != rowsOf(blockCount, dataParts, cellBlocks)) {
            throw new IllegalArgumentException("rows must be " + rowsOf(blockCount, dataParts, cellBlocks) + ": rows="
                    + rows.blockCount());
        }
        this.rows = rows;
        this.dataParts = dataParts;
        this.blockCount = blockCount;
        this.cellBlocks = cellBlocks;
        parityParts = rows.replication() - dataParts;
        placement = rows.multipliedBy(Math.multiplyExact(cellBlocks, rows.replication()));
    }

    /** Number of rows of {@code blockCount} blocks. */
    public static long rowsOf(long blockCount, int dataParts, long cellBlocks) {
        return Math.ceilDiv(blockCount, dataParts * cellBlocks);
    }

    /** The placement of the positions; the parts of a range take the places of its replicas. */
    public Placement placement() {
        return placement;
    }

    public int dataParts() {
        return dataParts;
    }

    public int parityParts() {
        return parityParts;
    }

    public int parts() {
        return dataParts + parityParts;
    }

    public long cellBlocks() {
        return cellBlocks;
    }

    /** The position of what blocks contribute to a parity part, {@code 0 <= parity < m}; after all other positions. */
    public long contribution(int parity, long position) {
        return (1 + parity) * placement.blockCount() + position;
    }

    /** Whether a position is one of a contribution. */
    public boolean isContribution(long position) {
        return position >= placement.blockCount();
    }

    /** The position of the blocks that contribute. */
    public long contributor(long contribution) {
        return contribution % placement.blockCount();
    }

    /** First position of the parity cell of a contribution. */
    public long parityCell(long contribution) {
        return cell(rowOf(contributor(contribution)),
                dataParts - 1 + (int) (contribution / placement.blockCount()));
    }

    /** Position of a block, given its index among all blocks, {@code 0 <= index < B}. */
    public long positionOf(long index) {
        long cell = index / cellBlocks;
        return cell(cell / dataParts, (int) (cell % dataParts)) + index % cellBlocks;
    }

    /** The index among all blocks of the block at a data position. */
    public long indexOf(long position) {
        return (rowOf(position) * dataParts + partOf(position)) * cellBlocks + position % cellBlocks;
    }

    /** Number of consecutive blocks, from this one on, that are in one cell. */
    public long runAt(long index) {
        return Math.min(blockCount - index, cellBlocks - index % cellBlocks);
    }

    /** First position of a cell. */
    public long cell(long row, int part) {
        int range = rows.rangeOf(row);
        long firstRow = rows.firstPosition(range);
        return (firstRow * parts() + part * rows.blocksIn(range) + (row - firstRow)) * cellBlocks;
    }

    /** First position after the cell of a position. */
    public long cellEnd(long position) {
        return position - position % cellBlocks + cellBlocks;
    }

    /** First position after the blocks in the cell of a position; the first position of the cell if it has none. */
    public long dataEnd(long position) {
        int part = partOf(position);
        return position - position % cellBlocks + (part < dataParts ? blocksIn(rowOf(position), part) : 0);
    }

    /** The row of a position. */
    public long rowOf(long position) {
        long cell = position / cellBlocks;
        int range = rows.rangeOf(cell / parts());
        long firstRow = rows.firstPosition(range);
        return firstRow + (cell - firstRow * parts()) % rows.blocksIn(range);
    }

    /** The part of a position: data below k, then parity. */
    public int partOf(long position) {
        long cell = position / cellBlocks;
        int range = rows.rangeOf(cell / parts());
        return (int) ((cell - rows.firstPosition(range) * parts()) / rows.blocksIn(range));
    }

    /** Whether a position is one of parity. */
    public boolean isParity(long position) {
        return partOf(position) >= dataParts;
    }

    /** First row of a range; for range P the number of rows. */
    public long firstRow(int range) {
        return rows.firstPosition(range);
    }

    /** Number of rows of a range. */
    public long rowsIn(int range) {
        return rows.blocksIn(range);
    }

    /** Number of rows. */
    public long rowCount() {
        return rows.blockCount();
    }

    /** Number of blocks. */
    public long blockCount() {
        return blockCount;
    }

    /** Number of blocks in the cells of a part in rows {@code firstRow .. endRow - 1}, at least one row. */
    public long blocksIn(long firstRow, long endRow, int part) {
        return (endRow - firstRow - 1) * cellBlocks + blocksIn(endRow - 1, part);
    }

    /** Number of blocks in all cells of a row. */
    public long blocksInRow(long row) {
        return Math.min(blockCount - row * dataParts * cellBlocks, dataParts * cellBlocks);
    }

    /** Number of blocks in a cell; a parity cell has as many as the longest data cell. */
    public long blocksIn(long row, int part) {
        long before = (row * dataParts + (part < dataParts ? part : 0)) * cellBlocks;
        return Math.clamp(blockCount - before, 0, cellBlocks);
    }
}
