package org.restorej.internal.storage;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * The layout of parity cells of rows whose blocks have different sizes. Each is as long as the longest data cell of its
 * row, and all of its bytes belong to its first position. Also has the offset of each block in its data cell.
 * Thread-safe once built.
 */
public final class RowLayout implements BlockLayout {
    private final int dataParts;
    private final long cellBlocks;
    private final VariableLayout blocks;
    private final long[] starts;

    /**
     * Creates the layout of one parity cell for each row.
     *
     * @param sizes of all blocks of the rows, {@value VariableLayout#SIZE_BYTES} bytes each, by row, then part; not
     *        copied
     * @param dataParts number of data cells in a row
     * @param cellBlocks number of blocks in a cell
     */
    public RowLayout(MemorySegment sizes, int dataParts, long cellBlocks, SegmentAllocator allocator) {
        this.dataParts = dataParts;
        this.cellBlocks = cellBlocks;
        blocks = new VariableLayout(sizes, cellBlocks, allocator);
        starts = new long[Math.toIntExact(blocks.count() / (dataParts * cellBlocks)) + 1];
        for (int row = 0; row < starts.length - 1; row++) {
            long longest = 0;
            for (int part = 0; part < dataParts; part++) {
                longest = Math.max(longest, bytesBefore(row * cellBlocks, part, cellBlocks));
            }
            starts[row + 1] = starts[row] + longest;
        }
    }

    @Override
    public long count() {
        return (starts.length - 1) * cellBlocks;
    }

    @Override
    public long offset(long index) {
        return starts[(int) Math.ceilDiv(index, cellBlocks)];
    }

    /**
     * Bytes of a data cell before one of its blocks; all bytes for {@code block = cellBlocks}.
     *
     * @param index of the first position of the row's parity cell
     */
    public long bytesBefore(long index, int dataPart, long block) {
        long first = index * dataParts + dataPart * cellBlocks;
        return blocks.offset(first + block) - blocks.offset(first);
    }

    /** Bytes of a cell of the first row. */
    public long cellBytes(int part) {
        return part < dataParts ? bytesBefore(0, part, cellBlocks) : starts[1];
    }

    @Override
    public long overheadBytes() {
        return blocks.overheadBytes() + Long.BYTES * (long) starts.length;
    }
}
