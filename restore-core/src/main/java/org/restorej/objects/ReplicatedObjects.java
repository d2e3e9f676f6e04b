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
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.codec.BlockSerializer;
import org.restorej.comm.Collective;
import org.restorej.internal.access.StoreAccess;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.internal.message.MessageArguments;
import org.restorej.loop.CheckpointLoop;
import org.restorej.rows.ReplicatedArray;

/**
 * A store for data that are objects, of the same size or not: a block is one object, written and read by a
 * {@link BlockSerializer}. For rows of numbers {@link ReplicatedArray} is faster.
 *
 * <pre>{@code
 * record Cell(long id, double[] values, List<String> tags) {}
 *
 * BlockSerializer<Cell> cells = Codecs.record(Cell::new,
 *         LONG.of(Cell::id), DOUBLES.of(Cell::values), STRING.list().of(Cell::tags));
 * try (ReplicatedObjects<Cell> grid = ReplicatedObjects.of(ReStore.builder(world), count, cells);
 *         CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), count),
 *                 CheckpointInterval.iterations(10))) {
 *     LocalObjects<Cell> mine = loop.keep(grid.local(id -> load(id)));
 *     loop.run(1000, (comm, iteration) -> change(comm, mine));
 * }
 * }</pre>
 *
 * <p>
 * Everything else, to recover, to replenish, to ask who has failed, is in {@link #store}. Collective calls, failures
 * and threads are as there. Objects are written one by one,
 * straight into the store's copy buffer, and read one by one out of what a pull has brought.
 *
 * @param <T> type of the objects
 */
public final class ReplicatedObjects<T> implements AutoCloseable {
    /** Assumed where the caller says nothing: a range of 256 KiB then has a thousand objects. */
    private static final long TYPICAL_BYTES = 256;

    private final BlockSerializer<T> serializer;
    private final ReStore store;

    private ReplicatedObjects(BlockSerializer<T> serializer, ReStore store) {
        this.serializer = serializer;
        this.store = store;
    }

    /**
     * A store of objects. Collective. Where the serializer has a fixed size, so have the blocks; otherwise each has the
     * size of its object, and {@link ReStoreBuilder#variableBlockSizes} may say how large most are (256 bytes unless
     * set).
     *
     * @param builder what the store is to be like, but for the number and sizes of blocks; not changed
     * @param count number of objects of all PEs together, at least 1; their ids are {@code 0 .. count - 1}
     * @param serializer the same on every PE
     * @throws IllegalArgumentException on every PE, as {@link ReStoreBuilder#build}; also when some PE has no
     *         serializer
     */
    @Collective
    public static <T> ReplicatedObjects<T> of(ReStoreBuilder builder, long count, BlockSerializer<T> serializer) {
        ReStoreBuilder settings = ReStore.builder(builder).blocks(count);
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

    /** The store behind the objects, for everything that is not typed; closed with this. */
    public ReStore store() {
        return store;
    }

    /** Number of objects of all PEs together. */
    public long count() {
        return store.blockCount();
    }

    /**
     * Objects that a {@link CheckpointLoop} is to keep, and that its iterations change. Local.
     *
     * @param initial makes the object with an id as it is before the first iteration; called again, for other ids, when
     *        a process fails before the first generation; never null
     * @return no objects until {@link CheckpointLoop#keep}
     */
    public LocalObjects<T> local(LongFunction<? extends T> initial) {
        MessageArguments.checkGiven("initial", initial);
        return new LocalObjects<>(this, initial, false);
    }

    /** As {@link #local(LongFunction)}, of objects that no iteration changes: submitted once, kept after failures. */
    public LocalObjects<T> constant(LongFunction<? extends T> initial) {
        MessageArguments.checkGiven("initial", initial);
        return new LocalObjects<>(this, initial, true);
    }

    /**
     * The objects that this PE works on, to be submitted and pulled by hand. Local.
     *
     * @param mine their ids
     * @param objectOf makes or finds an object; called once for each id, in ascending order; never null
     * @throws IllegalArgumentException when a list can't have so many
     */
    public LocalObjects<T> local(BlockRanges mine, LongFunction<? extends T> objectOf) {
        checkCount(mine);
        return new LocalObjects<>(this, mine, LocalObjects.inOrder(mine, objectOf));
    }

    /**
     * Reads objects. Collective; a PE that needs none calls it with {@link BlockRanges#EMPTY} and still serves others.
     *
     * @param wanted ids of the objects that this PE needs
     * @return the objects in ascending order of their ids
     * @throws IllegalArgumentException on this PE only, when an id is out of range, the objects are more than a list
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
            // The others are at the pull, and want to be served.
            store.pull(BlockRanges.EMPTY, MemorySegment.NULL);
            throw refused;
        }
        try {
            return read(store.pull(wanted, arena));
        } finally {
            StoreAccess.release(store, arena);
        }
    }

    /** What a PE submits. The objects are written when that is done, and their sizes asked for before, once. */
    Submission submission(BlockRanges ids, LongFunction<T> objectOf) {
        try {
            BlockRange.Writer writer = (id, block) -> serializer.write(objectOf.apply(id), block);
            Submission submission = new Submission();
            for (BlockRange run : ids.runs()) {
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

    /** Objects in the order of their blocks. */
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

    /** Closes the store, and so frees its memory. Local. */
    @Override
    public void close() {
        store.close();
    }
}
