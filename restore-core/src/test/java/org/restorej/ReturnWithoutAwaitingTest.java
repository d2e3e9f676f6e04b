package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.comm.local.LocalCluster;

/** Programs that return while an operation is under way, for which one PE waits. */
class ReturnWithoutAwaitingTest {
    private static final int PES = 4;
    private static final long BLOCKS = 400;
    private static final int BLOCK_BYTES = 1000;

    @Test
    void whatAProgramHasBegunEndsBeforeTheProgramDoes() {
        Set<Long> generations = Collections.synchronizedSet(new TreeSet<>());
        LocalCluster.run(PES, LocalCluster.restarting(world -> {
            ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(BLOCK_BYTES).replication(2).build();
            BlockRange mine = BlockRange.between(BLOCKS * world.rank() / PES, BLOCKS * (world.rank() + 1) / PES);
            PendingOperation<Long> pending = store.submitAsync(
                    new Submission().add(mine, (BlockRange.Writer) (id, block) -> block.fill((byte) id)));
            if (world.rank() == 0) {
                generations.add(pending.await());
            }
            return world.rank();
        }));
        assertEquals(Set.of(1L), generations);
    }
}
