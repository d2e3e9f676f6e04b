package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.restorej.balance.ContiguousLoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;

/** What iterations, steps and evaluations may throw. */
class CheckedExceptionTest {
    private static final int ROWS = 8;

    @Test
    void aCheckedExceptionOfAnIterationIsThrownAsItIsAndTheLoopCanGoOn() {
        LocalCluster.run(2, world -> {
            try (ReplicatedArray<long[]> array = ReplicatedArray.ofLongs(ReStore.builder(world), ROWS, 1);
                    CheckpointLoop loop = new CheckpointLoop(world, new ContiguousLoadBalancer(2, ROWS),
                            CheckpointInterval.iterations(2))) {
                LocalRows<long[]> mine = loop.keep(array, rows -> new long[(int) rows.blockCount()]);
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

    @Test
    void aCheckedExceptionOfAStepIsThrownAsItIsAndTheLoopCanGoOn() {
        LocalCluster.run(2, world -> {
            try (ReStore store = ReStore.builder(world).blocks(ROWS).blockSizeBytes(1).build()) {
                RecoveryLoop loop = new RecoveryLoop(world, store, new ContiguousLoadBalancer(2, ROWS),
                        RecoveryLoop.GainedBlocks.each((id, bytes) -> {}));
                loop.step(
                        comm -> store.submit(BlockRange.of(world.rank() * 4L, 4), MemorySegment.ofArray(new byte[4])));
                IOException own = new IOException("of the application");
                assertSame(own, assertThrows(IOException.class, () -> loop.step(comm -> {
                    throw own;
                })));
                int size = loop.step(Communicator::size);
                assertEquals(2, size);
                return 0;
            }
        });
    }
}
