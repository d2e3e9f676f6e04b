package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.ReStoreBuilder.Fallback;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.testing.LimitedRun;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/** A loop whose store has lost blocks that a fallback has read: the next generation has them again. */
class CheckpointLoopLossTest {
    private static final int PES = 4;
    private static final int ROWS = 16;

    /** The iteration in which PEs 0 and 2 fail, which hold the first and the third quarter of the rows. */
    private static final long FAILING = 2;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lostRowsMayChange(boolean background) {
        List<PeOutcome<Long>> outcomes = LimitedRun.outcomes(PES, world -> {
            // After each iteration there is a generation, and each adds 1 to each row.
            try (ReplicatedArray<int[]> array = array(world);
                    CheckpointLoop loop = loop(world, background)) {
                LocalRows<int[]> rows = loop.keep(array.local(mine -> new int[(int) mine.blockCount()]));
                loop.run(5, (comm, iteration) -> {
                    failIn(comm, iteration, FAILING, 0, 2);
                    comm.barrier();
                    Arrays.setAll(rows.values(), i -> rows.values()[i] + 1);
                });
                return sum(loop, rows);
            }
        });
        assertEquals(List.of(5L * ROWS, 5L * ROWS), PeOutcome.values(outcomes));
    }

    private static Fallback rowsOf(long generation) {
        return (blocks, destination) -> {
            for (long row = 0; row < blocks.count(); row++) {
                destination.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, row, (int) generation - 1);
            }
        };
    }

    private static ReplicatedArray<int[]> array(Communicator world) {
        Fallback fallback = new Fallback() {
            @Override
            public void read(BlockRange blocks, MemorySegment destination) {
                throw new AssertionError("a fallback of no generation is asked for " + blocks);
            }

            @Override
            public Fallback forGeneration(ReStore store, long generation) {
                return store.lostBlocks().isEmpty() ? this : rowsOf(generation);
            }
        };
        return ReplicatedArray.ofInts(ReStore.builder(world).replication(2).noPermutation().fallback(fallback), ROWS,
                1);
    }

    private static CheckpointLoop loop(Communicator world, boolean background) {
        CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(PES, ROWS),
                CheckpointInterval.iterations(1));
        return background ? loop.inBackground() : loop;
    }

    /** By original rank. */
    private static void failIn(Communicator comm, long iteration, long failing, int... ranks) {
        int own = comm.originalRank().value();
        if (iteration == failing && Arrays.stream(ranks).anyMatch(rank -> rank == own)) {
            FailureSimulation.of(comm).fail(comm.rank());
        }
    }

    private static long sum(CheckpointLoop loop, LocalRows<int[]> rows) {
        return loop.evaluate(comm -> comm.allReduce(Arrays.stream(rows.values()).asLongStream().sum(), Reduction.SUM));
    }
}
