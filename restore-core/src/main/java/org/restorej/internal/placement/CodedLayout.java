package org.restorej.internal.placement;

import org.restorej.placement.Placement;

/**
 * Where blocks and parity are that are coded with a systematic erasure code: any {@code k} of {@code k + m} parts give
 * back the others.
 *
 * <p>
 * The blocks, permuted, are cut into <em>rows</em> of {@code k} <em>cells</em>, each of {@code c} consecutive blocks, and
 * a row gets {@code m} cells of parity: byte {@code i} of a parity cell is a sum over bytes {@code i} of the row's data
 * cells. Consecutive rows are a block range. <em>Part</em> {@code j} of a range is the cells {@code j} of its rows, and
 * lives where replica {@code j} of the range would if it had {@code k + m} of them: {@code shift = floor(P / (k + m))}
 * ranks after part {@code j - 1}. So the parts of a range are on different PEs, and each PE has one part of each number:
 * {@code k} of data and {@code m} of parity, whatever P.
 *
 * <p>
 * Positions go through a range part by part, so that what a PE has is one run for each part, and through a part row by
 * row. Only the last row of all can be short of blocks: its last cells then have fewer, or none, and count as zeros.
 * Behind all positions are those of contributions: of what a block contributes to a parity part.
 *
 * <p>
 * Immutable; constant time, and memory whatever P and B.
 */
public final class CodedLayout {
    private final int dataParts;
    private final int parityParts;
    private final long blockCount;
    private final long cellBlocks;
    private final boolean variable;
    /** Of rows instead of blocks, with as many replicas as there are parts. */
    private final Placement rows;
    private final Placement placement;

    /**
     * A layout.
     *
     * @param rows where as many rows live as {@link #rowsOf} says; its replication level is the number of parts
     * @param dataParts number of data parts k, at least 1 and less than that
     * @param blockCount number of blocks, at least 0
     * @param cellBlocks blocks of a cell, at least 1
     * @param variable whether blocks have different sizes
     */
    public CodedLayout(Placement rows, int dataParts, long blockCount, long cellBlocks, boolean variable) {
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
        this.variable = variable;
        parityParts = rows.replication() - dataParts;
        placement = rows.multipliedBy(Math.multiplyExact(cellBlocks, rows.replication()));
    }

    /** Number of rows that so many blocks make. */
    public static long rowsOf(long blockCount, int dataParts, long cellBlocks) {
        return Math.ceilDiv(blockCount, dataParts * cellBlocks);
    }

    /** Where the positions live: the parts of a range take the places of its replicas. */
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

    /** Whether blocks have different sizes. */
    public boolean isVariable() {
        return variable;
    }

    /** The position, behind all others, of what blocks contribute to a parity part, {@code 0 <= parity < m}. */
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

    /** First position of the parity cell that a contribution is for. */
    public long parityCell(long contribution) {
        return cell(rowOf(contributor(contribution)),
                dataParts - 1 + (int) (contribution / placement.blockCount()));
    }

    /** Position of a block by its place among all blocks, {@code 0 <= index < B}. */
    public long positionOf(long index) {
        long cell = index / cellBlocks;
        return cell(cell / dataParts, (int) (cell % dataParts)) + index % cellBlocks;
    }

    /** The place among all blocks of the one at a position; it must be one of data. */
    public long indexOf(long position) {
        return (rowOf(position) * dataParts + partOf(position)) * cellBlocks + position % cellBlocks;
    }

    /** How many consecutive blocks, this one included, are in one cell. */
    public long runAt(long index) {
        return Math.min(blockCount - index, cellBlocks - index % cellBlocks);
    }

    /** First position of a cell. */
    public long cell(long row, int part) {
        int range = rows.rangeOf(row);
        long firstRow = rows.firstPosition(range);
        return (firstRow * parts() + part * rows.blocksIn(range) + (row - firstRow)) * cellBlocks;
    }

    /** First position after the cell that a position lies in. */
    public long cellEnd(long position) {
        return position - position % cellBlocks + cellBlocks;
    }

    /** First position after the blocks in the cell that a position lies in; the position of the cell if it has none. */
    public long dataEnd(long position) {
        int part = partOf(position);
        return position - position % cellBlocks + (part < dataParts ? blocksIn(rowOf(position), part) : 0);
    }

    /** The row that a position belongs to. */
    public long rowOf(long position) {
        long cell = position / cellBlocks;
        int range = rows.rangeOf(cell / parts());
        long firstRow = rows.firstPosition(range);
        return firstRow + (cell - firstRow * parts()) % rows.blocksIn(range);
    }

    /** The part that a position belongs to: data below k, then parity. */
    public int partOf(long position) {
        long cell = position / cellBlocks;
        int range = rows.rangeOf(cell / parts());
        return (int) ((cell - rows.firstPosition(range) * parts()) / rows.blocksIn(range));
    }

    /** Whether a position is one of parity. */
    public boolean isParity(long position) {
        return partOf(position) >= dataParts;
    }

    /** First row of a range; of range P the number of rows. */
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

    /** Number of blocks that the cells of a part have in rows {@code firstRow .. endRow - 1}, at least one. */
    public long blocksIn(long firstRow, long endRow, int part) {
        return (endRow - firstRow - 1) * cellBlocks + blocksIn(endRow - 1, part);
    }

    /** Number of blocks that all cells of a row have. */
    public long blocksInRow(long row) {
        return Math.min(blockCount - row * dataParts * cellBlocks, dataParts * cellBlocks);
    }

    /** Number of blocks that a cell has; one of parity has as many as the longest of data. */
    public long blocksIn(long row, int part) {
        long before = (row * dataParts + (part < dataParts ? part : 0)) * cellBlocks;
        return Math.clamp(blockCount - before, 0, cellBlocks);
    }
}
