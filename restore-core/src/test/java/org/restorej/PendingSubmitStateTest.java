package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.comm.local.LocalCluster;

class PendingSubmitStateTest {
    /** Which {@code get} throws as it is. */
    @Test
    void aSubmitThatHasFailedByAnErrorHasFailed() {
        LocalCluster.run(1, world -> {
            try (ReStore store = ReStore.builder(world).blocks(4).blockSizeBytes(8).replication(1).build()) {
                AssertionError mistake = new AssertionError("no block 3");
                PendingOperation<Long> pending = store
                        .submitAsync(new Submission().add(BlockRange.of(0, 4), (id, block) -> {
                            throw mistake;
                        }));
                assertEquals(mistake, assertThrows(AssertionError.class, pending::await));
                assertEquals(Future.State.FAILED, pending.state());
                assertEquals(mistake, pending.exceptionNow());
                PendingOperation<Long> next = store
                        .submitAsync(new Submission().add(BlockRange.of(0, 4), (id, block) -> {}));
                next.await();
                assertEquals("the submit has not failed",
                        assertThrows(IllegalStateException.class, next::exceptionNow).getMessage());
                return 0;
            }
        });
    }
}
