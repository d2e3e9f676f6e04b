package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.balance.BlockCosts;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.testing.LimitedRun;
import org.restorej.internal.settlement.Settlement;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.testing.Checks;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.placement.FailedRanks;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/** The loop with data that never change, where a recovery can't be completed, and where it begins. */
class ConstantLoopTroubleTest {
    private static final long BLOCKS = 120;

    private static final TestBlocks CONTENT = new TestBlocks(8, 1);

    private static ReStore store(Communicator world, int replication) {
        return ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(8).replication(replication).build();
    }

    private static CheckpointLoop loop(Communicator world) {
        return new CheckpointLoop(world, LoadBalancer.equal(world.size(), BLOCKS),
                CheckpointInterval.iterations(2));
    }

    private static long count(Communicator comm) {
        return comm.allReduce(1L, Reduction.SUM);
    }

    @Test
    void aLossIsReportedAgainAtTheNextCallSinceItsWorkBelongsToNobody() {
        List<PeOutcome<Integer>> outcomes = LimitedRun.outcomes(3, world -> {
            try (ReStore store = store(world, 1); CheckpointLoop loop = loop(world)) {
                loop.keep(HeldBlocks.of(store, CONTENT));
                loop.evaluate(ConstantLoopTroubleTest::count);
                FailureSimulation.of(world).fail(2);
                int losses = 0;
                for (int step = 0; step < 3; step++) {
                    IrrecoverableDataLossException loss = Checks.throwing(IrrecoverableDataLossException.class,
                            () -> loop.evaluate(ConstantLoopTroubleTest::count), "a step after a loss");
                    assertEquals(store.lostBlocks(), loss.lostBlocks());
                    losses++;
                }
                return losses;
            }
        });
        assertEquals(List.of(3, 3), PeOutcome.values(outcomes));
    }

    @Test
    void aPeThatCannotTakeOverItsBlocksLeavesNobodyWaiting() {
        List<PeOutcome<Long>> outcomes = LimitedRun.outcomes(4, world -> {
            try (ReStore store = store(world, 3); CheckpointLoop loop = loop(world)) {
                loop.keep(HeldBlocks.of(store, CONTENT).before(() -> {
                    if (world.rank() == 0) {
                        throw new ArithmeticException("no room");
                    }
                }));
                loop.evaluate(ConstantLoopTroubleTest::count);
                FailureSimulation.of(world).fail(3);
                return loop.evaluate(ConstantLoopTroubleTest::count);
            }
        });
        assertTrue(outcomes.get(0) instanceof PeOutcome.Threw<Long> threw
                && threw.thrown() instanceof ArithmeticException, () -> "PE 0 ends with its own error: " + outcomes);
        // The others see it as one more failed process, and go on without it.
        assertEquals(2L, ((PeOutcome.Returned<Long>) outcomes.get(1)).value());
        assertEquals(2L, ((PeOutcome.Returned<Long>) outcomes.get(2)).value());
    }

    private static long blocksOfAll(CheckpointLoop loop, HeldBlocks mine) {
        return loop.evaluate(comm -> {
            Checks.equal(loop.blocks(), mine.heldIds(), "blocks of this PE");
            return comm.allReduce((long) mine.held().size(), Reduction.SUM);
        });
    }

    /** What PE 2 throws the first time. */
    private static Runnable once(Communicator world, Throwable mistake, AtomicInteger thrown) {
        boolean[] mistaken = {world.rank() == 2};
        return () -> {
            if (mistaken[0]) {
                mistaken[0] = false;
                thrown.incrementAndGet();
                Settlement.<RuntimeException>sneakyThrow(mistake);
            }
        };
    }

    @Test
    void aReceiverThatThrowsOnceGetsTheSameBlocksAgain() {
        for (Throwable mistake : List.of(new IllegalStateException("accept"), new OutOfMemoryError("accept"))) {
            AtomicInteger thrown = new AtomicInteger();
            List<PeOutcome<Long>> outcomes = LimitedRun.outcomes(4, world -> {
                try (ReStore store = store(world, 2); CheckpointLoop loop = loop(world)) {
                    HeldBlocks mine = loop.keep(HeldBlocks.of(store, CONTENT).before(once(world, mistake, thrown)));
                    blocksOfAll(loop, mine);
                    if (world.rank() == 1) {
                        FailureSimulation.of(world).fail(1);
                    }
                    try {
                        return blocksOfAll(loop, mine);
                    } catch (IllegalStateException | OutOfMemoryError itsOwn) {
                        return blocksOfAll(loop, mine);
                    }
                }
            });
            assertEquals(1, thrown.get());
            assertEquals(List.of(BLOCKS, BLOCKS, BLOCKS), PeOutcome.values(outcomes));
        }
    }

    /** The others have their blocks by then, and wait for this PE in what follows, which may be another pull. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPeWithoutMemoryForWhatItPullsGetsItWhenItCallsAgain(boolean twoStores) {
        AtomicInteger thrown = new AtomicInteger();
        List<PeOutcome<Long>> outcomes = LimitedRun.outcomes(3, world -> {
            AtomicInteger tooLong = new AtomicInteger(world.rank() == 0 ? 1 : 0);
            try (ReStore lossy = ReStore.builder(world).blocks(BLOCKS).variableBlockSizes(8).replication(1)
                    .fallback(new TooLongBlocks(tooLong)).build();
                    ReStore other = store(world, 2);
                    CheckpointLoop loop = loop(world)) {
                HeldBlocks mine = loop.keep(HeldBlocks.of(lossy, CONTENT));
                if (twoStores) {
                    loop.keep(HeldBlocks.of(other, CONTENT));
                }
                blocksOfAll(loop, mine);
                if (world.rank() == 2) {
                    FailureSimulation.of(world).fail(2);
                }
                try {
                    return blocksOfAll(loop, mine);
                } catch (OutOfMemoryError itsOwn) {
                    Checks.equal(0, world.rank(), "who has no memory");
                    thrown.incrementAndGet();
                    return blocksOfAll(loop, mine);
                }
            }
        });
        assertEquals(List.of(BLOCKS, BLOCKS), PeOutcome.values(outcomes));
        assertEquals(1, thrown.get());
    }

    /** Knows lost blocks, but at first takes them for as long as no memory is. */
    private record TooLongBlocks(AtomicInteger times) implements ReStoreBuilder.Fallback {
        @Override
        public void read(BlockRange blocks, MemorySegment destination) {
            destination.copyFrom(MemorySegment.ofArray(CONTENT.bytes(blocks)));
        }

        @Override
        public BlockRange.Sizes sizes(BlockRange blocks) {
            long bytes = times.getAndDecrement() > 0 ? (1L << 48) - 1 : CONTENT.blockSizeBytes();
            return id -> bytes;
        }
    }

    /** What it has let go of before it has thrown comes back to it, when the next assignment says so. */
    @Test
    void aReceiverThatLetsGoOfBlocksAndThrowsGetsThemWhenTheyAreItsAgain() {
        AtomicInteger thrown = new AtomicInteger();
        List<PeOutcome<Long>> outcomes = LimitedRun.outcomes(3, world -> {
            LoadBalancer.Weighted balancer = LoadBalancer.weighted(BlockCosts.equal(BLOCKS), 1, 1, 1);
            try (ReStore store = store(world, 3);
                    CheckpointLoop loop = new CheckpointLoop(world, balancer, CheckpointInterval.iterations(1))) {
                HeldBlocks mine = loop.keep(HeldBlocks.of(store, CONTENT)
                        .after(once(world, new OutOfMemoryError("after blocks are let go of"), thrown)));
                try {
                    loop.adopt(() -> balancer.rebalance(FailedRanks.NONE, BlockCosts.equal(BLOCKS),
                            2, 2, 1));
                } catch (OutOfMemoryError once) {
                    Checks.equal(2, world.rank(), "who has thrown");
                }
                Checks.holds(world.rank() != 2 || mine.held().size() < BLOCKS / 3, "PE 2 has let go of blocks");
                if (world.rank() < 2) {
                    // Before PE 2 takes part in the recovery: all of their blocks become its own.
                    FailureSimulation.of(world).fail(world.rank());
                }
                return blocksOfAll(loop, mine);
            }
        });
        assertEquals(List.of(BLOCKS), PeOutcome.values(outcomes));
    }

    /** Rows that are there twice, or not at all, would show in the sum: memory is gone in the middle of an adoption. */
    @Test
    void rowsSurviveAnExceptionOfOtherDataInTheSameAdoption() {
        AtomicInteger thrown = new AtomicInteger();
        List<PeOutcome<Double>> outcomes = LimitedRun.outcomes(4, world -> {
            LoadBalancer.Weighted balancer = LoadBalancer.weighted(BlockCosts.equal(BLOCKS), 1, 1, 1, 1);
            try (ReplicatedArray<double[]> array = ReplicatedArray.ofDoubles(ReStore.builder(world), BLOCKS, 1);
                    ReStore store = store(world, 2);
                    CheckpointLoop loop = new CheckpointLoop(world, balancer, CheckpointInterval.iterations(1))) {
                LocalRows<double[]> rows = loop.keep(array.constant(ConstantLoopTroubleTest::numbers));
                HeldBlocks mine = loop.keep(HeldBlocks.of(store, CONTENT)
                        .before(once(world, new OutOfMemoryError("accept"), thrown)));
                try {
                    loop.adopt(() -> balancer.rebalance(FailedRanks.NONE, BlockCosts.equal(BLOCKS),
                            1, 1, 2, 1));
                } catch (OutOfMemoryError once) {
                    Checks.equal(2, world.rank(), "who has thrown");
                }
                Checks.equal(BLOCKS, blocksOfAll(loop, mine), "blocks");
                Checks.equal(loop.blocks(), rows.ids(), "rows");
                Checks.holds(world.rank() != 2 || rows.count() > BLOCKS / 4, "PE 2 has gained rows");
                return loop.evaluate(comm -> comm.allReduce(Arrays.stream(rows.values()).sum(), Reduction.SUM));
            }
        });
        double expected = BLOCKS * (BLOCKS - 1) / 2.0;
        assertEquals(1, thrown.get());
        assertEquals(List.of(expected, expected, expected, expected), PeOutcome.values(outcomes));
    }

    private static double[] numbers(BlockRanges own) {
        return LongStream.range(0, own.blockCount()).mapToDouble(own::blockAt).toArray();
    }

    /** As after a restart from files: the loop begins with what the store has, also when a PE fails before it has it. */
    @Test
    void aLoopBeginsWithWhatItsStoreHas() {
        for (boolean fails : new boolean[]{false, true}) {
            List<PeOutcome<Double>> outcomes = LimitedRun.outcomes(4, world -> {
                try (ReplicatedArray<double[]> changing = ReplicatedArray.ofDoubles(ReStore.builder(world), BLOCKS, 1);
                        ReplicatedArray<double[]> constant = ReplicatedArray.ofDoubles(ReStore.builder(world), BLOCKS,
                                1);
                        CheckpointLoop loop = loop(world)) {
                    BlockRanges some = BlockRanges.of(BLOCKS * world.rank() / 4, BLOCKS / 4);
                    changing.submit(some, numbers(some));
                    constant.submit(some, numbers(some));
                    LocalRows<double[]> rows = loop.keep(changing.local(mine -> new double[]{Double.NaN}));
                    LocalRows<double[]> others = loop.keep(constant.constant(mine -> new double[]{Double.NaN}));
                    if (fails) {
                        FailureSimulation.of(world).fail(3);
                    }
                    loop.run(3, (comm, iteration) -> Arrays.setAll(rows.values(), i -> rows.values()[i] + 1));
                    Checks.equal(1L, constant.store().generation(), "generation of what never changes");
                    Checks.equal(loop.blocks(), rows.ids(), "rows of this PE");
                    return loop.evaluate(comm -> comm.allReduce(
                            Arrays.stream(rows.values()).sum() - Arrays.stream(others.values()).sum(), Reduction.SUM));
                }
            });
            assertEquals(Set.of(3.0 * BLOCKS), Set.copyOf(PeOutcome.values(outcomes)));
        }
    }
}
