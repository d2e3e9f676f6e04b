package org.restorej;

import it.unimi.dsi.fastutil.longs.LongList;
import java.util.List;
import java.util.Map;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.transfer.Traffic;

/**
 * How a store is, as one PE sees it; made without communication.
 *
 * @param generation number of the generation that can be read
 * @param memory what the store takes of this PE's memory, off the heap
 * @param blocksByReplicas at index n the number of blocks of the whole data set that n sound replicas are left of,
 *        {@code n = 0 .. K}, as of the last recover
 * @param rangesAtRisk number of block ranges that have a block with one replica left: one death from loss
 * @param damagedReplicas replicas of permutation ranges known to be damaged, of all PEs
 * @param operations what each operation has done on this PE so far
 */
public record StoreReport(long generation, Memory memory, List<Long> blocksByReplicas, int rangesAtRisk,
        int damagedReplicas, Map<StoreOperation, Totals> operations) {
    /** Copies. */
    public StoreReport {
        blocksByReplicas = List.copyOf(blocksByReplicas);
        operations = Map.copyOf(operations);
    }

    static StoreReport of(StoreState state, long stagedBytes) {
        Generation generation = state.generation();
        Map<StoreOperation, Totals> operations = state.monitor().totals();
        if (generation == null) {
            Memory memory = new Memory(0, 0, 0, stagedBytes, state.pool().spareBytes(), state.channel().stagingBytes());
            long[] none = new long[state.placement().replication() + 1];
            return new StoreReport(0, memory, LongList.of(none), 0, 0, operations);
        }
        long sizeBytes = generation.sizes() == null ? 0 : generation.sizes().bytes();
        Memory memory = new Memory(generation.blockBytes(), sizeBytes, generation.overheadBytes() - sizeBytes,
                stagedBytes, state.pool().spareBytes(), state.channel().stagingBytes());
        BlockDirectory directory = generation.directory();
        return new StoreReport(generation.number(), memory, LongList.of(directory.blocksByReplicas()),
                directory.rangesWithOneReplica(), directory.damaged().count(), operations);
    }

    /** Number of blocks that are one death from loss. */
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
        return ReportText.of(this);
    }

    /** What an operation has done; nothing, when it was never called. */
    public Totals totals(StoreOperation operation) {
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
     * @param stagingBytes buffers for messages, kept for the next operation
     */
    public record Memory(long blockBytes, long sizeBytes, long checksumBytes, long stagedBytes, long spareBytes,
            long stagingBytes) {
        /** All of it. */
        public long totalBytes() {
            return blockBytes + sizeBytes + checksumBytes + stagedBytes + spareBytes + stagingBytes;
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
        /** Nothing. */
        public static final Totals NONE = new Totals(0, 0, 0, 0, 0);

        Totals and(Traffic traffic, long moreNanos, boolean failed) {
            return new Totals(calls + 1, failures + (failed ? 1 : 0), sentBytes + traffic.sentBytes(),
                    receivedBytes + traffic.receivedBytes(), nanos + moreNanos);
        }
    }
}
