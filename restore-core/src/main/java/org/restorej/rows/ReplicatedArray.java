package org.restorej.rows;

import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import org.restorej.PulledBlocks;
import org.restorej.ReStore;
import org.restorej.ReStoreBuilder;
import org.restorej.Submission;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.Collective;
import org.restorej.internal.message.MessageArguments;
import org.restorej.loop.CheckpointLoop;

/**
 * A store of the rows of one large primitive array. A block is a row of {@code rowLength} elements; rows are passed as
 * arrays, in native byte order.
 *
 * <pre>{@code
 * try (ReplicatedArray<double[]> points = ReplicatedArray.ofDoubles(ReStore.builder(world), count, 32);
 *         CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), count),
 *                 CheckpointInterval.iterations(10))) {
 *     LocalRows<double[]> mine = loop.keep(points.local(rows -> read(rows)));
 *     loop.run(1000, (comm, iteration) -> move(comm, mine.values()));
 * }
 * }</pre>
 *
 * <p>
 * To recover, replenish or query failed ranks, use {@link #store}; the rules for collective calls, failures and threads
 * are those of {@link ReStore}. Copies: a submission copies each run once, into the store's copy buffer. A pull copies
 * its result once; adding rows copies the existing rows once, too.
 *
 * @param <A> the array type: {@code byte[]}, {@code int[]}, {@code long[]}, {@code float[]} or {@code double[]}
 */
public final class ReplicatedArray<A> implements AutoCloseable {
    private final ArrayKind<A> kind;
    private final int rowLength;
    private final ReStore store;

    private ReplicatedArray(ArrayKind<A> kind, int rowLength, ReStore store) {
        this.kind = kind;
        this.rowLength = rowLength;
        this.store = store;
    }

    /** Creates a store of rows of bytes; see {@link #ofDoubles}. */
    @Collective
    public static ReplicatedArray<byte[]> ofBytes(ReStoreBuilder builder, long count, int rowLength) {
        return build(ArrayKind.BYTES, builder, count, rowLength);
    }

    /** Creates a store of rows of ints; see {@link #ofDoubles}. */
    @Collective
    public static ReplicatedArray<int[]> ofInts(ReStoreBuilder builder, long count, int rowLength) {
        return build(ArrayKind.INTS, builder, count, rowLength);
    }

    /** Creates a store of rows of longs; see {@link #ofDoubles}. */
    @Collective
    public static ReplicatedArray<long[]> ofLongs(ReStoreBuilder builder, long count, int rowLength) {
        return build(ArrayKind.LONGS, builder, count, rowLength);
    }

    /** Creates a store of rows of floats; see {@link #ofDoubles}. */
    @Collective
    public static ReplicatedArray<float[]> ofFloats(ReStoreBuilder builder, long count, int rowLength) {
        return build(ArrayKind.FLOATS, builder, count, rowLength);
    }

    /**
     * Creates a store of rows of doubles. Collective.
     *
     * @param builder settings of the store, except the number and size of blocks; not changed
     * @param count number of rows of all PEs together, at least 1
     * @param rowLength elements of a row, at least 1
     * @throws IllegalArgumentException on every PE, as {@link ReStoreBuilder#build}
     */
    @Collective
    public static ReplicatedArray<double[]> ofDoubles(ReStoreBuilder builder, long count, int rowLength) {
        return build(ArrayKind.DOUBLES, builder, count, rowLength);
    }

    private static <A> ReplicatedArray<A> build(ArrayKind<A> kind, ReStoreBuilder builder, long count, int rowLength) {
        ReStoreBuilder settings = builder.copy().blocks(count)
                .blockSizeBytes(rowLength * kind.elementBytes());
        if (rowLength < 1) {
            settings.refuse(new IllegalArgumentException("rowLength must be at least 1: rowLength=" + rowLength));
        }
        return new ReplicatedArray<>(kind, rowLength, settings.build());
    }

    /** The store of the rows, for all untyped operations; closed with this. */
    public ReStore store() {
        return store;
    }

    /** Number of rows of all PEs together. */
    public long count() {
        return store.blockCount();
    }

    /** Number of elements of a row. */
    public int rowLength() {
        return rowLength;
    }

    /**
     * Submits a new generation of all rows. Collective; see {@link ReStore#submit(Submission)}.
     *
     * @param mine ids of this PE's rows
     * @param values the rows in ascending order
     * @return number of the new generation
     * @throws InvalidSubmissionException on every PE, also when the length of {@code values} doesn't fit {@code mine}
     */
    @Collective
    public long submit(BlockRanges mine, A values) {
        return store.submit(submission(mine, values));
    }

    /**
     * A submission of this PE's rows; one that all PEs reject if the arguments are invalid.
     *
     * @param mine ids of the rows
     * @param values the rows in ascending order; must stay unchanged until they are submitted
     */
    Submission submission(BlockRanges mine, A values) {
        try {
            MessageArguments.checkGiven("mine", mine);
            MessageArguments.checkGiven("values", values);
            checkShape(mine, values);
            MemorySegment bytes = kind.bytes().apply(values);
            Submission submission = new Submission();
            for (BlockRange run : mine.runs()) {
                submission.add(run, bytes.asSlice(mine.indexOf(run.first()) * store.blockSizeBytes(),
                        run.count() * store.blockSizeBytes()));
            }
            return submission;
        } catch (RuntimeException | OutOfMemoryError met) {
            return Submission.refused(met);
        }
    }

    /** An array of no rows. */
    A noValues() {
        return kind.allocate().apply(0);
    }

    /**
     * Reads rows. Collective; a PE that needs none passes {@link BlockRanges#EMPTY} and still serves others.
     *
     * @param wanted the rows that this PE needs
     * @return the rows in ascending order
     * @throws IllegalArgumentException on this PE only, when there are more rows than an array can have, or one is out
     *         of range
     * @throws IrrecoverableDataLossException as {@link ReStore#pull(BlockRanges, MemorySegment)}
     */
    @Collective
    public A pull(BlockRanges wanted) {
        A pulled;
        MemorySegment destination;
        try {
            MessageArguments.checkGiven("wanted", wanted);
            pulled = kind.allocate().apply(elements(wanted.blockCount(), rowLength));
            destination = kind.bytes().apply(pulled);
        } catch (RuntimeException | OutOfMemoryError refused) {
            // The other PEs are in the pull and need this PE to serve them.
            store.pull(BlockRanges.EMPTY, MemorySegment.NULL);
            throw refused;
        }
        store.pull(wanted, destination);
        return pulled;
    }

    /**
     * Merges rows that this PE has with rows that were pulled into a new array.
     *
     * @param had ids of the rows that it has
     * @param values these rows, in ascending order
     * @param further pulled rows, which replace those of {@code had}
     * @param mine ids of the rows of the new array
     */
    A merge(BlockRanges had, A values, PulledBlocks further, BlockRanges mine) {
        A merged = kind.allocate().apply(elements(mine.blockCount(), rowLength));
        MemorySegment target = kind.bytes().apply(merged);
        copyRows(kind.bytes().apply(values), had, had.intersect(mine).minus(further.ids()), target, mine);
        copyRows(further.bytes(), further.ids(), further.ids(), target, mine);
        return merged;
    }

    private void copyRows(MemorySegment source, BlockRanges ofSource, BlockRanges rowsToCopy, MemorySegment target,
            BlockRanges ofTarget) {
        long rowBytes = store.blockSizeBytes();
        for (BlockRange run : rowsToCopy.runs()) {
            MemorySegment.copy(source, ofSource.indexOf(run.first()) * rowBytes, target,
                    ofTarget.indexOf(run.first()) * rowBytes, run.count() * rowBytes);
        }
    }

    /**
     * Creates an empty collection of rows that iterations change, to be passed to {@link CheckpointLoop#keep}. Local.
     *
     * @param initial creates the rows of this PE, in ascending order, in their state before the first iteration; called
     *        again, with other rows, when a PE fails before the first generation
     * @return no rows until {@link CheckpointLoop#keep}
     */
    public LocalRows<A> local(Function<BlockRanges, A> initial) {
        MessageArguments.checkGiven("initial", initial);
        return new LocalRows<>(this, initial, false);
    }

    /**
     * Creates a collection of rows that no iteration changes; see {@link #local(Function)}. They are submitted once,
     * and kept after failures.
     */
    public LocalRows<A> constant(Function<BlockRanges, A> initial) {
        MessageArguments.checkGiven("initial", initial);
        return new LocalRows<>(this, initial, true);
    }

    void checkShape(BlockRanges mine, A values) {
        if (kind.length(values) != mine.blockCount() * rowLength) {
            throw new IllegalArgumentException("values must be " + mine.blockCount() + " rows of " + rowLength
                    + " elements: length=" + kind.length(values));
        }
    }

    /**
     * Length of the array of some rows.
     *
     * @throws IllegalArgumentException when they don't fit into a Java array
     */
    static int elements(long rows, int rowLength) {
        long maxRows = Integer.MAX_VALUE / rowLength;
        if (rows > maxRows) {
            throw new IllegalArgumentException("rows of " + rowLength + " elements must be at most " + maxRows
                    + ", since a Java array has at most " + Integer.MAX_VALUE + " elements: " + rows + " rows");
        }
        return (int) (rows * rowLength);
    }

    /** Closes the store, which frees its memory. Local. */
    @Override
    public void close() {
        store.close();
    }
}
