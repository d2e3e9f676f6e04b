package org.restorej;

import static org.restorej.comm.testing.Checks.equal;

import java.lang.foreign.MemorySegment;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;

/**
 * Rows whose every byte follows from the row and a version, in arrays of one kind.
 *
 * @param kind of the arrays
 * @param rowLength elements of a row
 * @param version tells generations apart
 */
record TestRows<A>(ArrayKind<A> kind, int rowLength, long version) {
    private TestBlocks blocks() {
        return new TestBlocks(rowLength * kind.elementBytes(), version);
    }

    TestRows<A> inVersion(long other) {
        return new TestRows<>(kind, rowLength, other);
    }

    A of(BlockRanges rows) {
        A values = kind.allocate().apply((int) (rows.blockCount() * rowLength));
        write(RowIndex.of(rows), values);
        return values;
    }

    /** Overwrites rows with what they are in this version. */
    void write(RowIndex index, A values) {
        MemorySegment bytes = kind.bytes().apply(values);
        long rowBytes = blocks().blockSizeBytes();
        for (long position = 0; position < index.rowCount(); position++) {
            blocks().write(index.rowAt(position), bytes.asSlice(position * rowBytes, rowBytes));
        }
    }

    void check(RowIndex index, A values) {
        equal(index.rowCount() * rowLength, kind.length(values), "elements of rows " + index);
        MemorySegment bytes = kind.bytes().apply(values);
        long done = 0;
        for (BlockRange run : index.runs()) {
            blocks().checkAll(BlockRanges.of(run), bytes.asSlice(done));
            done += run.count() * blocks().blockSizeBytes();
        }
    }

    void check(BlockRanges rows, A values) {
        check(RowIndex.of(rows), values);
    }
}
