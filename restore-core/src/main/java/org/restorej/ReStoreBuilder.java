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
 * Collects what a {@link ReStore} is to be like. Every PE gives the same values, labels of failure domains and the
 * fallback excepted. One thread.
 */
public final class ReStoreBuilder {
    private static final int DEFAULT_REPLICATION = 3;
    /** The code computes in a field of 256 elements, and each part is one of them. */
    private static final int MAX_PARTS = 255;

    private final Communicator communicator;
    private final Meeting meeting = new Meeting();
    private long blocks;
    private long blockSizeBytes;
    private OptionalInt replication = OptionalInt.empty();
    /** Of coded blocks; then the replication is the number of all parts. */
    private OptionalInt parityParts = OptionalInt.empty();
    private OptionalLong permutationRangeBlocks = OptionalLong.empty();
    private long seed = 0x5EED_0F_5707EL;
    private int ringPoints = 16;
    private boolean variable;
    private boolean checksums = true;
    private int spares;
    private @Nullable List<String> failureDomain;
    /** What is wrong on this PE already; thrown by {@link #build} on all PEs, who are at it then. */
    private @Nullable IllegalArgumentException refusal;
    private String host = HostName.ownName();
    private boolean sharedDomains;
    private @Nullable Fallback fallback;

    /**
     * Reads blocks from where the application got them in the first place, input files for example, when no PE alive
     * holds them any more. Where blocks have different sizes it implements {@link #sizes}, too.
     */
    @FunctionalInterface
    public interface Fallback {
        /**
         * Reads a run of lost blocks that this PE has asked for. Called on that PE only, from inside a pull;
         * what it throws makes the blocks count as lost, and an {@link Error} is thrown on this PE, too, when the others
         * have been served.
         *
         * @param blocks their ids
         * @param destination their bytes one after another, to be filled
         */
        void read(BlockRange blocks, MemorySegment destination) throws Exception;

        /**
         * The sizes of lost blocks, which are lost as well where they differ; asked for before the blocks are read. What
         * it throws makes the blocks count as lost.
         *
         * @param blocks their ids
         */
        default BlockRange.Sizes sizes(BlockRange blocks) throws Exception {
            throw new UnsupportedOperationException(
                    "a fallback for blocks of different sizes must implement sizes: " + getClass().getName());
        }

        /**
         * What reads the lost blocks of one generation. A fallback whose blocks change from generation to generation,
         * such as a checkpoint, hands back one that reads those or refuses. Called on this PE only, once at the start of
         * every pull; what it throws makes the blocks that it would have read count as lost, and an
         * {@link Error} is thrown on this PE, too, when the others have been served.
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

    /** What a read of a store asks for blocks that no PE has. */
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

    /** Another builder with the same settings, so that who changes them leaves the caller's alone. */
    ReStoreBuilder copy() {
        ReStoreBuilder copy = new ReStoreBuilder(communicator);
        copy.blocks = blocks;
        copy.blockSizeBytes = blockSizeBytes;
        copy.replication = replication;
        copy.parityParts = parityParts;
        copy.permutationRangeBlocks = permutationRangeBlocks;
        copy.seed = seed;
        copy.ringPoints = ringPoints;
        copy.variable = variable;
        copy.checksums = checksums;
        copy.spares = spares;
        copy.failureDomain = failureDomain;
        copy.refusal = refusal;
        copy.host = host;
        copy.sharedDomains = sharedDomains;
        copy.fallback = fallback;
        return copy;
    }

    /** Whether {@link #variableBlockSizes} was called last. */
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
     * @param typicalBytes about the size of most blocks, at least 1: decides how many blocks a permutation range has,
     *        and of how many lost coded blocks what they are computed from is in memory at once
     */
    public ReStoreBuilder variableBlockSizes(long typicalBytes) {
        blockSizeBytes = typicalBytes;
        variable = true;
        return this;
    }

    /**
     * Replication level K, from 1 to the number of PEs without spares. Unless set, 3, or the number of PEs where that
     * is smaller. Instead of {@link #coded}.
     */
    public ReStoreBuilder replication(int value) {
        replication = OptionalInt.of(value);
        parityParts = OptionalInt.empty();
        return this;
    }

    /**
     * Keeps blocks by an erasure code instead of replicas: {@code k} parts of data and {@code m} of parity, each part on
     * another PE, from any {@code k} of which everything can be computed. Any {@code m} PEs may fail, as with
     * {@code replication(m + 1)}, for {@code (1 + m / k)} times the memory of the data instead of {@code m + 1}. Blocks
     * are read from one holder as long as it is there. A block that is lost costs reading {@code k} others, so does
     * re-replication, and more sets of PEs are fatal; see {@code docs/coding.md}. Instead of {@link #replication}.
     *
     * <p>
     * Changes ({@link ReStore#submitChanges}) are refused for blocks whose holder has failed, until
     * {@link ReStore#replenish}.
     *
     * @param dataParts number k, at least 1
     * @param parityParts number m, at least 1; {@code k + m} is at most 255, and at most the number of PEs without spares
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
     * Blocks of a permutation range, at least 1; 256 KiB worth unless set, and fewer where a PE's share is less than
     * eight of those.
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

    /** Leaves the ids in their order: neighbouring ids then live on the same PEs. */
    public ReStoreBuilder noPermutation() {
        permutationRangeBlocks = OptionalLong.of(0);
        return this;
    }

    /** Seed of the permutation of ids and of the ring that finds new holders; any number. */
    public ReStoreBuilder seed(long value) {
        seed = value;
        return this;
    }

    /**
     * Points g of a PE on the ring that finds new holders for lost replicas, from 1 to 1024; 16 unless set. More of
     * them spread a failed PE's replicas over more survivors, which balances their memory and makes it likelier that
     * several failures at once lose something.
     */
    public ReStoreBuilder ringPoints(int value) {
        ringPoints = value;
        return this;
    }

    /**
     * How many PEs begin without data: the last ranks of the communicator. When a PE fails, a spare takes its store
     * rank at the next {@link ReStore#recover}, and {@link ReStore#replenish} fills its memory. 0 unless set.
     */
    public ReStoreBuilder spares(int value) {
        spares = value;
        return this;
    }

    /**
     * Makes a CRC-32C of each permutation range when it is submitted, and checks it whenever something of the range is
     * read, so that a damaged replica is never delivered; so unless set to false.
     */
    public ReStoreBuilder checksums(boolean value) {
        checksums = value;
        return this;
    }

    /**
     * What this PE fails together with, for instance its node: the K replicas of every range then are in K different
     * domains, so that any K - 1 of them may fail as a whole. That is possible exactly when no domain has more than
     * {@code P / K} PEs ({@link org.restorej.placement.FailureDomains#canSeparate}), and otherwise refused.
     * {@link ReStore#replenish} puts new replicas into domains that have none of the range, as long as there is
     * somebody alive in one. A spare counts as in the domain of the failed PE whose place it takes.
     *
     * <p>
     * Unless set, the domain is the host by its name, and replicas are kept apart as far as possible, as with
     * {@link #sharedDomains}. On one host, and with no label at all, {@code failureDomain()}, replicas are
     * {@code floor(P / K)} ranks apart, wherever these are.
     *
     * <p>
     * With several labels domains are nested, a node in its rack, and the guarantee is one for each level. Every PE
     * gives as many labels. Costs a message of 8 bytes a label from each PE when the store is built, and 24 bytes of
     * heap a PE and level.
     *
     * @param largestFirst any text that PEs have in common which fail together: {@code failureDomain("node17")}, or
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
     * Has {@link #build} throw on all PEs what is wrong on this one alone, which could otherwise leave the others
     * waiting: for code that makes settings out of arguments of its own.
     */
    public void refuse(IllegalArgumentException wrong) {
        refusal = wrong;
    }

    /** The name of this PE's host, as tests want it. */
    ReStoreBuilder host(String name) {
        host = name;
        return this;
    }

    /**
     * Whether replicas of a range may share a {@link #failureDomain} where there are too few domains, or too large
     * ones: they are then kept apart as far as possible, and {@link ReStore#risk} reports what that is worth. Refused
     * unless true.
     */
    public ReStoreBuilder sharedDomains(boolean value) {
        sharedDomains = value;
        return this;
    }

    /** Reads blocks that no PE alive holds; without one, a pull of such blocks throws. */
    public ReStoreBuilder fallback(Fallback value) {
        fallback = value;
        return this;
    }

    /**
     * Builds the store. Collective. The first time in a JVM it also loads the code that a recovery will need, which
     * takes some tenths of a second.
     *
     * @throws IllegalArgumentException on every PE with the same message: names the settings that differ between PEs,
     *        with two ranks and their values, or, where none does, everything that is wrong. Where a PE has something
     *        that is no setting at all, such as a label that is null, it throws that, and the others say which PE does
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
        // A number of data parts below 1 is an error of its own.
        int rowParts = parityParts.isPresent() ? Math.max(1, parts - parityParts.getAsInt()) : 1;
        StoreConfiguration configuration = new StoreConfiguration(blocks, blockSizeBytes, variable, parts,
                parityParts.orElse(0),
                permutationRangeBlocks.orElseGet(
                        () -> StoreConfiguration.defaultPermutationRangeBlocks(blocks, blockSizeBytes, pes, rowParts)),
                seed, ringPoints, checksums, spares, labels());
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
