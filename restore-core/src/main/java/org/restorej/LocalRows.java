package org.restorej;

import org.restorej.block.BlockRanges;
import org.restorej.comm.Collective;
import org.restorej.comm.MessageArguments;

/**
 * The rows of a {@link ReplicatedArray} that this PE works on: one array, and which global row each of its rows is.
 * Rows that change come from {@link CheckpointLoop#keep(ReplicatedArray, java.util.function.Function)}, which submits
 * them and replaces all of them after a failure. Rows that never change may be given to a {@link RecoveryLoop}, which
 * appends those gained after a failure, or are {@linkplain #pull pulled}.
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
     * Submits the rows as they are now: what this PE contributes to a new generation. Collective. Not for rows that a
     * {@link CheckpointLoop} keeps, which submits them itself.
     *
     * @return number of the new generation
     * @throws InvalidSubmissionException on every PE, as {@link ReplicatedArray#submit(RowIndex, Object)}
     */
    @Collective
    public long submit() {
        return array.submit(index, values);
    }

    /** All rows as they are now, to be submitted; they must not change until that is done. */
    Submission submission() {
        return array.submission(index, values);
    }

    /** Forgets all rows, and takes these, in ascending order. Local. */
    void replaceAll(PulledBlocks all) {
        values = array.of(all);
        index = RowIndex.of(all.ids());
    }

    /** The store that has the rows. */
    ReStore store() {
        return array.store();
    }

    /**
     * Reads rows and appends them. Collective, as {@link ReplicatedArray#pull}; when it throws, nothing has changed.
     *
     * @param rows rows that this PE needs and does not have
     * @throws IllegalArgumentException on this PE only, when it has one of them
     */
    @Collective
    public void pull(BlockRanges rows) {
        RowIndex next;
        try {
            MessageArguments.checkGiven("rows", rows);
            next = index.append(rows);
        } catch (RuntimeException | OutOfMemoryError refused) {
            // The others are at the pull, and want to be served.
            store().serve();
            throw refused;
        }
        values = array.pullBehind(values, rows);
        index = next;
    }

    /** Lets go of rows that are another PE's from now on, and appends those that are this PE's. Local. */
    @Override
    public void accept(PulledBlocks gained, BlockRanges mine) {
        RowIndex kept = index.retain(mine);
        if (kept.rowCount() < index.rowCount()) {
            values = array.arrange(values, index, kept);
            index = kept;
        }
        if (gained.count() > 0) {
            RowIndex next = index.append(gained.ids());
            values = array.append(values, gained.bytes());
            index = next;
        }
    }

    /** As {@link #accept}, but with all rows in ascending order afterwards. */
    void insert(PulledBlocks gained, BlockRanges mine) {
        accept(gained, mine);
        RowIndex sorted = RowIndex.of(mine);
        if (!sorted.equals(index)) {
            values = array.arrange(values, index, sorted);
            index = sorted;
        }
    }

    /** Makes these the rows of this PE, whatever it had before. */
    void reset(BlockRanges rows, A newValues) {
        array.checkShape(rows, newValues);
        index = RowIndex.of(rows);
        values = newValues;
    }
}
