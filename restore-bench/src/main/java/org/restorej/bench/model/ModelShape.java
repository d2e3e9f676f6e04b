package org.restorej.bench.model;

import org.restorej.ReStore;
import org.restorej.block.BlockRange;
import org.restorej.comm.Communicator;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.placement.RangePermutation;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;

/**
 * A store on P PEs, each of which has as many of its blocks.
 *
 * @param pes number of PEs P
 * @param bytesPerPe data of each, before replication
 * @param blockBytes size of a block
 * @param replication level K
 * @param permutationRangeBytes size of a permutation range
 */
record ModelShape(int pes, long bytesPerPe, long blockBytes, int replication, long permutationRangeBytes) {
    private static final int RING_POINTS = 16;
    private static final long SEED = 1;

    /** The data set of the published measurements: 16 MiB a PE, blocks of 64 bytes, K = 4, ranges of 256 KiB. */
    static ModelShape published(int pes) {
        return new ModelShape(pes, 16 << 20, 64, 4, 256 << 10);
    }

    long blocksPerPe() {
        return bytesPerPe / blockBytes;
    }

    long blocks() {
        return pes * blocksPerPe();
    }

    private long permutationRangeBlocks() {
        return permutationRangeBytes / blockBytes;
    }

    /** What a PE submits. */
    BlockRange share(int rank) {
        return BlockRange.of(rank * blocksPerPe(), blocksPerPe());
    }

    /** Where the replicas are while nobody has failed. */
    BlockDirectory directory() {
        Placement placement = new Placement(pes, blocks(), replication);
        ReplicaRing ring = new ReplicaRing(placement, RING_POINTS, SEED + 1);
        return new BlockDirectory(RangePermutation.feistel(blocks(), permutationRangeBlocks(), SEED),
                ReplicaMap.placedWithout(placement, ring, FailedRanks.NONE),
                new ChunkGrid(ring, permutationRangeBlocks()),
                DamagedReplicas.NONE);
    }

    /** The store itself. Collective. */
    ReStore store(Communicator communicator) {
        return ReStore.builder(communicator).blocks(blocks()).blockSizeBytes(blockBytes).replication(replication)
                .permutationRangeBlocks(permutationRangeBlocks()).ringPoints(RING_POINTS).seed(SEED).build();
    }
}
