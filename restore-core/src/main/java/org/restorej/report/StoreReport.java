package org.restorej.report;

import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The state of a store, as one PE knows it without communication.
 *
 * @param generation number of the generation that can be read
 * @param memory memory of the store on this PE, off the heap
 * @param blocksByReplicas at index n the number of blocks of the store that have n sound replicas, {@code n = 0 .. K},
 *        as of the last recover; for coded blocks the number of those that n further failures can lose, but not fewer,
 *        {@code n = 0 .. m + 1}
 * @param damagedReplicas replicas of permutation ranges known to be damaged, on all PEs
 * @param operations totals of each operation on this PE so far
 */
public record StoreReport(long generation, Memory memory, List<Long> blocksByReplicas, int damagedReplicas,
        Map<Operation, Totals> operations) {
    /** Copies the list and the map. */
    public StoreReport {
        blocksByReplicas = List.copyOf(blocksByReplicas);
        operations = Map.copyOf(operations);
    }

    /** Number of blocks that are one failure from loss. */
    public long blocksAtRisk() {
        return blocksByReplicas.get(1);
    }

    /** Number of blocks of which no replica is left. */
    public long blocksLost() {
        return blocksByReplicas.get(0);
    }

    /** The report as lines of text: memory, replicas, and a table of the operations that were called. */
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
        text.format("; %,d damaged replicas%n", damagedReplicas);
        text.format("%-16s%8s%10s%16s%16s%14s", "operation", "calls", "failures", "bytes sent", "bytes received",
                "milliseconds");
        for (Operation operation : Operation.values()) {
            totals(operation).addTo(text, operation);
        }
        return text.toString();
    }

    /** The totals of an operation; zero if it was never called. */
    public Totals totals(Operation operation) {
        return operations.getOrDefault(operation, Totals.NONE);
    }

    /**
     * Memory by purpose, in bytes.
     *
     * @param blockBytes replicas
     * @param sizeBytes sizes of blocks, if they differ
     * @param checksumBytes checksums, and the index of blocks of different sizes
     * @param stagedBytes replicas of a generation that is staged and not yet committed
     * @param spareBytes memory of replaced replicas, kept for the next submit
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
     * Totals of one operation.
     *
     * @param calls number of calls
     * @param failures number of calls that threw
     * @param sentBytes bytes sent to other PEs
     * @param receivedBytes bytes received from other PEs
     * @param nanos time spent in it
     */
    public record Totals(long calls, long failures, long sentBytes, long receivedBytes, long nanos) {
        /** Totals of an operation that was never called. */
        public static final Totals NONE = new Totals(0, 0, 0, 0, 0);

        private void addTo(Formatter text, Operation operation) {
            if (calls > 0) {
                text.format("%n%-16s%,8d%,10d%,16d%,16d%,14.3f", operation.text(), calls, failures, sentBytes,
                        receivedBytes, nanos / 1e6);
            }
        }
    }

    /** The operations that a {@link StoreReport} counts. */
    public enum Operation {
        /** Submit a new generation of all blocks. */
        SUBMIT,
        /** Submit a new generation of some blocks. */
        SUBMIT_CHANGES,
        /** Read blocks. */
        PULL,
        /** Record failed PEs and continue with the survivors. */
        RECOVER,
        /** Re-replicate lost and damaged replicas. */
        REPLENISH,
        /** Check all replicas against their checksums. */
        SCRUB;

        /** The name in lower case, as in texts: {@code "submit changes"}. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /**
     * The result of a scrub of all PEs.
     *
     * @param checkedChunks number of checked replicas of permutation ranges, or of the parts into which a range is cut
     * @param checkedBytes their bytes
     * @param damagedReplicas number of them that don't match their checksum, including those known before
     */
    public record Scrub(long checkedChunks, long checkedBytes, long damagedReplicas) {}
}
