package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.ReStoreBuilder.Fallback;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.testing.LimitedRun;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/** An incremental loop whose store has lost blocks that a fallback has read: the next generation has them again. */
class CheckpointLoopLossTest {
    private static final int PES = 4;
    private static final int ROWS = 16;

    /** The first and the third quarter of the rows are held by PEs 0 and 2. */
    private static final BlockRanges HELD_BY_0_AND_2 = BlockRanges.of(List.of(BlockRange.of(0, 4),
            BlockRange.of(8, 4)));

    /** The iteration in which PEs 0 and 2 fail; the generation before it is the newest that a fallback has rows of. */
    private static final long FAILING = 2;
    private static final long NEWEST_OF_FALLBACK = FAILING + 1;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lostRowsMayChange(boolean background) {
        List<PeOutcome<Long>> outcomes = LimitedRun.outcomes(PES, world -> {
            // After each iteration there is a generation, and each adds 1 to each row.
            try (ReplicatedArray<int[]> array = array(world, CheckpointLoopLossTest::rowsOf);
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

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lostRowsThatDontChangeAreSubmittedAgain(boolean background) {
        List<PeOutcome<Long>> outcomes = LimitedRun.outcomes(PES, world -> {
            try (ReplicatedArray<int[]> array = array(world, CheckpointLoopLossTest::unchangedRows);
                    CheckpointLoop loop = loop(world, background)) {
                LocalRows<int[]> rows = loop.keep(array.local(mine -> new int[(int) mine.blockCount()]));
                CheckpointLoop.Step step = (comm, iteration) -> {
                    failIn(comm, iteration, FAILING, 0, 2);
                    failIn(comm, iteration, FAILING + 1, 1);
                    comm.barrier();
                    Arrays.setAll(rows.values(),
                            i -> rows.values()[i] + (HELD_BY_0_AND_2.contains(rows.ids().blockAt(i)) ? 0 : 1));
                };
                loop.run(FAILING + 1, step);
                assertEquals(BlockRanges.EMPTY, array.store().lostBlocks());
                loop.run(5, step);
                return sum(loop, rows);
            }
        });
        assertEquals(List.of(5L * ROWS / 2), PeOutcome.values(outcomes));
    }

    private static Fallback unchangedRows(long generation) {
        assertTrue(generation <= NEWEST_OF_FALLBACK, () -> "generation that the fallback is asked for: " + generation);
        return (blocks, destination) -> destination.fill((byte) 0);
    }

    /** What reads the lost rows of a generation. */
    @FunctionalInterface
    private interface Generations {
        Fallback fallback(long generation);
    }

    private static ReplicatedArray<int[]> array(Communicator world, Generations generations) {
        Fallback fallback = new Fallback() {
            @Override
            public void read(BlockRange blocks, MemorySegment destination) {
                throw new AssertionError("a fallback of no generation is asked for " + blocks);
            }

            @Override
            public Fallback forGeneration(ReStore store, long generation) {
                return store.lostBlocks().isEmpty() ? this : generations.fallback(generation);
            }
        };
        return ReplicatedArray.ofInts(ReStore.builder(world).replication(2).noPermutation().fallback(fallback), ROWS,
                1);
    }

    private static CheckpointLoop loop(Communicator world, boolean background) {
        CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(PES, ROWS),
                CheckpointInterval.iterations(1)).incremental();
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
