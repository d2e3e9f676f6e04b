package org.restorej;

import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.Settlement;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.plan.Peers;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.SegmentPool;
import org.restorej.internal.storage.VariableLayout;
import org.restorej.internal.transfer.Channel;

/**
 * What every operation of a store works with.
 *
 * @param channel to the other PEs
 * @param configuration of the store
 * @param grid cuts positions into chunks
 * @param originalRank this PE, or -1
 * @param pool gives all memory
 */
record OperationContext(Channel channel, StoreConfiguration configuration, ChunkGrid grid, int originalRank,
        SegmentPool pool) {
    Communicator communicator() {
        return channel.communicator();
    }

    /** The PEs, as plans name them. */
    Peers peers() {
        return channel.peers(originalRank);
    }

    /**
     * Throws what keeps this PE from an operation at which the others are: they get an exception instead of waiting.
     */
    void leave(String operation, Throwable reason) {
        channel.settle(operation, () -> {
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
