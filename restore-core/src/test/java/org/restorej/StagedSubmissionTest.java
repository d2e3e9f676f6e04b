package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.comm.local.LocalCluster;

class StagedSubmissionTest {
    /** More than an int has bits. */
    private static final int STORES = 33;

    @Test
    void pesThatCommitDifferentOnesOfManyThrow() {
        List<Long> generations = LocalCluster.run(2, world -> {
            List<ReStore> stores = new ArrayList<>();
            List<StagedSubmission> staged = new ArrayList<>();
            try {
                for (int i = 0; i < STORES; i++) {
                    ReStore store = ReStore.builder(world).blocks(2).blockSizeBytes(8).replication(1).build();
                    stores.add(store);
                    staged.add(store.stage(new Submission().add(BlockRange.of(world.rank(), 1),
                            MemorySegment.ofArray(new long[]{i}))));
                }
                StagedSubmission mine = staged.get(world.rank() == 0 ? 0 : STORES - 1);
                String message = String.valueOf(assertThrows(IllegalStateException.class,
                        () -> StagedSubmission.commitTogether(List.of(mine))).getMessage());
                assertTrue(message.contains("all remain staged"), message);
                return StagedSubmission.commitTogether(staged);
            } finally {
                stores.forEach(ReStore::close);
            }
        });
        assertEquals(List.of(1L, 1L), generations);
    }
}
