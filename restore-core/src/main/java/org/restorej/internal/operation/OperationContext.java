package org.restorej.internal.operation;

import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.Settlement;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.SpareMemory;
import org.restorej.internal.storage.VariableLayout;
import org.restorej.internal.transfer.Channel;
import org.restorej.internal.transfer.CheckedMemory;

/**
 * What every operation of a store works with.
 *
 * @param channel to the other PEs
 * @param configuration of the store
 * @param grid cuts positions into chunks
 * @param storeRank this PE, or -1
 * @param spare memory for replicas that were replaced
 */
public record OperationContext(Channel channel, StoreConfiguration configuration, ChunkGrid grid, int storeRank,
        SpareMemory spare) {
    Communicator communicator() {
        return channel.communicator();
    }

    /**
     * Throws what keeps this PE from an operation at which the others are: they get an exception instead of waiting.
     */
    public void leave(String operation, Throwable reason) {
        channel.<@Nullable Object>settle(operation, () -> {
            throw Settlement.<RuntimeException>asItIs(reason);
        });
    }

    /** Whether a condition holds on any PE. Called by all PEs inside an operation that is settled. */
    boolean anywhere(boolean condition) {
        long[] anybody = {condition ? 1 : 0};
        communicator().allReduce(anybody, Reduction.MAX);
        return anybody[0] != 0;
    }

    /** The grid for memory that has checksums, null for memory that has none. */
    @Nullable
    ChunkGrid checksumGrid() {
        return configuration.checksums() ? grid : null;
    }

    /** Blocks to read, checked when they are read. */
    CheckedMemory checkedBlocks(ReplicaMemory blocks) {
        return new CheckedMemory(blocks, grid, configuration.checksums(), 1);
    }

    /** Sizes of blocks to read: checked with all others that may have an influence on where the blocks begin. */
    CheckedMemory checkedSizes(ReplicaMemory sizes) {
        return new CheckedMemory(sizes, grid, configuration.checksums(), VariableLayout.MARK_BLOCKS);
    }
}
