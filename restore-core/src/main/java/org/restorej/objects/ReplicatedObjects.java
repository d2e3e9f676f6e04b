package org.restorej.objects;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.restorej.PulledBlocks;
import org.restorej.ReStore;
import org.restorej.ReStoreBuilder;
import org.restorej.Submission;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.codec.BlockSerializer;
import org.restorej.comm.Collective;
import org.restorej.internal.access.StoreAccess;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.internal.message.MessageArguments;
import org.restorej.loop.CheckpointLoop;
import org.restorej.rows.ReplicatedArray;

/**
 * A store of objects, of equal or different sizes: each block is one object, written and read by a
 * {@link BlockSerializer}. For rows of numbers {@link ReplicatedArray} is faster.
 *
 * <pre>{@code
 * record Cell(long id, double[] values, List<String> tags) {}
 *
 * BlockSerializer<Cell> cells = Codecs.record(Cell.class, LONG, DOUBLES, STRING.list());
 * try (ReplicatedObjects<Cell> grid = ReplicatedObjects.of(ReStore.builder(world), count, cells);
 *         CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), count),
 *                 CheckpointInterval.iterations(10))) {
 *     LocalObjects<Cell> mine = loop.keep(grid.local(id -> load(id)));
 *     loop.run(1000, (comm, iteration) -> change(comm, mine));
 * }
 * }</pre>
 *
 * <p>
 * To recover, replenish or query failed ranks, use {@link #store}; the rules for collective calls, failures and threads
 * are those of {@link ReStore}. Objects are written one by one into the store's copy buffer, and read one by one from
 * the memory of a pull.
 *
 * @param <T> type of the objects
 */
public final class ReplicatedObjects<T> implements AutoCloseable {
    /** Default size of an object: a range of 256 KiB then has a thousand objects. */
    private static final long TYPICAL_BYTES = 256;

    private final BlockSerializer<T> serializer;
    private final ReStore store;

    private ReplicatedObjects(BlockSerializer<T> serializer, ReStore store) {
        this.serializer = serializer;
        this.store = store;
    }

    /**
     * Creates a store of objects. Collective. If the serializer has a fixed size, so have the blocks. Otherwise each
     * block has the size of its object, {@link ReStoreBuilder#variableBlockSizes} may set the typical size (256 bytes
     * by default), and {@link ReStoreBuilder#coded} is refused.
     *
     * @param builder settings of the store, except the number and sizes of blocks; not changed
     * @param count number of objects of all PEs together, at least 1; their ids are {@code 0 .. count - 1}
     * @param serializer the same on every PE
     * @throws IllegalArgumentException on every PE, as {@link ReStoreBuilder#build}; also when a PE passes no
     *         serializer
     */
    @Collective
    public static <T> ReplicatedObjects<T> of(ReStoreBuilder builder, long count, BlockSerializer<T> serializer) {
        ReStoreBuilder settings = builder.copy().blocks(count);
        try {
            OptionalLong fixed = Objects.requireNonNull(serializer, "serializer").fixedSizeBytes();
            if (fixed.isPresent()) {
                settings.blockSizeBytes(fixed.getAsLong());
            } else if (!builder.hasVariableBlockSizes()) {
                settings.variableBlockSizes(TYPICAL_BYTES);
            }
        } catch (Throwable thrown) {
            settings.refuse(
                    new IllegalArgumentException("serializer must be given and say its size: " + thrown, thrown));
        }
        return new ReplicatedObjects<>(serializer, settings.build());
    }

    /** The store of the objects, for all untyped operations; closed with this. */
    public ReStore store() {
        return store;
    }

    /** Number of objects of all PEs together. */
    public long count() {
        return store.blockCount();
    }

    /**
     * Creates an empty collection of objects that iterations change, to be passed to {@link CheckpointLoop#keep}.
     * Local.
     *
     * @param initial creates the object with an id in its state before the first iteration; called again, for other
     *        ids, when a PE fails before the first generation; never returns null
     * @return no objects until {@link CheckpointLoop#keep}
     */
    public LocalObjects<T> local(LongFunction<? extends T> initial) {
        MessageArguments.checkGiven("initial", initial);
        return new LocalObjects<>(this, initial, false);
    }

    /**
     * Creates a collection of objects that no iteration changes; see {@link #local(LongFunction)}. They are submitted
     * once, and kept after failures.
     */
    public LocalObjects<T> constant(LongFunction<? extends T> initial) {
        MessageArguments.checkGiven("initial", initial);
        return new LocalObjects<>(this, initial, true);
    }

    /**
     * Submits a new generation of all objects. Collective; see {@link ReStore#submit(Submission)}. Not for objects that a
     * {@link CheckpointLoop} keeps, which submits them itself.
     *
     * @param mine ids of the objects that this PE contributes
     * @param objectOf finds an object; called several times for each id; never null
     * @return number of the new generation
     * @throws InvalidSubmissionException on every PE, also when the serializer throws on some PE, or writes beyond the
     *         size that it has reported
     */
    @Collective
    public long submit(BlockRanges mine, LongFunction<? extends T> objectOf) {
        return store.submit(submission(mine, objectOf));
    }

    /**
     * Reads objects. Collective; a PE that needs none passes {@link BlockRanges#EMPTY} and still serves others.
     *
     * @param wanted ids of the objects that this PE needs
     * @return the objects in ascending order of their ids
     * @throws IllegalArgumentException on this PE only, when an id is out of range, there are more objects than a list
     *         can have, or the serializer can't read the bytes
     * @throws IrrecoverableDataLossException as {@link ReStore#pull(BlockRanges, MemorySegment)}
     */
    @Collective
    public List<T> pull(BlockRanges wanted) {
        Arena arena;
        try {
            MessageArguments.checkGiven("wanted", wanted);
            checkCount(wanted);
            arena = NativeMemory.openShared();
        } catch (RuntimeException | OutOfMemoryError refused) {
            // The other PEs are in the pull and need this PE to serve them.
            store.pull(BlockRanges.EMPTY, MemorySegment.NULL);
            throw refused;
        }
        try {
            return read(store.pull(wanted, arena));
        } finally {
            StoreAccess.release(store, arena);
        }
    }

    /** A PE's submission. During the submit each object's size is queried once, and then the object is written. */
    Submission submission(BlockRanges mine, LongFunction<? extends T> objectOf) {
        try {
            MessageArguments.checkGiven("mine", mine);
            MessageArguments.checkGiven("objectOf", objectOf);
            BlockRange.Writer writer = (id, block) -> serializer.write(objectOf.apply(id), block);
            Submission submission = new Submission();
            for (BlockRange run : mine.runs()) {
                if (store.hasVariableBlockSizes()) {
                    submission.add(run, id -> serializer.sizeBytes(objectOf.apply(id)), writer);
                } else {
                    submission.add(run, writer);
                }
            }
            return submission;
        } catch (RuntimeException | OutOfMemoryError met) {
            return Submission.refused(met);
        }
    }

    /** Deserializes objects, in the order of their blocks. */
    List<T> read(PulledBlocks blocks) {
        checkCount(blocks.ids());
        List<T> objects = new ArrayList<>((int) blocks.count());
        blocks.forEach((id, block) -> objects.add(read(id, block)));
        return objects;
    }

    private T read(long id, MemorySegment block) {
        try {
            return Objects.requireNonNull(serializer.read(block), "the serializer has returned null");
        } catch (RuntimeException unreadable) {
            throw new IllegalArgumentException("object " + id + " can't be read from its " + block.byteSize()
                    + " bytes: " + unreadable.getMessage(), unreadable);
        }
    }

    private static void checkCount(BlockRanges ids) {
        if (ids.blockCount() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("objects of a PE must be at most " + Integer.MAX_VALUE + ": there are "
                    + ids.blockCount());
        }
    }

    /** Closes the store, which frees its memory. Local. */
    @Override
    public void close() {
        store.close();
    }
}
