package org.restorej;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.comm.Collective;
import org.restorej.comm.Communicator;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.host.HostName;
import org.restorej.internal.operation.DomainLabels;
import org.restorej.internal.operation.LostBlockReader;
import org.restorej.internal.operation.RecoveryWarmup;
import org.restorej.internal.operation.StoreConfiguration;

/**
 * Collects the settings of a {@link ReStore}. They must be equal on all PEs, except labels of failure domains and the
 * fallback. Not thread-safe.
 */
public final class ReStoreBuilder {
    private static final int DEFAULT_REPLICATION = 3;
    /** The code computes in a field of 256 elements, and each part needs one of them. */
    private static final int MAX_PARTS = 255;

    private final Communicator communicator;
    private final Meeting meeting = new Meeting();
    private long blocks;
    private long blockSizeBytes;
    private OptionalInt replication = OptionalInt.empty();
    /** Set for coded blocks; {@code replication} is then the number of all parts. */
    private OptionalInt parityParts = OptionalInt.empty();
    private OptionalLong permutationRangeBlocks = OptionalLong.empty();
    private long seed = 0x5EED_0F_5707EL;
    private int ringPoints = 16;
    private boolean variable;
    private int spares;
    private @Nullable List<String> failureDomain;
    /** An error on this PE that {@link #build} throws, where all PEs get it. */
    private @Nullable IllegalArgumentException refusal;
    private String host = HostName.ownName();
    private boolean sharedDomains;
    private @Nullable Fallback fallback;

    /**
     * Reads blocks of which no replica is left from where the application first got them, for example input files.
     * Implements {@link #sizes} too if blocks have different sizes.
     */
    @FunctionalInterface
    public interface Fallback {
        /**
         * Reads a run of lost blocks that this PE has requested. Called on that PE only, inside a pull. If it throws,
         * the blocks count as lost; an {@link Error} is also rethrown on this PE after the other PEs have been served.
         *
         * @param blocks their ids
         * @param destination to be filled with their bytes, one block after another
         */
        void read(BlockRange blocks, MemorySegment destination) throws Exception;

        /**
         * Returns the sizes of lost blocks that have different sizes; called before the blocks are read. If it throws,
         * the blocks count as lost.
         *
         * @param blocks their ids
         */
        default BlockRange.Sizes sizes(BlockRange blocks) throws Exception {
            throw new UnsupportedOperationException(
                    "a fallback for blocks of different sizes must implement sizes: " + getClass().getName());
        }

        /**
         * Returns the fallback for one generation. A fallback whose blocks change with each generation, such as a
         * checkpoint, returns one that reads the blocks of this generation, or throws. Called on this PE only, once at
         * the start of every pull. If it throws, the blocks that would have been read count as lost; an {@link Error}
         * is also rethrown on this PE after the other PEs have been served.
         *
         * @param store that reads
         * @param generation that is read; 0 before the first submission
         */
        default Fallback forGeneration(ReStore store, long generation) {
            return this;
        }
    }

    ReStoreBuilder(Communicator communicator) {
        this.communicator = Objects.requireNonNull(communicator, "communicator");
    }

    /** What a read of a store uses for lost blocks. */
    static LostBlockReader reader(@Nullable Fallback fallback, ReStore store) {
        return new LostBlockReader(fallback == null
                ? null
                : () -> source(Objects.requireNonNull(fallback.forGeneration(store, store.generation()),
                        "the fallback for generation " + store.generation())));
    }

    private static LostBlockReader.Source source(Fallback fallback) {
        return new LostBlockReader.Source() {
            @Override
            public void read(BlockRange blocks, MemorySegment destination) throws Exception {
                fallback.read(blocks, destination);
            }

            @Override
            public BlockRange.Sizes sizes(BlockRange blocks) throws Exception {
                return fallback.sizes(blocks);
            }
        };
    }

    /** A copy; changing it leaves this builder unchanged. */
    public ReStoreBuilder copy() {
        ReStoreBuilder copy = new ReStoreBuilder(communicator);
        copy.blocks = blocks;
        copy.blockSizeBytes = blockSizeBytes;
        copy.replication = replication;
        copy.parityParts = parityParts;
        copy.permutationRangeBlocks = permutationRangeBlocks;
        copy.seed = seed;
        copy.ringPoints = ringPoints;
        copy.variable = variable;
        copy.spares = spares;
        copy.failureDomain = failureDomain;
        copy.refusal = refusal;
        copy.host = host;
        copy.sharedDomains = sharedDomains;
        copy.fallback = fallback;
        return copy;
    }

    /** Whether {@link #variableBlockSizes} was called, and {@link #blockSizeBytes} not after it. */
    public boolean hasVariableBlockSizes() {
        return variable;
    }

    /** Number of blocks B, at least 1, at most 2^36 for each PE that is not a spare. */
    public ReStoreBuilder blocks(long value) {
        blocks = value;
        return this;
    }

    /** Size of each block in bytes, at least 1. */
    public ReStoreBuilder blockSizeBytes(long value) {
        blockSizeBytes = value;
        variable = false;
        return this;
    }

    /**
     * Lets each block have a size of its own, 0 included, which is submitted with it.
     *
     * <p>
     * Not with {@link #coded}.
     *
     * @param typicalBytes about the size of most blocks, at least 1. It determines how many blocks a permutation range
     *        has
     */
    public ReStoreBuilder variableBlockSizes(long typicalBytes) {
        blockSizeBytes = typicalBytes;
        variable = true;
        return this;
    }

    /**
     * Replication level K, from 1 to the number of PEs without spares. By default 3, or the number of PEs if that is
     * smaller. Replaces {@link #coded}.
     */
    public ReStoreBuilder replication(int value) {
        replication = OptionalInt.of(value);
        parityParts = OptionalInt.empty();
        return this;
    }

    /**
     * Stores blocks in an erasure code instead of replicas: {@code k} parts of data and {@code m} of parity, each on
     * another PE. Any {@code k} parts determine all others. Any {@code m} PEs may fail, as with
     * {@code replication(m + 1)}, but it takes {@code (1 + m / k)} times the memory of the data instead of
     * {@code m + 1} times. A block is read from one holder as long as that holder has not failed. Reading a lost block
     * means reading {@code k} others, and so does re-replication. More sets of PEs are fatal than with replicas; see
     * {@code docs/coding.md}. Replaces {@link #replication}.
     *
     * <p>
     * All blocks have one size, and are submitted together: {@link #variableBlockSizes} is refused, and
     * {@link ReStore#submitChanges} throws.
     *
     * @param dataParts number k, at least 1
     * @param parityParts number m, at least 1; {@code k + m} is at most 255, and at most the number of PEs without
     *        spares
     */
    public ReStoreBuilder coded(int dataParts, int parityParts) {
        if (parityParts < 1) {
            refuse(new IllegalArgumentException("parityParts of coded must be at least 1: parityParts="
                    + parityParts));
            return this;
        }
        if ((long) dataParts + parityParts > MAX_PARTS) {
            refuse(new IllegalArgumentException("dataParts and parityParts of coded must be at most " + MAX_PARTS
                    + " together: dataParts=" + dataParts + ", parityParts=" + parityParts));
            return this;
        }
        replication = OptionalInt.of(dataParts + parityParts);
        this.parityParts = OptionalInt.of(parityParts);
        return this;
    }

    /**
     * Number of blocks in a permutation range, at least 1. By default 256 KiB of blocks, or fewer if a PE has less than
     * eight such ranges.
     */
    public ReStoreBuilder permutationRangeBlocks(long value) {
        if (value == 0) {
            refuse(new IllegalArgumentException("permutationRangeBlocks must be at least 1, and noPermutation() leaves "
                    + "the ids in their order: permutationRangeBlocks=0"));
            return this;
        }
        permutationRangeBlocks = OptionalLong.of(value);
        return this;
    }

    /** Leaves the ids in their order; neighbouring ids are then on the same PEs. */
    public ReStoreBuilder noPermutation() {
        permutationRangeBlocks = OptionalLong.of(0);
        return this;
    }

    /** Seed of the permutation of ids, and of the ring that selects new holders; any number. */
    public ReStoreBuilder seed(long value) {
        seed = value;
        return this;
    }

    /**
     * Number g of points that each PE has on the ring that selects new holders of lost replicas, from 1 to 1024, by
     * default 16. More points spread a failed PE's replicas over more survivors. That balances memory, but makes it
     * more likely that several simultaneous failures lose data.
     */
    public ReStoreBuilder ringPoints(int value) {
        ringPoints = value;
        return this;
    }

    /**
     * Number of spares: the last ranks of the communicator, which start without data. When a PE fails, a spare takes
     * its store rank at the next {@link ReStore#recover}, and {@link ReStore#replenish} fills its memory. 0 by default.
     */
    public ReStoreBuilder spares(int value) {
        spares = value;
        return this;
    }

    /**
     * Names the failure domain of this PE, for instance its node: PEs of one domain fail together. The K replicas of
     * every range are then in K different domains, so any K - 1 domains may fail. This requires that no domain has more
     * than {@code P / K} PEs ({@link org.restorej.placement.FailureDomains#canSeparate}); otherwise {@link #build}
     * throws. {@link ReStore#replenish} puts new replicas into domains that have none of the range, as long as such a
     * domain has a survivor. A spare counts as in the domain of the failed PE whose rank it takes.
     *
     * <p>
     * By default the domain is the host name, and replicas are separated as far as possible, as with
     * {@link #sharedDomains}. If all PEs are on one host, or with no label, {@code failureDomain()}, replicas are
     * {@code floor(P / K)} ranks apart, regardless of hosts.
     *
     * <p>
     * Several labels are nested domains, such as a node in its rack, and the guarantee holds for each level. Every PE
     * passes the same number of labels. Costs a message of 8 bytes a label from each PE when the store is built, and 24
     * bytes of heap for each PE and level.
     *
     * @param largestFirst labels that PEs of one domain have in common: {@code failureDomain("node17")}, or
     *        {@code failureDomain("rack3", "node17")}
     */
    public ReStoreBuilder failureDomain(String... largestFirst) {
        if (largestFirst == null || Arrays.asList(largestFirst).contains(null)) {
            refuse(new IllegalArgumentException("labels of failureDomain must not be null: "
                    + Arrays.toString(largestFirst)));
            return this;
        }
        failureDomain = List.of(largestFirst);
        return this;
    }

    /**
     * Makes {@link #build} throw an error of this PE on all PEs, which otherwise might wait for it. For code that
     * derives settings from arguments of its own.
     */
    public void refuse(IllegalArgumentException wrong) {
        refusal = wrong;
    }

    /** Sets the host name, for tests. */
    ReStoreBuilder host(String name) {
        host = name;
        return this;
    }

    /**
     * Whether replicas of a range may share a {@link #failureDomain} if there are too few domains or too large ones.
     * They are then separated as far as possible, and {@link ReStore#risk} reports the resulting risk. By default
     * {@link #build} throws instead.
     */
    public ReStoreBuilder sharedDomains(boolean value) {
        sharedDomains = value;
        return this;
    }

    /** Sets what reads blocks of which no replica is left. Without a fallback, a pull of such blocks throws. */
    public ReStoreBuilder fallback(Fallback value) {
        fallback = value;
        return this;
    }

    /**
     * Builds the store. Collective. The first build in a JVM also loads the code that a recovery needs, which takes
     * some tenths of a second.
     *
     * @throws IllegalArgumentException on every PE with the same message: names the settings that differ between PEs,
     *         with two ranks and their values, or else all invalid settings. An error that is not about a setting, such
     *         as a null label, is thrown on its PE, and the other PEs' messages name that PE
     */
    @Collective
    public ReStore build() {
        try (var _ = meeting.at(communicator)) {
            return built();
        }
    }

    private ReStore built() {
        int pes = communicator.size() - spares;
        int parts = replication.orElseGet(() -> Math.clamp(pes, 1, DEFAULT_REPLICATION));
        // Fewer than one data part is reported later.
        int rowParts = parityParts.isPresent() ? Math.max(1, parts - parityParts.getAsInt()) : 1;
        long rangeBlocks = permutationRangeBlocks.orElseGet(
                () -> StoreConfiguration.defaultPermutationRangeBlocks(blocks, blockSizeBytes, pes, rowParts));
        StoreConfiguration configuration = new StoreConfiguration(
                new StoreConfiguration.Blocks(blocks, blockSizeBytes, variable),
                new StoreConfiguration.Redundancy(parts, parityParts.orElse(0)),
                new StoreConfiguration.Spread(rangeBlocks, seed, ringPoints), spares, labels());
        StoreConfiguration checked = configuration.checkedOnAllPes(meeting, communicator, refusal);
        meeting.at(communicator);
        RecoveryWarmup.once();
        return new ReStore(meeting, communicator, checked, fallback);
    }

    private DomainLabels labels() {
        return failureDomain == null
                ? DomainLabels.ofHost(host, sharedDomains)
                : DomainLabels.of(failureDomain, sharedDomains);
    }
}
