package org.restorej.objects;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.LongConsumer;
import org.restorej.ReStore;
import org.restorej.ReStoreBuilder;
import org.restorej.comm.Collective;
import org.restorej.internal.message.MessageArguments;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.LoopData;

/**
 * A store for parts that an application writes into streams, such as existing code that writes restart files. Parts may
 * have any length, which need not be known in advance.
 *
 * <pre>{@code
 * try (ReplicatedStreams restart = ReplicatedStreams.of(ReStore.builder(world), parts);
 *         CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), parts),
 *                 CheckpointInterval.time(Duration.ofMinutes(1)))) {
 *     LoopData mine = loop.keep(restart.local(model::begin, model::writeRestart, model::readRestart));
 *     loop.run(steps, (comm, step) -> model.advance(comm, mine.ids()));
 * }
 * }</pre>
 *
 * <p>
 * For few long parts, one or some on each PE. A part takes 800 bytes of memory for each replica in addition to its
 * data, and at least a kilobyte while it is submitted. It is stored as up to 128 blocks on the same K PEs, and may have
 * hundreds of gigabytes. Its bytes are in memory once as written, until the submit is done, and K times in the store.
 *
 * <p>
 * To query failed ranks, lost parts and memory, use {@link #store}.
 */
public final class ReplicatedStreams implements AutoCloseable {
    /** Nominal block size. Parts are placed as a whole, so their real sizes don't matter. */
    private static final long TYPICAL_BYTES = 1L << 20;

    private final ReStore store;
    private final long count;

    /** Writes a part, as code that writes restart files does. */
    @FunctionalInterface
    public interface PartWriter {
        /**
         * Writes a part. Streams that wrap {@code out} must be flushed; closing {@code out} has no effect.
         *
         * @param part its number
         * @param out takes any number of bytes; used in this call only
         * @throws IOException makes all PEs reject the generation
         */
        void write(long part, OutputStream out) throws IOException;
    }

    /** Reads a part. */
    @FunctionalInterface
    public interface PartReader {
        /**
         * Reads a part, replacing what this PE has of it.
         *
         * @param part its number
         * @param in what the writer has written, perhaps on another PE; used in this call only
         * @throws IOException ends the call on this PE; the others recover
         * @throws ClassNotFoundException likewise, as an {@link java.io.ObjectInputStream} may throw it
         */
        void read(long part, InputStream in) throws IOException, ClassNotFoundException;
    }

    private ReplicatedStreams(ReStore store, long count) {
        this.store = store;
        this.count = count;
    }

    /**
     * Creates a store of parts. Collective.
     *
     * @param builder settings of the store, except the number, sizes and permutation of blocks; not changed. Parts are
     *        replicated: {@link ReStoreBuilder#coded} is refused
     * @param count number of parts of all PEs together, at least 1; they are numbered from 0
     * @throws IllegalArgumentException on every PE, as {@link ReStoreBuilder#build}
     */
    @Collective
    public static ReplicatedStreams of(ReStoreBuilder builder, long count) {
        ReStoreBuilder settings = builder.copy().variableBlockSizes(TYPICAL_BYTES)
                .permutationRangeBlocks(PartOutput.BLOCKS);
        if (count < 1 || count > Long.MAX_VALUE / PartOutput.BLOCKS) {
            settings.refuse(new IllegalArgumentException(
                    "count must be in 1.." + Long.MAX_VALUE / PartOutput.BLOCKS + ": count=" + count));
        } else {
            settings.blocks(count * PartOutput.BLOCKS);
        }
        return new ReplicatedStreams(settings.build(), count);
    }

    /** The store of the parts, closed with this. */
    public ReStore store() {
        return store;
    }

    /** Number of parts of all PEs together. */
    public long count() {
        return count;
    }

    /**
     * Creates parts that iterations change, to be passed to {@link CheckpointLoop#keep}. Local.
     *
     * @param initial creates a part in its state before the first iteration; called again, for other parts, when a
     *        PE fails before the first generation
     * @param writer writes a part for a checkpoint; called on the thread of the loop, between iterations
     * @param reader reads a part at a rollback, or when it is newly assigned to this PE
     * @return no parts until {@link CheckpointLoop#keep}, then those of this PE by their numbers, {@link LoopData#ids}
     */
    public LoopData local(LongConsumer initial, PartWriter writer, PartReader reader) {
        MessageArguments.checkGiven("initial", initial);
        MessageArguments.checkGiven("writer", writer);
        MessageArguments.checkGiven("reader", reader);
        return new LocalStreams(store, initial, writer, reader);
    }

    /** Closes the store, which frees its memory. Local. */
    @Override
    public void close() {
        store.close();
    }
}
