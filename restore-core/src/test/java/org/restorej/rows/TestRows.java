package org.restorej.rows;

import static org.restorej.comm.testing.Checks.equal;

import java.lang.foreign.MemorySegment;
import org.restorej.TestBlocks;
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
        write(rows, values);
        return values;
    }

    /** Overwrites rows with what they are in this version. */
    void write(BlockRanges rows, A values) {
        MemorySegment bytes = kind.bytes().apply(values);
        long rowBytes = blocks().blockSizeBytes();
        for (long position = 0; position < rows.blockCount(); position++) {
            blocks().write(rows.blockAt(position), bytes.asSlice(position * rowBytes, rowBytes));
        }
    }

    void check(BlockRanges rows, A values) {
        equal(rows.blockCount() * rowLength, kind.length(values), "elements of rows " + rows);
        blocks().checkAll(rows, kind.bytes().apply(values));
    }
}
