package org.restorej;

import java.util.function.Function;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Collective;
import org.restorej.comm.MessageArguments;

/**
 * The rows of a {@link ReplicatedArray} that this PE works on: one array, and which global row each of its rows is. A
 * {@link CheckpointLoop} that {@linkplain CheckpointLoop#keep keeps} them submits them, and after a failure replaces
 * those that change and adds to those that don't; its rows are always in ascending order. Without a loop, rows are
 * {@linkplain #submit submitted} and {@linkplain #pull pulled} by hand.
 *
 * <p>
 * An array grows by being replaced, so ask for {@link #values} in each iteration anew. One thread; owns nothing that
 * must be closed.
 *
 * @param <A> the array type
 */
public final class LocalRows<A> extends LoopData {
    private final ReplicatedArray<A> array;
    /** Makes rows as they are before the first iteration of a loop. */
    private final Function<BlockRanges, A> initial;
    private final boolean constant;
    private RowIndex index = RowIndex.EMPTY;
    private A values;

    /** No rows yet. */
    LocalRows(ReplicatedArray<A> array, Function<BlockRanges, A> initial, boolean constant) {
        super(array.store());
        this.array = array;
        this.initial = initial;
        this.constant = constant;
        values = array.noValues();
    }

    /** Rows that no loop can make. */
    LocalRows(ReplicatedArray<A> array, BlockRanges rows, A values) {
        this(array, mine -> {
            throw cannotBeMade();
        }, false);
        index = RowIndex.of(rows);
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

    @Override
    protected boolean isConstant() {
        return constant;
    }

    @Override
    protected void initialize(BlockRanges mine) {
        A made = initial.apply(mine);
        array.checkShape(mine, made);
        index = RowIndex.of(mine);
        values = made;
    }

    @Override
    protected Submission submission() {
        return array.submission(index, values);
    }

    @Override
    protected void takeOver(PulledBlocks blocks, BlockRanges mine) {
        RowIndex next = RowIndex.of(mine);
        values = array.arrange(values, index.retain(mine.minus(blocks.ids())), index, blocks, next);
        index = next;
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
}
