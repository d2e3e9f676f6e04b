package org.restorej;

import java.lang.foreign.MemorySegment;
import org.restorej.block.BlockRanges;

/**
 * The rows of a {@link ReplicatedArray} that this PE works on: one array, and which global row each of its rows is.
 * Rows gained after a failure are appended; give it to a {@link RecoveryLoop}, which does that, or {@link #pull} them.
 *
 * <p>
 * An array grows by being replaced, so ask for {@link #values} in each iteration anew. One thread; owns nothing that
 * must be closed.
 *
 * @param <A> the array type
 */
public final class LocalRows<A> implements RecoveryLoop.GainedBlocks {
    private final ReplicatedArray<A> array;
    private RowIndex index;
    private A values;

    LocalRows(ReplicatedArray<A> array, RowIndex index, A values) {
        this.array = array;
        this.index = index;
        this.values = values;
    }

    /** The rows, {@code rowLength} elements each, in the order of {@link #index}: this PE's own array, not a copy. */
    public A values() {
        return values;
    }

    /** Which global row each row of {@link #values} is. */
    public RowIndex index() {
        return index;
    }

    /** Number of rows. */
    public int rowCount() {
        return (int) index.rowCount();
    }

    /**
     * Submits the rows as they are now: what this PE contributes to a new generation. Collective.
     *
     * @return number of the new generation
     * @throws InvalidSubmissionException on every PE, as {@link ReplicatedArray#submit(RowIndex, Object)}
     */
    public long submit() {
        return array.submit(index, values);
    }

    /**
     * Reads rows and appends them. Collective, as {@link ReplicatedArray#pull}; when it throws, nothing has changed.
     *
     * @param rows rows that this PE needs and does not have
     * @throws IllegalArgumentException on this PE only, when it has one of them
     */
    public void pull(BlockRanges rows) {
        BlockRanges twice = rows.intersect(index.rows());
        if (!twice.isEmpty()) {
            // The others are at the pull, and want to be served.
            array.pull(BlockRanges.EMPTY);
        }
        RowIndex next = index.append(rows);
        values = array.pullBehind(values, rows);
        index = next;
    }

    /** Lets go of rows that are another PE's from now on, and appends those that are this PE's. Local. */
    @Override
    public void accept(PulledBlocks gained, BlockRanges mine) {
        RowIndex kept = index.retain(mine);
        if (kept.rowCount() < index.rowCount()) {
            values = array.select(values, index, kept);
            index = kept;
        }
        if (gained.count() > 0) {
            accept(gained.ids(), gained.bytes());
        }
    }

    /** Appends rows that a {@link RecoveryLoop} has pulled. Local. */
    @Override
    public void accept(BlockRanges rows, MemorySegment bytes) {
        RowIndex next = index.append(rows);
        values = array.append(values, bytes);
        index = next;
    }

    ReStore store() {
        return array.store();
    }

    /** Makes these the rows of this PE, whatever it had before. */
    void reset(BlockRanges rows, A newValues) {
        array.checkShape(rows, newValues);
        index = RowIndex.of(rows);
        values = newValues;
    }

    /** All rows as they are now. */
    Submission submission() {
        return array.submission(index, values);
    }

    /** Forgets all rows and takes these. */
    void replaceAll(PulledBlocks rows) {
        values = array.append(array.noValues(), rows.bytes());
        index = RowIndex.of(rows.ids());
    }
}
