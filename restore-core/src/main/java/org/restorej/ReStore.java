package org.restorej;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.ProcessFailedException;
import org.restorej.exchange.Channel;
import org.restorej.exchange.PullExchange;
import org.restorej.exchange.Settlement;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;
import org.restorej.placement.RangePermutation;
import org.restorej.placement.ReplicaRing;
import org.restorej.placement.Residency;

/**
 * Keeps the data of an MPI program alive in the memory of its processes.
 *
 * <p>
 * The program's data are {@code B} blocks of equal size with ids {@code 0 .. B - 1}. {@link #submit} puts a copy of each
 * into the memory of {@code K} PEs. When PEs have died, the survivors call {@link #recover} with a communicator of their
 * own and {@link #pull} the blocks they now need, out of memory, in milliseconds; {@link #replenish} makes the lost
 * copies anew. Where a block is follows from the failed ranks alone (Hübner et al., "ReStore: In-Memory REplicated
 * STORagE for Rapid Recovery in Fault-Tolerant Algorithms", 2022).
 *
 * <p>
 * <b>Collective.</b> Building, submit, pull, push, recover and replenish are called by all PEs, in the same order. A
 * process may die at any instant: when that keeps a call from being done on every PE alive, every survivor gets a
 * {@link ProcessFailedException} (or, where nobody has died but a PE has thrown, a
 * {@link org.restorej.comm.CommunicatorRevokedException}); the store is then as it was before on all of them, and after
 * {@link #recover} the same call can be repeated. A survivor that has met a failure outside the store and one that is
 * inside a call of the store would wait for each other: before a call of the store, the PEs must have agreed that what
 * they did before has succeeded on all, as a step of {@link RecoveryLoop} does at its end.
 *
 * <p>
 * <b>Memory.</b> A PE holds {@code K * ceil(B / P)} blocks off the heap, twice that while a new generation replaces an
 * old one, and less than 64 MiB of staging, or one block where that is larger; a pull into heap memory or a consumer
 * takes as much again as it brings, and replenishing adds what the dead held. {@link #close} frees it all. What is read
 * from the store never comes from the application's own memory. One thread of a PE uses a store at a time.
 */
public final class ReStore implements AutoCloseable {
    private final StoreConfiguration configuration;
    private final Placement placement;
    private final RangePermutation permutation;
    private final ReplicaRing ring;
    private final @Nullable BlockFallback fallback;
    private StoreRanks ranks;
    private Channel channel;
    private @Nullable Generation generation;
    private boolean closed;

    ReStore(Communicator communicator, StoreConfiguration configuration, @Nullable BlockFallback fallback) {
        this.configuration = configuration;
        this.fallback = fallback;
        ranks = StoreRanks.of(communicator, configuration.spares());
        placement = new Placement(ranks.peCount(), configuration.blocks(), configuration.replication());
        permutation = configuration.permutationRangeBlocks() == 0
                ? RangePermutation.identity(configuration.blocks())
                : RangePermutation.feistel(configuration.blocks(), configuration.permutationRangeBlocks(),
                        configuration.seed());
        ring = new ReplicaRing(placement, configuration.ringPoints(), configuration.seed() + 1);
        channel = openChannel(communicator, ranks);
    }

    /**
     * A builder for a store on all PEs of a communicator.
     *
     * @param communicator stays the caller's; the store makes a duplicate of it for its own messages
     */
    public static ReStoreBuilder builder(Communicator communicator) {
        return new ReStoreBuilder(communicator);
    }

    /** Opens a channel on all PEs of a communicator, or on none. */
    private static Channel openChannel(Communicator communicator, StoreRanks ranks) {
        List<Communicator> duplicates = new ArrayList<>();
        try {
            Settlement.settle(communicator, () -> {}, "opening the store's communicator", () -> {
                if (!communicator.failedRanks().isEmpty()) {
                    throw new ProcessFailedException("opening the store's communicator", communicator.failedRanks());
                }
                duplicates.add(communicator.duplicate());
                return Settlement.ALL;
            });
        } catch (RuntimeException failure) {
            duplicates.forEach(Communicator::close);
            throw failure;
        }
        Communicator own = duplicates.getFirst();
        return new Channel(own, rank -> ranks.currentRankOf(rank, own));
    }

    /** Whether this PE is a spare that has not yet taken anyone's place. */
    public boolean isIdleSpare() {
        return rank() == StoreRanks.NO_RANK;
    }

    /**
     * Original rank of this PE: its rank in the communicator that the store was built on, or that of the dead PE whose
     * place it has taken.
     *
     * @throws IllegalStateException on an idle spare
     */
    public OriginalRank originalRank() {
        if (isIdleSpare()) {
            throw new IllegalStateException("this PE is an idle spare and has no original rank");
        }
        return OriginalRank.of(rank());
    }

    private int rank() {
        return ranks.originalRankAt(channel.communicator().rank(), channel.communicator());
    }

    /** The original ranks that have failed and that no spare has taken over, as of the last {@link #recover}. */
    public FailedRanks failedRanks() {
        return ranks.failedRanks();
    }

    /** Where blocks live while everybody is alive. */
    public Placement placement() {
        return placement;
    }

    /** How ids become positions. */
    public RangePermutation permutation() {
        return permutation;
    }

    /** Size of a block in bytes. */
    public long blockSizeBytes() {
        return configuration.blockSizeBytes();
    }

    /** Number of the generation that can be read: 0 before the first submit, then one more for each. */
    public long generation() {
        return generation == null ? 0 : generation.number();
    }

    /** Bytes of the replicas that this PE holds. */
    public long replicaBytes() {
        return generation == null ? 0 : generation.memory().bytes();
    }

    /** Submits one range from memory on or off the heap; see {@link #submit(Submission)}. */
    public long submit(BlockRange blocks, MemorySegment bytes) {
        return submit(new Submission().add(blocks, bytes));
    }

    /** Submits one range block by block; see {@link #submit(Submission)}. */
    public long submit(BlockRange blocks, BlockWriter writer) {
        return submit(new Submission().add(blocks, writer));
    }

    /**
     * Submits a new generation of all blocks. Collective; each PE contributes what it has, and together they submit each
     * id exactly once. When it returns, every PE alive has the new generation and the old one is gone; when it throws,
     * every PE alive still has the old one, and the message says so.
     *
     * @param submission this PE's part
     * @return number of the new generation
     * @throws InvalidSubmissionException on every PE, when ids are missing, out of range or submitted twice, lengths
     *         don't fit or a writer throws
     */
    public long submit(Submission submission) {
        checkOpen();
        long number = generation() + 1;
        Residency residency = Residency.placedWithout(placement, ring, failedRanks());
        SubmitOperation operation = new SubmitOperation("submit of generation " + number + " (generation "
                + generation() + " is kept)", channel, configuration, permutation, residency, rank());
        replaceGeneration(new Generation(number, residency, operation.run(submission)));
        return number;
    }

    private void replaceGeneration(Generation successor) {
        Generation old = generation;
        generation = successor;
        if (old != null) {
            old.close();
        }
    }

    /**
     * Reads blocks. Collective; a PE that needs none calls it with {@link BlockRanges#EMPTY} and still serves others.
     *
     * @param wanted the blocks that this PE needs
     * @param destination on or off the heap, filled with the blocks in ascending order of their ids; at least
     *        {@code wanted.blockCount()} times the block size long. When a failure ends the call, its bytes are
     *        undefined, and memory off the heap must not be freed before the {@link #recover} that follows
     * @throws IrrecoverableDataLossException on every PE, when some PE wants a block whose holders are all dead and that
     *         the fallback, if there is one, can't read either; every other wanted block has then been delivered
     * @throws IllegalArgumentException on this PE only, when an id is out of range or the destination too short
     * @throws IllegalStateException when nothing has been submitted
     */
    public void pull(BlockRanges wanted, MemorySegment destination) {
        read("pull", wanted, destination, PullExchange::pull);
    }

    /**
     * Reads blocks one by one, from a buffer as large as all of them; see {@link #pull(BlockRanges, MemorySegment)}.
     *
     * @param consumer takes the blocks in ascending order of their ids, after all have arrived; not called when the pull
     *        throws
     */
    public void pull(BlockRanges wanted, BlockConsumer consumer) {
        long blockBytes = configuration.blockSizeBytes();
        Arena arena = Arena.ofShared();
        try {
            long bytes = configuration.contains(wanted) ? wanted.blockCount() * blockBytes : 0;
            MemorySegment buffer = allocateOrServe(arena, bytes);
            pull(wanted, buffer);
            MemorySegment blocks = buffer.asReadOnly();
            for (int run = 0; run < wanted.runCount(); run++) {
                for (long id = wanted.runFirst(run); id < wanted.runEnd(run); id++) {
                    long index = wanted.blocksBefore(run) + (id - wanted.runFirst(run));
                    consumer.accept(id, blocks.asSlice(index * blockBytes, blockBytes));
                }
            }
        } finally {
            release(arena);
        }
    }

    /** Frees memory that was the destination of a read: after a failure not before the next {@link #recover}. */
    void release(Arena arena) {
        channel.release(arena::close);
    }

    /** A PE that has no memory for its own blocks must still serve the others before it says so. */
    private MemorySegment allocateOrServe(Arena arena, long bytes) {
        try {
            return arena.allocate(bytes, Long.BYTES);
        } catch (OutOfMemoryError error) {
            pull(BlockRanges.EMPTY, MemorySegment.NULL);
            throw error;
        }
    }

    /**
     * Reads blocks without requests, for when every PE knows what everyone needs, as after re-balancing: saves the time
     * of the requests, and costs every PE time linear in the wishes of all. Collective.
     *
     * @param wishes what each PE needs; the same function on every PE; not asked for idle spares
     * @param destination as for {@link #pull(BlockRanges, MemorySegment)}
     * @throws IllegalArgumentException on every PE, when a wish is out of range, and on this PE only, when the destination
     *         is too short; the wishes of this PE must not depend on that
     */
    public void push(Function<OriginalRank, BlockRanges> wishes, MemorySegment destination) {
        checkOpen();
        Communicator communicator = channel.communicator();
        int[] peers = new int[communicator.size()];
        BlockRanges[] wanted = new BlockRanges[peers.length];
        for (int current = 0; current < peers.length; current++) {
            peers[current] = ranks.originalRankAt(current, communicator);
            wanted[current] = peers[current] == StoreRanks.NO_RANK
                    ? BlockRanges.EMPTY
                    : wishes.apply(OriginalRank.of(peers[current]));
            if (!configuration.contains(wanted[current])) {
                throw new IllegalArgumentException(
                        configuration.outOfRange("wishes of original rank " + peers[current], wanted[current]));
            }
        }
        read("push", wanted[communicator.rank()], destination,
                (exchange, mine, buffer) -> exchange.push(peers, wanted, buffer));
    }

    private void read(String name, BlockRanges wanted, MemorySegment destination, ReadOperation.Exchange exchange) {
        checkOpen();
        Generation current = generation;
        if (current == null) {
            throw new IllegalStateException(name + " needs a submission: nothing has been submitted");
        }
        ReadOperation operation = new ReadOperation(name, channel, configuration, permutation, current, rank(),
                fallback);
        if (!operation.run(wanted, destination, exchange)) {
            IrrecoverableDataLossException loss = new IrrecoverableDataLossException(lostBlocks(), failedRanks());
            operation.fallbackFailures().forEach(loss::addSuppressed);
            throw loss;
        }
    }

    /** Blocks whose holders are all dead, as of the last {@link #recover}; computed, in time linear in what is lost. */
    public BlockRanges lostBlocks() {
        Generation current = generation;
        if (current == null) {
            return BlockRanges.EMPTY;
        }
        List<BlockRange> lost = new ArrayList<>();
        current.residency().forEachLostPart((first, end) -> {
            long position = first;
            while (position < end) {
                long together = Math.min(end - position, permutation.runAtPosition(position));
                lost.add(BlockRange.of(permutation.blockAt(position), together));
                position += together;
            }
        });
        return BlockRanges.of(lost);
    }

    /**
     * Goes on with the survivors after a failure: notes who is dead, and lets spares take their places. Collective among
     * the survivors; moves no data. May be called again and again, after each further failure.
     *
     * @param survivors a communicator of PEs that built the store, all alive, usually the result of
     *        {@link Communicator#shrink}; stays the caller's
     * @throws IllegalArgumentException when it has PEs that the store never knew or that have left before, naming them
     * @throws ProcessFailedException on every survivor, when one of them is dead: shrink again
     */
    public void recover(Communicator survivors) {
        checkOpen();
        StoreRanks recovered = ranks.among(survivors);
        Channel opened = openChannel(survivors, recovered);
        Channel old = channel;
        channel = opened;
        if (generation != null) {
            generation = generation.without(ranks.lostUntil(recovered));
        }
        ranks = recovered;
        old.close();
    }

    /**
     * Makes the lost replicas anew, so that every block that is not lost altogether has {@code K} again, or as many as
     * PEs are alive. Collective. Copies nothing but lost replicas, to holders that the consistent-hashing ring names;
     * when a process dies meanwhile, every survivor keeps what it had before.
     *
     * @return bytes that this PE received
     */
    public long replenish() {
        checkOpen();
        Generation current = generation;
        if (current == null) {
            return 0;
        }
        ReplenishOperation operation = new ReplenishOperation(channel, configuration, current, rank());
        generation = operation.run(failedRanks());
        return operation.receivedBytes();
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the store is closed");
        }
    }

    /**
     * Frees the replicas, the staging and the store's communicator. Local: waits for nobody. After a failure without a
     * {@link #recover} the memory stays until the process ends, since messages may still be under way in it.
     */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (channel.hasGivenUp()) {
                // MPI may still be at work on this memory until the survivors have shrunk, which they have not.
                return;
            }
            channel.close();
            if (generation != null) {
                generation.close();
            }
        }
    }
}
