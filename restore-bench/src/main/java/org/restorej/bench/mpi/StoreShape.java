package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.restorej.ReStore;
import org.restorej.ReStoreBuilder;
import org.restorej.bench.bytes.KnownBytes;
import org.restorej.bench.mpi.rival.DataRange;
import org.restorej.block.BlockRange;
import org.restorej.comm.Communicator;
import org.restorej.placement.Placement;

/**
 * A data set and how a store replicates it. Share {@code r} are the ids of block range {@code r}.
 *
 * @param pes number of PEs
 * @param bytesPerPe data of each, before replication
 * @param blockBytes size of a block
 * @param replication level K; with fewer PEs, as many
 * @param permutationRangeBytes size of a permutation range, 0 for none
 */
record StoreShape(int pes, long bytesPerPe, long blockBytes, int replication, long permutationRangeBytes) {
    /** Checks. */
    StoreShape {
        replication = Math.min(replication, pes);
        if (blockBytes < KnownBytes.WORD_BYTES || blockBytes % KnownBytes.WORD_BYTES != 0) {
            throw new IllegalArgumentException(
                    "blockBytes must be a multiple of " + KnownBytes.WORD_BYTES + ": blockBytes=" + blockBytes);
        }
        if (bytesPerPe < blockBytes || bytesPerPe % blockBytes != 0) {
            throw new IllegalArgumentException(
                    "bytesPerPe must be a multiple of blockBytes: bytesPerPe=" + bytesPerPe + ", blockBytes="
                            + blockBytes);
        }
    }

    long blocks() {
        return pes * (bytesPerPe / blockBytes);
    }

    /** Bytes of all replicas of a PE. */
    long replicaBytes() {
        return replication * bytesPerPe;
    }

    /** A store for it. Collective. */
    ReStore store(Communicator communicator) {
        return builder(communicator).blocks(blocks()).blockSizeBytes(blockBytes).build();
    }

    /** A store that doesn't know its blocks yet. */
    ReStoreBuilder builder(Communicator communicator) {
        ReStoreBuilder builder = ReStore.builder(communicator).replication(replication);
        return permutationRangeBytes == 0
                ? builder.noPermutation()
                : builder.permutationRangeBlocks(Math.max(1, permutationRangeBytes / blockBytes));
    }

    /** A store that has the whole data set. Collective. */
    ReStore filledStore(Communicator communicator) {
        ReStore store = store(communicator);
        BlockRange mine = share(communicator.rank());
        try (Arena arena = Arena.ofShared()) {
            store.submit(mine, source(arena, mine));
        }
        return store;
    }

    /** Blocks as they are to be submitted, in memory of the arena. */
    MemorySegment source(Arena arena, BlockRange blocks) {
        MemorySegment source = arena.allocate(bytesOf(blocks).bytes(), 64);
        KnownBytes.fill(source, 0, bytesOf(blocks).offset());
        return source;
    }

    /** Ids of a share; shares follow one another round and round. */
    BlockRange share(int rank) {
        Placement placement = new Placement(pes, blocks(), 1);
        int range = Math.floorMod(rank, pes);
        return BlockRange.of(placement.firstPosition(range), placement.blocksIn(range));
    }

    /** Where blocks are in the data set. */
    DataRange bytesOf(BlockRange blocks) {
        return new DataRange(blocks.first() * blockBytes, blocks.count() * blockBytes);
    }
}
