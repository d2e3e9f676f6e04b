package org.restorej.rows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import org.restorej.PulledBlocks;
import org.restorej.Submission;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.Collective;
import org.restorej.internal.access.ManualAccess;
import org.restorej.internal.access.StoreAccess;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.LoopData;

/**
 * The rows of a {@link ReplicatedArray} that this PE works on: their ids, and an array of them in ascending order. A
 * {@link CheckpointLoop} that {@linkplain CheckpointLoop#keep keeps} them submits them. After a failure it replaces
 * those that change, and adds to those that don't. Without a loop, rows are {@linkplain #submit submitted} and
 * {@linkplain #pull pulled} manually.
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

    /** Creates a collection without a loop; a loop can't create its rows. */
    LocalRows(ReplicatedArray<A> array, BlockRanges rows, A values) {
        this(array, mine -> {
            throw ManualAccess.cannotBeMade();
        }, false);
        hold(rows);
        this.values = values;
    }

    /**
     * The rows, {@code rowLength} elements each, in ascending order: this PE's own array, not a copy. The {@code i}-th
     * of them has the id {@code ids().blockAt(i)}.
     */
    public A values() {
        return values;
    }

    /**
     * Submits the rows in their current state: this PE's part of a new generation. Collective. Not for rows that a
     * {@link CheckpointLoop} keeps, which submits them itself.
     *
     * @return number of the new generation
     * @throws InvalidSubmissionException on every PE, as {@link ReplicatedArray#submit(BlockRanges, Object)}
     */
    @Collective
    public long submit() {
        return array.submit(ids(), values);
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
        hold(mine);
    }

    /**
     * Reads rows and adds them. Collective, as {@link ReplicatedArray#pull}; after an exception nothing has changed.
     *
     * @param further rows that this PE needs and doesn't have
     * @throws IllegalArgumentException on this PE only, when it has one of them
     */
    @Collective
    public void pull(BlockRanges further) {
        BlockRanges both;
        Arena arena;
        try {
            both = ManualAccess.idsWith(ids(), further, "rows");
            arena = NativeMemory.openShared();
        } catch (RuntimeException | OutOfMemoryError refused) {
            // The other PEs are in the pull and need this PE to serve them.
            store().pull(BlockRanges.EMPTY, MemorySegment.NULL);
            throw refused;
        }
        try {
            takeOver(store().pull(further, arena), both);
        } finally {
            StoreAccess.release(store(), arena);
        }
    }
}
