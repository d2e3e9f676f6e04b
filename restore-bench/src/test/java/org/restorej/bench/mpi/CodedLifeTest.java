package org.restorej.bench.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.ReStore;
import org.restorej.block.BlockRanges;
import org.restorej.cli.command.Redundancy;
import org.restorej.comm.local.LocalCluster;
import org.restorej.report.StoreReport.Operation;

class CodedLifeTest {
    @Test
    void aPeReadsTheBlocksWhoseOnlyHolderItIsWithoutAMessage() {
        // The last row is short of blocks.
        StoreShape shape = new StoreShape(7, 8 * 333, 8, 3, 8 * 64).with(new Redundancy(4, 2, true));
        assertEquals(16, shape.cellBlocks());
        assertEquals(8 * 333 * 3 / 2, shape.redundantBytes());
        List<BlockRanges> held = LocalCluster.run(7, world -> {
            try (ReStore store = shape.filledStore(world); Arena arena = Arena.ofShared()) {
                BlockRanges mine = CodedLife.heldBy(world.rank(), shape, store);
                store.pull(mine, arena);
                assertEquals(0, store.report().totals(Operation.PULL).receivedBytes());
                return mine;
            }
        });
        assertEquals(shape.blocks(), held.stream().mapToLong(BlockRanges::blockCount).sum());
        assertEquals(BlockRanges.of(0, shape.blocks()), held.stream().reduce(BlockRanges.EMPTY, BlockRanges::union));
    }
}
