package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.restorej.balance.LoadBalancer;
import org.restorej.comm.local.LocalCluster;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/** What iterations and evaluations may throw. */
class CheckedExceptionTest {
    private static final int ROWS = 8;

    @Test
    void aCheckedExceptionOfAnIterationIsThrownAsItIsAndTheLoopCanGoOn() {
        LocalCluster.run(2, world -> {
            try (ReplicatedArray<long[]> array = ReplicatedArray.ofLongs(ReStore.builder(world), ROWS, 1);
                    CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.contiguous(2, ROWS),
                            CheckpointInterval.iterations(2))) {
                LocalRows<long[]> mine = loop.keep(array.local(rows -> new long[(int) rows.blockCount()]));
                IOException own = new IOException("of the application");
                assertSame(own, assertThrows(IOException.class, () -> loop.run(4, (comm, iteration) -> {
                    throw own;
                })));
                assertSame(own, assertThrows(IOException.class, () -> loop.runWhile(4, (comm, iteration) -> {
                    throw own;
                })));
                assertSame(own, assertThrows(IOException.class, () -> loop.evaluate(comm -> {
                    throw own;
                })));
                loop.run(4, (comm, iteration) -> mine.values()[0]++);
                assertEquals(4, mine.values()[0]);
                return 0;
            }
        });
    }
}
