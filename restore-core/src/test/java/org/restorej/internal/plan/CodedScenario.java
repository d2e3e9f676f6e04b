package org.restorej.internal.plan;

import java.util.Random;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.placement.CodedPositions;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.placement.RangePermutation;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;

/** A small coded data set, permuted or not, of which nothing is lost. */
record CodedScenario(CodedLayout layout, BlockDirectory directory) {
    static CodedScenario random(Random random) {
        int pes = 2 + random.nextInt(7);
        int parts = 2 + random.nextInt(pes - 1);
        int dataParts = 1 + random.nextInt(parts - 1);
        long blocks = 1 + random.nextLong(120);
        long cellBlocks = 1 + random.nextLong(5);
        CodedLayout layout = new CodedLayout(
                new Placement(pes, CodedLayout.rowsOf(blocks, dataParts, cellBlocks), parts), dataParts, blocks,
                cellBlocks);
        RangePermutation permutation = random.nextBoolean()
                ? RangePermutation.identity(blocks)
                : RangePermutation.feistel(blocks, 1 + random.nextInt(20), random.nextLong());
        ReplicaRing ring = new ReplicaRing(layout, 1 + random.nextInt(5), random.nextLong());
        ReplicaMap map = ReplicaMap.placedWithout(layout.placement(), ring, FailedRanks.NONE);
        return new CodedScenario(layout, new BlockDirectory(new CodedPositions(permutation, layout), map,
                new ChunkGrid(ring, cellBlocks), DamagedReplicas.NONE));
    }

    /** The same when PEs have failed since. */
    CodedScenario without(FailedRanks failed) {
        return new CodedScenario(layout, directory.with(directory.replicaMap().lost(failed)));
    }

    /** Whether all blocks follow each other from cell to cell in the order of their ids. */
    boolean isInOrder() {
        return directory.permutation() instanceof CodedPositions positions
                && positions.permutation().runAt(0) >= layout.blockCount();
    }

    int peCount() {
        return layout.placement().peCount();
    }
}
