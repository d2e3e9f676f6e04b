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
 * A store for parts that an application writes into streams, such as code that exists and writes restart files: of any
 * length, which nobody has to know before.
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
 * Meant for few long parts, such as one or some of each PE: each takes 800 bytes of memory beside its own for each
 * replica, and short ones a kilobyte while they are submitted. A part is stored as up to 128 blocks on the same K PEs.
 * It may have hundreds of gigabytes; whatever its length, its bytes are in memory once where they are written, until
 * the submit is done, and K times in the store.
 *
 * <p>
 * Everything else, to ask who has failed, what is lost and how much memory is used, is in {@link #store}.
 */
public final class ReplicatedStreams implements AutoCloseable {
    /** What blocks are assumed to have; their parts are placed as a whole, whatever they have. */
    private static final long TYPICAL_BYTES = 1L << 20;

    private final ReStore store;
    private final long count;

    /** Writes a part, as code that writes restart files does. */
    @FunctionalInterface
    public interface PartWriter {
        /**
         * Writes it. Streams around this one are to be flushed; closing it does nothing.
         *
         * @param part its number
         * @param out takes any number of bytes; used in this call only
         * @throws IOException refuses the generation on all PEs
         */
        void write(long part, OutputStream out) throws IOException;
    }

    /** Reads a part. */
    @FunctionalInterface
    public interface PartReader {
        /**
         * Reads it, in the place of whatever this PE has of it.
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
     * A store of parts. Collective.
     *
     * @param builder what the store is to be like, but for the number, sizes and permutation of blocks; not changed
     * @param count number of parts of all PEs together, at least 1; they are numbered from 0
     * @throws IllegalArgumentException on every PE, as {@link ReStoreBuilder#build}
     */
    @Collective
    public static ReplicatedStreams of(ReStoreBuilder builder, long count) {
        ReStoreBuilder settings = ReStore.builder(builder).variableBlockSizes(TYPICAL_BYTES)
                .permutationRangeBlocks(PartOutput.BLOCKS);
        if (count < 1 || count > Long.MAX_VALUE / PartOutput.BLOCKS) {
            settings.refuse(new IllegalArgumentException(
                    "count must be in 1.." + Long.MAX_VALUE / PartOutput.BLOCKS + ": count=" + count));
        } else {
            settings.blocks(count * PartOutput.BLOCKS);
        }
        return new ReplicatedStreams(settings.build(), count);
    }

    /** The store behind the parts, closed with this. */
    public ReStore store() {
        return store;
    }

    /** Number of parts of all PEs together. */
    public long count() {
        return count;
    }

    /**
     * Parts that a {@link CheckpointLoop} is to keep, and that its iterations change. Local.
     *
     * @param initial makes a part as it is before the first iteration; called again, for other parts, when a process
     *        fails before the first generation
     * @param writer writes a part for a checkpoint; called on the thread of the loop, between iterations
     * @param reader reads a part after a failure, or when another PE has had it before
     * @return no parts until {@link CheckpointLoop#keep}, then those of this PE by their numbers, {@link LoopData#ids}
     */
    public LoopData local(LongConsumer initial, PartWriter writer, PartReader reader) {
        MessageArguments.checkGiven("initial", initial);
        MessageArguments.checkGiven("writer", writer);
        MessageArguments.checkGiven("reader", reader);
        return new LocalStreams(store, initial, writer, reader);
    }

    /** Closes the store, and so frees its memory. Local. */
    @Override
    public void close() {
        store.close();
    }
}
