package org.restorej;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.exchange.Channel;
import org.restorej.exchange.PullExchange;
import org.restorej.exchange.Settlement;
import org.restorej.placement.RangePermutation;

/**
 * One pull or push, from a wish to blocks in the application's memory.
 *
 * <p>
 * What is wrong with one PE's wish keeps nobody waiting: that PE serves the others all the same, and complains at the
 * end. Lost blocks are asked of the fallback; what it can't give either, all PEs learn of.
 */
final class ReadOperation {
    /** Moves the blocks. */
    @FunctionalInterface
    interface Exchange {
        void run(PullExchange exchange, BlockRanges wanted, MemorySegment destination);
    }

    private final String name;
    private final Channel channel;
    private final StoreConfiguration configuration;
    private final RangePermutation permutation;
    private final Generation generation;
    private final int originalRank;
    private final @Nullable BlockFallback fallback;
    private final List<Exception> fallbackFailures = new ArrayList<>();

    ReadOperation(String name, Channel channel, StoreConfiguration configuration, RangePermutation permutation,
            Generation generation, int originalRank, @Nullable BlockFallback fallback) {
        this.name = name;
        this.channel = channel;
        this.configuration = configuration;
        this.permutation = permutation;
        this.generation = generation;
        this.originalRank = originalRank;
        this.fallback = fallback;
    }

    /**
     * Runs it. Collective.
     *
     * @return whether everything that any PE wanted has been delivered
     */
    boolean run(BlockRanges wanted, MemorySegment destination, Exchange exchange) {
        IllegalArgumentException complaint = complaint(wanted, destination);
        BlockRanges accepted = configuration.contains(wanted) ? wanted : BlockRanges.EMPTY;
        long bytes = accepted.blockCount() * configuration.blockSizeBytes();
        boolean staged = complaint == null && !destination.isNative();
        boolean complete;
        Arena arena = Arena.ofShared();
        try {
            PullExchange pull = new PullExchange(channel, permutation, generation.residency(), generation.memory(),
                    configuration.blockSizeBytes(), originalRank);
            int flags = channel.settle(name, () -> {
                // Taken in here, since a PE that has no memory left must tell the others. After a complaint the blocks
                // are received all the same, since a push sends them unasked.
                MemorySegment buffer = complaint == null && !staged ? destination : arena.allocate(bytes, Long.BYTES);
                if (staged) {
                    // What can't be delivered is to stay as it was.
                    MemorySegment.copy(destination, 0, buffer, 0, bytes);
                }
                exchange.run(pull, accepted, buffer);
                boolean whole = readLost(pull, buffer);
                if (staged) {
                    MemorySegment.copy(buffer, 0, destination, 0, bytes);
                }
                return whole ? Settlement.ALL : Settlement.ALL & ~Settlement.COMPLETE;
            });
            complete = (flags & Settlement.COMPLETE) != 0;
        } finally {
            channel.release(arena::close);
        }
        if (complaint != null) {
            throw complaint;
        }
        return complete;
    }

    /** Why the fallback could not read some of this PE's blocks. */
    List<Exception> fallbackFailures() {
        return fallbackFailures;
    }

    /** Reads this PE's lost blocks by the fallback, and says whether none is missing any more. */
    private boolean readLost(PullExchange pull, MemorySegment buffer) {
        BlockFallback source = fallback;
        if (source == null) {
            return pull.lostPieceCount() == 0;
        }
        pull.forEachLostPiece((position, count, slot) -> {
            long blockBytes = configuration.blockSizeBytes();
            long done = 0;
            while (done < count) {
                long together = Math.min(count - done, permutation.runAtPosition(position + done));
                BlockRange run = BlockRange.of(permutation.blockAt(position + done), together);
                try {
                    source.read(run, buffer.asSlice((slot + done) * blockBytes, together * blockBytes));
                } catch (Exception failure) {
                    // Of the application's making, whatever it is: the blocks are lost then.
                    fallbackFailures.add(failure);
                }
                done += together;
            }
        });
        return fallbackFailures.isEmpty();
    }

    private @Nullable IllegalArgumentException complaint(BlockRanges wanted, MemorySegment destination) {
        if (!configuration.contains(wanted)) {
            return new IllegalArgumentException(configuration.outOfRange("wanted", wanted));
        }
        if (!destination.scope().isAlive() || !destination.isAccessibleBy(Thread.currentThread())) {
            return new IllegalArgumentException(
                    "destination must be memory that is alive and that this thread may use: " + destination);
        }
        long bytes = wanted.blockCount() * configuration.blockSizeBytes();
        if (destination.byteSize() < bytes) {
            return new IllegalArgumentException("destination must have at least " + bytes + " bytes, "
                    + wanted.blockCount() + " blocks of " + configuration.blockSizeBytes()
                    + ": destination.byteSize()=" + destination.byteSize());
        }
        return destination.isReadOnly()
                ? new IllegalArgumentException("destination must be writable: it is read-only")
                : null;
    }
}
