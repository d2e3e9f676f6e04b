package org.restorej.report;

import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How a store is, as one PE sees it; made without communication.
 *
 * @param generation number of the generation that can be read
 * @param memory what the store takes of this PE's memory, off the heap
 * @param blocksByReplicas at index n the number of blocks of the whole data set that n sound replicas are left of,
 *        {@code n = 0 .. K}, as of the last recover; of coded blocks the number of those that n further failures lose at
 *        the earliest, {@code n = 0 .. m + 1}
 * @param rangesAtRisk number of block ranges that have a block with one replica left: one failure from loss
 * @param damagedReplicas replicas of permutation ranges known to be damaged, of all PEs
 * @param operations what each operation has done on this PE so far
 */
public record StoreReport(long generation, Memory memory, List<Long> blocksByReplicas, int rangesAtRisk,
        int damagedReplicas, Map<Operation, Totals> operations) {
    /** Copies the list and the map. */
    public StoreReport {
        blocksByReplicas = List.copyOf(blocksByReplicas);
        operations = Map.copyOf(operations);
    }

    /** Number of blocks that are one failure from loss. */
    public long blocksAtRisk() {
        return blocksByReplicas.get(1);
    }

    /** Number of blocks that nobody alive has. */
    public long blocksLost() {
        return blocksByReplicas.get(0);
    }

    /** Everything, in lines for people: memory, replicas, and a table of the operations that were called. */
    @Override
    public String toString() {
        Formatter text = new Formatter(Locale.ROOT);
        text.format("generation %d%n", generation);
        text.format(
                "memory: %,d bytes: %,d of blocks, %,d of sizes, %,d of checksums, %,d staged, %,d spare, "
                        + "%,d of buffers%n",
                memory.totalBytes(), memory.blockBytes(), memory.sizeBytes(), memory.checksumBytes(),
                memory.stagedBytes(), memory.spareBytes(), memory.bufferBytes());
        text.format("blocks: %,d lost", blocksLost());
        for (int failures = 1; failures < blocksByReplicas.size(); failures++) {
            text.format(", %,d are %d failure%s from loss", blocksByReplicas.get(failures), failures,
                    failures == 1 ? "" : "s");
        }
        text.format("; %,d ranges at risk, %,d damaged replicas%n", rangesAtRisk, damagedReplicas);
        text.format("%-16s%8s%10s%16s%16s%14s", "operation", "calls", "failures", "bytes sent", "bytes received",
                "milliseconds");
        for (Operation operation : Operation.values()) {
            totals(operation).addTo(text, operation);
        }
        return text.toString();
    }

    /** What an operation has done; nothing, when it was never called. */
    public Totals totals(Operation operation) {
        return operations.getOrDefault(operation, Totals.NONE);
    }

    /**
     * Memory by purpose, in bytes.
     *
     * @param blockBytes replicas
     * @param sizeBytes sizes of blocks, where they differ
     * @param checksumBytes checksums and what finds a block among others of different sizes
     * @param stagedBytes replicas of a generation that is staged and not yet committed
     * @param spareBytes memory of replicas that were replaced, kept for the next submit
     * @param bufferBytes buffers for messages, kept for the next operation
     */
    public record Memory(long blockBytes, long sizeBytes, long checksumBytes, long stagedBytes, long spareBytes,
            long bufferBytes) {
        /** Sum of all purposes. */
        public long totalBytes() {
            return blockBytes + sizeBytes + checksumBytes + stagedBytes + spareBytes + bufferBytes;
        }
    }

    /**
     * What one operation has done so far.
     *
     * @param calls how often it was called
     * @param failures how often it threw
     * @param sentBytes bytes that left this PE
     * @param receivedBytes bytes that came to this PE
     * @param nanos time spent in it
     */
    public record Totals(long calls, long failures, long sentBytes, long receivedBytes, long nanos) {
        /** Of an operation that was never called. */
        public static final Totals NONE = new Totals(0, 0, 0, 0, 0);

        private void addTo(Formatter text, Operation operation) {
            if (calls > 0) {
                text.format("%n%-16s%,8d%,10d%,16d%,16d%,14.3f", operation.text(), calls, failures, sentBytes,
                        receivedBytes, nanos / 1e6);
            }
        }
    }

    /** The operations that a {@link StoreReport} counts and that JDK Flight Recorder sees. */
    public enum Operation {
        /** A new generation of all blocks. */
        SUBMIT,
        /** A new generation of some blocks. */
        SUBMIT_CHANGES,
        /** Blocks for those who ask for them. */
        PULL,
        /** Taking note of who has failed, and going on with the survivors. */
        RECOVER,
        /** Re-replicating lost and damaged replicas. */
        REPLENISH,
        /** Checking all replicas against their checksums. */
        SCRUB;

        /** Its name in lower case, as texts have it: {@code "submit changes"}. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /**
     * What a scrub has found, on all PEs together.
     *
     * @param checkedChunks number of replicas of permutation ranges, or of the parts that a range is cut into, that
     *        were checked
     * @param checkedBytes their bytes
     * @param damagedReplicas number of them whose bytes don't fit their checksum, those included that were known before
     */
    public record Scrub(long checkedChunks, long checkedBytes, long damagedReplicas) {}
}
