package org.restorej;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.OriginalRank;
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
 * own and {@link #pull} the blocks they now need, out of memory, in milliseconds. Where a block is follows from the
 * failed ranks alone (Hübner et al., "ReStore: In-Memory REplicated STORagE for Rapid Recovery in Fault-Tolerant
 * Algorithms", 2022).
 *
 * <p>
 * <b>Collective.</b> Building, submit, pull, push and recover are called by all PEs, in the same order. When a process
 * dies during one of them, every survivor gets a {@link org.restorej.comm.ProcessFailedException}; the store is then as
 * it was before, and after {@link #recover} the same call can be repeated.
 *
 * <p>
 * <b>Memory.</b> A PE holds {@code K * ceil(B / P)} blocks off the heap, twice that while a new generation replaces an
 * old one, and less than 64 MiB of staging; {@link #close} frees it all. What is read from the store never comes from
 * the application's own memory. One thread of a PE uses a store at a time.
 */
public final class ReStore implements AutoCloseable {
    private final StoreConfiguration configuration;
    private final StoreRanks ranks;
    private final Placement placement;
    private final RangePermutation permutation;
    private final ReplicaRing ring;
    private final OriginalRank originalRank;
    private Channel channel;
    private FailedRanks failedRanks = FailedRanks.NONE;
    private @Nullable Generation generation;
    private boolean closed;

    private ReStore(Communicator communicator, StoreConfiguration configuration) {
        this.configuration = configuration;
        ranks = new StoreRanks(communicator.ranks());
        placement = new Placement(ranks.size(), configuration.blocks(), configuration.replication());
        permutation = configuration.permutationRangeBlocks() == 0
                ? RangePermutation.identity(configuration.blocks())
                : RangePermutation.feistel(configuration.blocks(), configuration.permutationRangeBlocks(),
                        configuration.seed());
        ring = new ReplicaRing(placement, configuration.ringPoints(), configuration.seed() + 1);
        originalRank = ranks.rankOf(communicator);
        channel = openChannel(communicator);
    }

    /**
     * A builder for a store on all PEs of a communicator.
     *
     * @param communicator stays the caller's; the store makes a duplicate of it for its own messages
     */
    public static Builder builder(Communicator communicator) {
        return new Builder(communicator);
    }

    /** Opens a channel on all PEs of a communicator, or on none. */
    private Channel openChannel(Communicator communicator) {
        List<Communicator> duplicates = new ArrayList<>();
        try {
            Settlement.settle(communicator, () -> {}, "opening the store's communicator", () -> {
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

    /** Original rank of this PE: its rank in the communicator that the store was built on. */
    public OriginalRank originalRank() {
        return originalRank;
    }

    /** The original ranks that have failed, as of the last {@link #recover}. */
    public FailedRanks failedRanks() {
        return failedRanks;
    }

    /** Where blocks live while everybody is alive. */
    public Placement placement() {
        return placement;
    }

    /** How ids become positions. */
    public RangePermutation permutation() {
        return permutation;
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
     * id exactly once. When it returns, every PE has the new generation and the old one is gone; when it throws, every
     * PE still has the old one.
     *
     * @param submission this PE's part
     * @return number of the new generation
     * @throws InvalidSubmissionException on every PE, when ids are missing, out of range or submitted twice, lengths
     *         don't fit or a writer throws
     */
    public long submit(Submission submission) {
        checkOpen();
        Residency residency = Residency.placedWithout(placement, ring, failedRanks);
        SubmitOperation operation = new SubmitOperation(channel, configuration, permutation, residency,
                originalRank.value());
        Generation submitted = new Generation(generation() + 1, residency, operation.run(submission));
        Generation old = generation;
        generation = submitted;
        if (old != null) {
            old.close();
        }
        return submitted.number();
    }

    /**
     * Reads blocks. Collective; a PE that needs none calls it with {@link BlockRanges#EMPTY} and still serves others.
     *
     * @param wanted the blocks that this PE needs
     * @param destination on or off the heap, filled with the blocks in ascending order of their ids; at least
     *        {@code wanted.blockCount()} times the block size long
     * @throws IrrecoverableDataLossException on every PE, when all holders of a block that some PE wants are dead; every
     *         other wanted block has then been delivered
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
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = arena.allocate(isInRange(wanted) ? wanted.blockCount() * blockBytes : 0, 64);
            pull(wanted, buffer);
            MemorySegment blocks = buffer.asReadOnly();
            for (int run = 0; run < wanted.runCount(); run++) {
                for (long id = wanted.runFirst(run); id < wanted.runEnd(run); id++) {
                    long index = wanted.blocksBefore(run) + (id - wanted.runFirst(run));
                    consumer.accept(id, blocks.asSlice(index * blockBytes, blockBytes));
                }
            }
        }
    }

    /**
     * Reads blocks without requests, for when every PE knows what everyone needs, as after re-balancing: saves the time
     * of the requests, and costs every PE time linear in the wishes of all. Collective.
     *
     * @param wishes what each PE needs; the same function on every PE
     * @param destination as for {@link #pull(BlockRanges, MemorySegment)}
     * @throws IllegalArgumentException on every PE, when a wish is out of range, and on this PE only, when the destination
     *         is too short
     */
    public void push(Function<OriginalRank, BlockRanges> wishes, MemorySegment destination) {
        checkOpen();
        int[] peers = channelPeers();
        BlockRanges[] wanted = new BlockRanges[peers.length];
        for (int peer = 0; peer < peers.length; peer++) {
            wanted[peer] = Objects.requireNonNull(wishes.apply(OriginalRank.of(peers[peer])), "wishes");
            checkInRange("wishes of original rank " + peers[peer], wanted[peer]);
        }
        BlockRanges own = wanted[channel.communicator().rank()];
        read("push", own, destination, (exchange, mine, buffer) -> exchange.push(peers, wanted, buffer));
    }

    private int[] channelPeers() {
        Communicator communicator = channel.communicator();
        int[] peers = new int[communicator.size()];
        for (int current = 0; current < peers.length; current++) {
            peers[current] = ranks.storeRankOf(current, communicator);
        }
        return peers;
    }

    /** Runs an exchange that reads. */
    @FunctionalInterface
    private interface Reading {
        void run(PullExchange exchange, BlockRanges wanted, MemorySegment destination);
    }

    private void read(String operation, BlockRanges wanted, MemorySegment destination, Reading reading) {
        checkOpen();
        Generation current = generation;
        if (current == null) {
            throw new IllegalStateException(operation + " needs a submission: nothing has been submitted");
        }
        // What is wrong here must not keep the others waiting: this PE serves them first, and complains then.
        IllegalArgumentException complaint = complaint(wanted, destination);
        BlockRanges accepted = complaint == null ? wanted : BlockRanges.EMPTY;
        long bytes = accepted.blockCount() * configuration.blockSizeBytes();
        int flags;
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = destination.isNative() ? destination : arena.allocate(bytes, 64);
            PullExchange exchange = new PullExchange(channel, permutation, current.residency(), current.memory(),
                    configuration.blockSizeBytes(), originalRank.value());
            flags = channel.settle(operation, () -> {
                reading.run(exchange, accepted, buffer);
                return exchange.lostBlocks() == 0 ? Settlement.ALL : Settlement.ALL & ~Settlement.COMPLETE;
            });
            if (!destination.isNative()) {
                MemorySegment.copy(buffer, 0, destination, 0, bytes);
            }
        }
        if (complaint != null) {
            throw complaint;
        }
        if ((flags & Settlement.COMPLETE) == 0) {
            throw new IrrecoverableDataLossException(lostBlocks(), failedRanks);
        }
    }

    private @Nullable IllegalArgumentException complaint(BlockRanges wanted, MemorySegment destination) {
        try {
            checkInRange("wanted", wanted);
            long bytes = wanted.blockCount() * configuration.blockSizeBytes();
            if (destination.byteSize() < bytes) {
                return new IllegalArgumentException("destination must have at least " + bytes + " bytes, "
                        + wanted.blockCount() + " blocks of " + configuration.blockSizeBytes()
                        + ": destination.byteSize()=" + destination.byteSize());
            }
            return destination.isReadOnly()
                    ? new IllegalArgumentException("destination must be writable: it is read-only")
                    : null;
        } catch (IllegalArgumentException invalid) {
            return invalid;
        }
    }

    private boolean isInRange(BlockRanges wanted) {
        return wanted.isEmpty() || wanted.runEnd(wanted.runCount() - 1) <= configuration.blocks();
    }

    private void checkInRange(String argument, BlockRanges wanted) {
        if (!isInRange(wanted)) {
            throw new IllegalArgumentException(argument + " must be in 0.." + (configuration.blocks() - 1) + ": "
                    + wanted.minus(BlockRanges.of(0, configuration.blocks())));
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
     * Goes on with the survivors after a failure: notes who is dead. Collective among them; moves no data. May be called
     * again and again, after each further failure.
     *
     * @param survivors a communicator of PEs that built the store, all alive, usually the result of
     *        {@link Communicator#shrink}; stays the caller's
     * @throws IllegalArgumentException when it has PEs that the store never knew or that have failed, naming them
     */
    public void recover(Communicator survivors) {
        checkOpen();
        FailedRanks missing = ranks.missingFrom(survivors, failedRanks);
        Channel opened = openChannel(survivors);
        channel.close();
        channel = opened;
        failedRanks = failedRanks.union(missing);
        if (generation != null) {
            generation = generation.without(missing);
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the store is closed");
        }
    }

    /** Frees the replicas, the staging and the store's communicator. Local: waits for nobody. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            channel.close();
            if (generation != null) {
                generation.close();
            }
        }
    }

    /** Collects what a store is to be like. */
    public static final class Builder {
        /** Long enough that a message's cost is its bytes, short enough to spread a PE's data over many others. */
        private static final long PERMUTATION_RANGE_BYTES = 256 << 10;

        /** A PE's data make at least so many permutation ranges, so that small data sets are spread too. */
        private static final long PERMUTATION_RANGES_PER_PE = 8;

        private static final int RING_POINTS = 16;

        private final Communicator communicator;
        private long blocks;
        private long blockSizeBytes;
        private int replication = 3;
        private long permutationRangeBlocks = -1;
        private long seed = 0x5EED_0F_5707EL;
        private int ringPoints = RING_POINTS;

        private Builder(Communicator communicator) {
            this.communicator = Objects.requireNonNull(communicator, "communicator");
        }

        /** Number of blocks B, at least 1. */
        public Builder blocks(long value) {
            blocks = value;
            return this;
        }

        /** Size of a block in bytes, at least 1. */
        public Builder blockSizeBytes(long value) {
            blockSizeBytes = value;
            return this;
        }

        /** Replication level K, from 1 to the number of PEs; 3 unless set. */
        public Builder replication(int value) {
            replication = value;
            return this;
        }

        /**
         * Blocks of a permutation range, at least 1; 256 KiB worth unless set, and fewer where a PE's share is less than
         * eight of those.
         */
        public Builder permutationRangeBlocks(long value) {
            permutationRangeBlocks = value;
            return this;
        }

        /** Leaves the ids in their order: neighbouring ids then live on the same PEs. */
        public Builder noPermutation() {
            return permutationRangeBlocks(0);
        }

        /** Chooses permutation and ring; must be the same on every PE. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /** Points of a PE on the ring that finds new holders for lost replicas, at least 1. */
        public Builder ringPoints(int value) {
            ringPoints = value;
            return this;
        }

        /**
         * Builds the store. Collective.
         *
         * @throws IllegalArgumentException naming everything that is wrong; when it is wrong on one PE only, the others
         *         get an exception too
         */
        public ReStore build() {
            StoreConfiguration configuration = new StoreConfiguration(blocks, blockSizeBytes, replication,
                    permutationRangeBlocks < 0 ? defaultPermutationRangeBlocks() : permutationRangeBlocks, seed,
                    ringPoints);
            configuration.checkOnAllPes(communicator);
            return new ReStore(communicator, configuration);
        }

        private long defaultPermutationRangeBlocks() {
            long blocksPerPe = blocks / communicator.size();
            return Math.max(1, Math.min(PERMUTATION_RANGE_BYTES / Math.max(1, blockSizeBytes),
                    blocksPerPe / PERMUTATION_RANGES_PER_PE));
        }
    }
}
