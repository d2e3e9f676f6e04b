package org.restorej.internal.operation;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.coding.RowCode;
import org.restorej.internal.operation.StoreConfiguration.Blocks;
import org.restorej.internal.operation.StoreConfiguration.Redundancy;
import org.restorej.internal.operation.StoreConfiguration.Spread;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.BlockPositions;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.placement.CodedPositions;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.placement.RangePermutation;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;

/**
 * The places of a store's blocks without failures, their division into chunks, and the places of re-created replicas.
 * The same on every PE and for all generations.
 *
 * @param permutation from ids to positions
 * @param ring of the placement
 * @param grid division of positions into chunks
 * @param code coding of the blocks; null if they are not coded
 */
public record StoreLayout(BlockPositions permutation, ReplicaRing ring, ChunkGrid grid, @Nullable RowCode code) {
    /**
     * The layout of a configuration.
     *
     * @param pes number of PEs with data
     * @param domains from the largest to the smallest; none without labels
     */
    static StoreLayout of(StoreConfiguration configuration, int pes, List<FailureDomains> domains) {
        Blocks blocks = configuration.blocks();
        Redundancy redundancy = configuration.redundancy();
        Spread spread = configuration.spread();
        RangePermutation ids = spread.permutationRangeBlocks() == 0
                ? RangePermutation.identity(blocks.count())
                : RangePermutation.feistel(blocks.count(), spread.permutationRangeBlocks(), spread.seed());
        long chunkBlocks = configuration.chunkBlocks(pes);
        if (!redundancy.isCoded()) {
            ReplicaRing ring = new ReplicaRing(placement(blocks.count(), redundancy, pes, domains),
                    spread.ringPoints(), spread.seed() + 1);
            return new StoreLayout(ids, ring, new ChunkGrid(ring, chunkBlocks), null);
        }
        long rows = CodedLayout.rowsOf(blocks.count(), redundancy.dataParts(), chunkBlocks);
        CodedLayout coded = new CodedLayout(placement(rows, redundancy, pes, domains), redundancy.dataParts(),
                blocks.count(), chunkBlocks);
        ReplicaRing ring = new ReplicaRing(coded, spread.ringPoints(), spread.seed() + 1);
        return new StoreLayout(new CodedPositions(ids, coded), ring, new ChunkGrid(ring, chunkBlocks),
                new RowCode(coded));
    }

    private static Placement placement(long placed, Redundancy redundancy, int pes, List<FailureDomains> domains) {
        return domains.isEmpty()
                ? new Placement(pes, placed, redundancy.parts())
                : Placement.separating(placed, redundancy.parts(), domains.toArray(FailureDomains[]::new));
    }

    public Placement placement() {
        return ring.placement();
    }

    /** The places of a generation's replicas if it is submitted after these failures. */
    BlockDirectory directory(FailedRanks failedRanks) {
        return directory(ReplicaMap.placedWithout(placement(), ring, failedRanks));
    }

    /** The directory of a generation all of whose blocks are lost. */
    BlockDirectory directoryOfNothing() {
        return directory(ReplicaMap.placedWithout(placement(), ring, FailedRanks.NONE)
                .lost(FailedRanks.of(IntStream.range(0, placement().peCount()).toArray())));
    }

    private BlockDirectory directory(ReplicaMap replicaMap) {
        return new BlockDirectory(permutation, replicaMap, grid, DamagedReplicas.NONE);
    }
}
