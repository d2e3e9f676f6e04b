package org.restorej.rows;

import java.util.function.Function;
import org.restorej.PulledBlocks;
import org.restorej.Submission;
import org.restorej.block.BlockRanges;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.LoopData;

/**
 * The rows of a {@link ReplicatedArray} that this PE works on: their ids, and an array of them in ascending order. A
 * {@link CheckpointLoop} that {@linkplain CheckpointLoop#keep keeps} them submits them. After a failure it replaces
 * those that change, and adds to those that don't. Without a loop, rows are submitted and pulled
 * by {@link ReplicatedArray}.
 *
 * <p>
 * Adding rows replaces the array, so call {@link #values} again in each iteration. Not thread-safe; needs no close.
 *
 * @param <A> the array type
 */
public final class LocalRows<A> extends LoopData {
    private final ReplicatedArray<A> array;
    /** Creates rows in their state before the first iteration of a loop. */
    private final Function<BlockRanges, A> initial;
    private final boolean constant;
    private A values;

    /** Creates an empty collection for a loop. */
    LocalRows(ReplicatedArray<A> array, Function<BlockRanges, A> initial, boolean constant) {
        super(array.store());
        this.array = array;
        this.initial = initial;
        this.constant = constant;
        values = array.noValues();
    }

    /**
     * The rows, {@code rowLength} elements each, in ascending order: this PE's own array, not a copy. The {@code i}-th
     * of them has the id {@code ids().blockAt(i)}.
     */
    public A values() {
        return values;
    }

    @Override
    protected String kind() {
        return "rows of " + array.rowLength() + " " + values.getClass().getComponentType();
    }

    @Override
    protected boolean isConstant() {
        return constant;
    }

    @Override
    protected void initialize(BlockRanges mine) {
        A made = initial.apply(mine);
        array.checkShape(mine, made);
        values = made;
    }

    @Override
    protected Submission submission() {
        return array.submission(ids(), values);
    }

    @Override
    protected void takeOver(PulledBlocks blocks, BlockRanges mine) {
        values = array.merge(ids(), values, blocks, mine);
    }
}
