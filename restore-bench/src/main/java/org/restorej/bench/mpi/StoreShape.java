package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.restorej.ReStore;
import org.restorej.ReStoreBuilder;
import org.restorej.bench.bytes.KnownBytes;
import org.restorej.bench.mpi.rival.DataRange;
import org.restorej.block.BlockRange;
import org.restorej.cli.command.Redundancy;
import org.restorej.comm.Communicator;
import org.restorej.placement.Placement;

/**
 * A data set and how a store replicates or codes it. Share {@code r} are the ids of block range {@code r}.
 *
 * @param pes number of PEs
 * @param bytesPerPe data of each, before replication
 * @param blockBytes size of a block
 * @param redundancy copies or a code
 * @param permutationRangeBytes size of a permutation range, 0 for none
 * @param checksums whether permutation ranges have them
 */
record StoreShape(int pes, long bytesPerPe, long blockBytes, Redundancy redundancy, long permutationRangeBytes,
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
    }

    /** Of K copies, with fewer PEs as many; with checksums, as stores have unless told otherwise. */
    StoreShape(int pes, long bytesPerPe, long blockBytes, int replication, long permutationRangeBytes) {
        this(pes, bytesPerPe, blockBytes, Redundancy.copies(Math.min(replication, pes)), permutationRangeBytes, true);
    }

    long blocks() {
        return pes * (bytesPerPe / blockBytes);
    }

    /** Blocks of a cell of a code: a permutation range is a row of k cells. Of copies, those of a permutation range. */
    long cellBlocks() {
        return Math.max(1, permutationRangeBytes / blockBytes / redundancy.dataParts());
    }

    /** What a generation takes, and a PE sends of whole rows: {@code 1 + m / k} times the data, or K times. */
    long redundantBytes() {
        return Math.round(redundancy.memoryFactor() * bytesPerPe);
    }

    /** A store for it. Collective. */
    ReStore store(Communicator communicator) {
        ReStoreBuilder builder = redundancy
                .of(ReStore.builder(communicator).blocks(blocks()).blockSizeBytes(blockBytes)).checksums(checksums);
        return (permutationRangeBytes == 0
                ? builder.noPermutation()
                : builder.permutationRangeBlocks(redundancy.dataParts() * cellBlocks())).build();
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
