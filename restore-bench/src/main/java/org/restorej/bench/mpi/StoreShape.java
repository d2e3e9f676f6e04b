package org.restorej.bench.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.restorej.ReStore;
import org.restorej.ReStoreBuilder;
import org.restorej.bench.bytes.KnownBytes;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;

/**
 * A data set of known bytes, in blocks of 64 bytes, and a store with four replicas of it, in permutation ranges of 256
 * KiB. Share {@code r} is the {@code r}-th of as many equal parts as there are PEs.
 *
 * @param pes number of PEs; fewer than four have as many replicas
 * @param bytesPerPe data of each, before replication
 */
record StoreShape(int pes, long bytesPerPe) {
    static final long BLOCK_BYTES = 64;
    static final int REPLICATION = 4;
    private static final long PERMUTATION_RANGE_BYTES = 256 << 10;

    /** Checks. */
    StoreShape {
        if (bytesPerPe < BLOCK_BYTES || bytesPerPe % BLOCK_BYTES != 0) {
            throw new IllegalArgumentException(
                    "bytesPerPe must be a multiple of " + BLOCK_BYTES + ": bytesPerPe=" + bytesPerPe);
        }
    }

    long blocks() {
        return pes * blocksPerPe();
    }

    private long blocksPerPe() {
        return bytesPerPe / BLOCK_BYTES;
    }

    /** Bytes of all replicas of a PE. */
    long replicaBytes() {
        return Math.min(REPLICATION, pes) * bytesPerPe;
    }

    /** A store for it. Collective. */
    ReStore store(Communicator communicator) {
        return builder(communicator).blocks(blocks()).blockSizeBytes(BLOCK_BYTES).build();
    }

    /** A store that doesn't know its blocks yet. */
    ReStoreBuilder builder(Communicator communicator) {
        return ReStore.builder(communicator).replication(Math.min(REPLICATION, pes))
                .permutationRangeBlocks(PERMUTATION_RANGE_BYTES / BLOCK_BYTES);
    }

    /** A store that has the whole data set. Collective. */
    ReStore filledStore(Communicator communicator) {
        ReStore store = store(communicator);
        BlockRange mine = share(communicator.rank());
        try (Arena arena = Arena.ofShared()) {
            MemorySegment source = arena.allocate(bytesOf(mine), 64);
            fill(source, mine);
            store.submit(mine, source);
        }
        return store;
    }

    /** Ids of a share; shares follow one another round and round. */
    BlockRange share(int rank) {
        return BlockRange.of(Math.floorMod(rank, pes) * blocksPerPe(), blocksPerPe());
    }

    /** One of several parts of a share, which differ by one block at most; nothing when there are not so many parts. */
    BlockRange partOfShare(int rank, int parts, int part) {
        BlockRange share = share(rank);
        if (part >= parts) {
            return BlockRange.of(share.first(), 0);
        }
        long rest = share.count() % parts;
        return BlockRange.of(share.first() + part * (share.count() / parts) + Math.min(part, rest),
                share.count() / parts + (part < rest ? 1 : 0));
    }

    long bytesOf(BlockRange blocks) {
        return blocks.count() * BLOCK_BYTES;
    }

    /** Writes blocks as they are to be submitted. */
    void fill(MemorySegment memory, BlockRange blocks) {
        KnownBytes.fill(memory, 0, blocks.first() * BLOCK_BYTES);
    }

    /** Compares blocks with what {@link #fill} writes. */
    void require(MemorySegment memory, BlockRange blocks, String when) {
        KnownBytes.require(memory, 0, blocks.first() * BLOCK_BYTES, "blocks " + blocks + " " + when);
    }

    /** Pulls blocks, and compares them. Collective. */
    void requirePulled(ReStore store, BlockRange blocks, String when) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment found = arena.allocate(bytesOf(blocks), 64);
            store.pull(BlockRanges.of(blocks), found);
            require(found, blocks, when);
        }
    }
}
