package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.restorej.ReStore;
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
 * @param replication wanted level; with fewer PEs, as many
 * @param permutationRangeBytes size of a permutation range, 0 for none
 * @param checksums whether permutation ranges have them
 */
record StoreShape(int pes, long bytesPerPe, long blockBytes, int replication, long permutationRangeBytes,
        boolean checksums) {
    /** Checks. */
    StoreShape {
        if (blockBytes < KnownBytes.WORD_BYTES || blockBytes % KnownBytes.WORD_BYTES != 0) {
            throw new IllegalArgumentException(
                    "blockBytes must be a multiple of " + KnownBytes.WORD_BYTES + ": blockBytes=" + blockBytes);
        }
        if (bytesPerPe < blockBytes || bytesPerPe % blockBytes != 0) {
            throw new IllegalArgumentException(
                    "bytesPerPe must be a multiple of blockBytes: bytesPerPe=" + bytesPerPe + ", blockBytes="
                            + blockBytes);
        }
        replication = Math.min(replication, pes);
    }

    /** With checksums, as stores have unless told otherwise. */
    StoreShape(int pes, long bytesPerPe, long blockBytes, int replication, long permutationRangeBytes) {
        this(pes, bytesPerPe, blockBytes, replication, permutationRangeBytes, true);
    }

    StoreShape withoutChecksums() {
        return new StoreShape(pes, bytesPerPe, blockBytes, replication, permutationRangeBytes, false);
    }

    long blocks() {
        return pes * (bytesPerPe / blockBytes);
    }

    /** A store for it. Collective. */
    ReStore store(Communicator communicator) {
        return ReStore.builder(communicator).blocks(blocks()).blockSizeBytes(blockBytes).replication(replication)
                .permutationRangeBlocks(
                        permutationRangeBytes == 0 ? 0 : Math.max(1, permutationRangeBytes / blockBytes))
                .checksums(checksums).build();
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

    /** All shares. */
    List<DataRange> shares() {
        List<DataRange> shares = new ArrayList<>();
        for (int rank = 0; rank < pes; rank++) {
            shares.add(bytesOf(share(rank)));
        }
        return shares;
    }
}
