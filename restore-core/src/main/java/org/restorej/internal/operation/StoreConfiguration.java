package org.restorej.internal.operation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.operation.SettingsComparison.Setting;

/**
 * The configuration of a store, checked as a whole.
 *
 * @param spares number of PEs that begin without data, from 0 to all but one
 * @param labels the failure domains of this PE; equal in number on every PE
 */
public record StoreConfiguration(Blocks blocks, Redundancy redundancy, Spread spread, int spares,
        DomainLabels labels) {
    /**
     * The blocks of a store.
     *
     * @param count number of blocks B, at least 1, at most 2^36 for each PE with data
     * @param sizeBytes size of a block in bytes, at least 1; approximate if sizes differ
     * @param variable whether blocks have different sizes
     */
    public record Blocks(long count, long sizeBytes, boolean variable) {
        boolean contains(BlockRanges ids) {
            return ids.isEmpty() || ids.runEnd(ids.runCount() - 1) <= count;
        }

        String outOfRange(String argument, BlockRanges ids) {
            return argument + " must be in 0.." + (count - 1) + ": " + ids.minus(BlockRanges.of(0, count));
        }
    }

    /**
     * The redundancy of blocks against failures.
     *
     * @param parts replication level K, from 1 to the number of PEs; for coded blocks the number of parts, k + m
     * @param parityParts number of parity parts among these; 0 if blocks are not coded
     */
    public record Redundancy(int parts, int parityParts) {
        /** Whether blocks are coded. */
        public boolean isCoded() {
            return parityParts > 0;
        }

        /** Number of data parts k of coded blocks. */
        int dataParts() {
            return parts - parityParts;
        }

        /** Minimum number of holders of a block that must fail before it is lost, if none is missing yet. */
        int failuresUntilLoss() {
            return isCoded() ? parityParts + 1 : parts;
        }
    }

    /**
     * The distribution of blocks and of re-created replicas over the PEs.
     *
     * @param permutationRangeBlocks blocks of a permutation range, or 0 for no permutation
     * @param seed seed of the permutation and the ring; the same on every PE
     * @param ringPoints points of a PE on the ring that determines new holders, from 1 to 1024
     */
    public record Spread(long permutationRangeBlocks, long seed, int ringPoints) {}

    /**
     * Long enough that the cost of a message is that of its bytes, short enough to spread a PE's data over many others.
     */
    private static final long PERMUTATION_RANGE_BYTES = 256 << 10;

    /** Minimum number of permutation ranges of a PE's data, so that small data sets are spread too. */
    private static final long PERMUTATION_RANGES_PER_PE = 8;

    /**
     * Beyond some hundred points the load is no more even, while the time to find new holders and the memory for pieces
     * still grow.
     */
    static final int MAX_RING_POINTS = 1024;

    /** A submission records in one array of bits which blocks of a PE's block range have arrived. */
    private static final long MAX_BLOCKS_OF_A_PE = 1L << 36;

    /** Default length of a permutation range: blocks of 256 KiB together, fewer for small data sets. */
    public static long defaultPermutationRangeBlocks(long blocks, long blockSizeBytes, int pes) {
        return Math.max(1, Math.min(PERMUTATION_RANGE_BYTES / Math.max(1, blockSizeBytes),
                blocks / Math.max(1, pes) / PERMUTATION_RANGES_PER_PE));
    }

    /**
     * The default for coded blocks: whole rows of cells, so that a PE that submits a permutation range can compute its
     * parity.
     */
    public static long defaultPermutationRangeBlocks(long blocks, long blockSizeBytes, int pes, int dataParts) {
        return dataParts * Math.max(1, defaultPermutationRangeBlocks(blocks, blockSizeBytes, pes) / dataParts);
    }

    /** Blocks of the longest run with one checksum: a permutation range, or a cell of coded blocks. */
    long chunkBlocks(int pes) {
        long permuted = spread.permutationRangeBlocks() > 0
                ? spread.permutationRangeBlocks()
                : defaultPermutationRangeBlocks(blocks.count(), blocks.sizeBytes(), pes);
        // Cells are filled to their length, which therefore must not exceed the data.
        return redundancy.isCoded()
                ? Math.ceilDiv(Math.min(permuted, Math.max(1, blocks.count())), redundancy.dataParts())
                : permuted;
    }

    /**
     * Checks that the values are valid and the same on every PE. Collective.
     *
     * @param meeting of the builder, for which the others wait
     * @param refusal an error of this PE before there were values, or null
     * @return this; without labels of hosts if all PEs are on one
     * @throws IllegalArgumentException on every PE, with the same message
     */
    public StoreConfiguration checkedOnAllPes(Meeting meeting, Communicator communicator,
            @Nullable IllegalArgumentException refusal) {
        List<Setting> settings = settings();
        List<Setting> compared = new ArrayList<>(settings);
        compared.add(Setting.number("host", labels.hostFingerprint()));
        compared.add(Setting.flag("comparable", refusal == null));
        SettingsComparison comparison = new SettingsComparison(meeting, communicator, compared);
        if (comparison.min(settings.size() + 1) == 0) {
            meeting.at(communicator);
            CollectiveErrors errors = new CollectiveErrors();
            if (refusal != null) {
                errors.addOwn(String.valueOf(refusal.getMessage()), null);
            }
            String told = meeting.settle("comparing errors", () -> errors.onAllPes(communicator).await());
            throw refusal == null ? new IllegalArgumentException(told) : refusal;
        }
        List<String> differences = comparison.differences(settings);
        // Equal values are wrong on every PE, or on none.
        List<String> wrong = differences.isEmpty() ? errors(communicator.size()) : differences;
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", wrong));
        }
        return labels.byHost() && !comparison.differs(settings.size()) ? withoutLabels() : this;
    }

    private StoreConfiguration withoutLabels() {
        return new StoreConfiguration(blocks, redundancy, spread, spares, DomainLabels.NONE);
    }

    /** All values that must be the same on every PE. Labels may differ, but not their number. */
    private List<Setting> settings() {
        return List.of(Setting.number("blocks", blocks.count()), Setting.number("blockSizeBytes", blocks.sizeBytes()),
                Setting.flag("variableBlockSizes", blocks.variable()),
                Setting.number(redundancy.isCoded() ? "the number of parts of coded" : "replication",
                        redundancy.parts()),
                Setting.number("parityParts of coded", redundancy.parityParts()),
                Setting.number("permutationRangeBlocks", spread.permutationRangeBlocks()),
                Setting.number("seed", spread.seed()), Setting.number("ringPoints", spread.ringPoints()),
                Setting.number("spares", spares),
                Setting.number("the number of labels of failureDomain",
                        labels.byHost() ? 0 : labels.largestFirst().size()),
                Setting.flag("failureDomain without labels", labels.largestFirst().isEmpty()),
                Setting.flag("sharedDomains", labels.mayBeShared()));
    }

    private List<String> errors(int size) {
        List<String> errors = new ArrayList<>();
        // An invalid number of spares is reported on its own.
        int working = spares < 0 || spares >= size ? size : size - spares;
        addErrorsOfBlocks(working, errors);
        if (spares < 0 || spares >= size) {
            errors.add("spares must be in 0.." + (size - 1) + " on " + size + " PEs: spares=" + spares);
        } else if (redundancy.isCoded()) {
            addErrorsOfCode(working, errors);
        } else if (redundancy.parts() < 1 || redundancy.parts() > working) {
            errors.add("replication must be in 1.." + working + ", the number of PEs: replication="
                    + redundancy.parts());
        }
        if (spread.permutationRangeBlocks() < 0) {
            errors.add("permutationRangeBlocks must be at least 1: permutationRangeBlocks="
                    + spread.permutationRangeBlocks());
        }
        if (spread.ringPoints() < 1 || spread.ringPoints() > MAX_RING_POINTS) {
            errors.add("ringPoints must be in 1.." + MAX_RING_POINTS + ": ringPoints=" + spread.ringPoints());
        }
        return errors;
    }

    private void addErrorsOfBlocks(int pes, List<String> errors) {
        if (blocks.count() < 1) {
            errors.add("blocks must be at least 1: blocks=" + blocks.count());
        }
        if (blocks.sizeBytes() < 1) {
            errors.add("blockSizeBytes must be at least 1: blockSizeBytes=" + blocks.sizeBytes());
        }
        if (blocks.count() >= 1 && blocks.sizeBytes() >= 1 && blocks.count() > Long.MAX_VALUE / blocks.sizeBytes()) {
            errors.add("blocks * blockSizeBytes must be at most " + Long.MAX_VALUE + ": blocks=" + blocks.count()
                    + ", blockSizeBytes=" + blocks.sizeBytes());
        }
        if (blocks.count() > pes * MAX_BLOCKS_OF_A_PE) {
            errors.add("blocks must be at most " + pes * MAX_BLOCKS_OF_A_PE + ", 2^36 for each of " + pes
                    + " PEs: blocks=" + blocks.count());
        }
    }

    private void addErrorsOfCode(int pes, List<String> errors) {
        if (blocks.variable()) {
            errors.add("coded needs blocks of one size (blockSizeBytes, rows, or objects whose serializer has a fixed "
                    + "size): coded(" + redundancy.dataParts() + ", " + redundancy.parityParts()
                    + "), variableBlockSizes(" + blocks.sizeBytes() + ")");
        }
        if (redundancy.dataParts() < 1) {
            errors.add("dataParts of coded must be at least 1: dataParts=" + redundancy.dataParts());
        }
        if (redundancy.parts() > pes) {
            errors.add("dataParts and parityParts of coded must be at most " + pes
                    + " together, the number of PEs: dataParts=" + redundancy.dataParts() + ", parityParts="
                    + redundancy.parityParts());
        }
    }
}
