package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.restorej.balance.Assignment;
import org.restorej.balance.BlockCosts;
import org.restorej.balance.EqualLoadBalancer;
import org.restorej.balance.PeSpeeds;
import org.restorej.balance.WeightedLoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.Settlement;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.local.LocalCluster.PeProgram;
import org.restorej.comm.testing.Checks;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;

/** The recovery loop where a recovery can't be completed. */
class RecoveryLoopTroubleTest {
    private static final long BLOCKS = 120;

    private static ReStore submitted(Communicator world, int replication) {
        ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(8).replication(replication).build();
        Placement runs = new Placement(world.size(), BLOCKS, 1);
        store.submit(BlockRange.of(runs.firstPosition(world.rank()), runs.blocksIn(world.rank())),
                new TestBlocks(8, 1)::write);
        return store;
    }

    private static long sum(Communicator comm) {
        long[] sum = {1};
        comm.allReduce(sum, Reduction.SUM);
        return sum[0];
    }

    private static <T> List<PeOutcome<T>> run(int size, PeProgram<T> program) {
        try (LocalCluster cluster = LocalCluster.builder(size).timeout(Duration.ofMinutes(1)).build()) {
            return cluster.run(program);
        }
    }

    @Test
    void aLossIsReportedAgainAtTheNextStepSinceItsWorkBelongsToNobody() {
        List<PeOutcome<Integer>> outcomes = run(3, world -> {
            try (ReStore store = submitted(world, 1)) {
                RecoveryLoop loop = new RecoveryLoop(world, store, new EqualLoadBalancer(3, BLOCKS),
                        (gained, mine) -> {});
                FailureSimulation.of(world).fail(2);
                int losses = 0;
                for (int step = 0; step < 3; step++) {
                    IrrecoverableDataLossException loss = Checks.throwing(IrrecoverableDataLossException.class,
                            () -> loop.step(RecoveryLoopTroubleTest::sum), "a step after a loss");
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
        List<PeOutcome<Long>> outcomes = run(4, world -> {
            try (ReStore store = submitted(world, 3)) {
                RecoveryLoop loop = new RecoveryLoop(world, store, new EqualLoadBalancer(4, BLOCKS),
                        (gained, mine) -> {
                            if (world.rank() == 0) {
                                throw new ArithmeticException("no room");
                            }
                        });
                FailureSimulation.of(world).fail(3);
                return loop.step(RecoveryLoopTroubleTest::sum);
            }
        });
        assertTrue(outcomes.get(0) instanceof PeOutcome.Threw<Long> threw
                && threw.thrown() instanceof ArithmeticException, () -> "PE 0 ends with its own error: " + outcomes);
        // The others see it as one more dead process, and go on without it.
        assertEquals(2L, ((PeOutcome.Returned<Long>) outcomes.get(1)).value());
        assertEquals(2L, ((PeOutcome.Returned<Long>) outcomes.get(2)).value());
    }

    private static double sumOf(RecoveryLoop loop, LocalRows<double[]> rows) {
        return loop.step(comm -> comm.allReduce(Arrays.stream(rows.values()).sum(), Reduction.SUM));
    }

    /** Rows with their numbers as values, which PE 2 accepts at the second time: the first time it throws. */
    private static RecoveryLoop.GainedBlocks throwingOnce(Communicator world, LocalRows<double[]> rows,
            Supplier<? extends Throwable> mistake, AtomicInteger thrown) {
        boolean[] mistaken = {world.rank() == 2};
        return (gained, mine) -> {
            if (mistaken[0]) {
                mistaken[0] = false;
                thrown.incrementAndGet();
                Settlement.<RuntimeException>asItIs(mistake.get());
            }
            rows.accept(gained, mine);
        };
    }

    /** Calls until it is done: on PE 2 it throws once. */
    private static <T> T stubbornly(Supplier<T> call) {
        try {
            return call.get();
        } catch (IllegalStateException | OutOfMemoryError once) {
            return call.get();
        }
    }

    @Test
    void aReceiverThatThrowsOnceGetsTheSameRowsAgain() {
        for (Supplier<? extends Throwable> mistake : List.<Supplier<? extends Throwable>>of(
                () -> new IllegalStateException("accept"), () -> new OutOfMemoryError("accept"))) {
            AtomicInteger thrown = new AtomicInteger();
            List<PeOutcome<Double>> outcomes = run(4, world -> {
                EqualLoadBalancer balancer = new EqualLoadBalancer(4, BLOCKS);
                try (ReplicatedArray<double[]> array = ReplicatedArray.ofDoubles(ReStore.builder(world).replication(2),
                        BLOCKS, 1)) {
                    LocalRows<double[]> rows = numbers(array, balancer.assignment().blocksOf(world.rank()));
                    rows.submit();
                    RecoveryLoop loop = new RecoveryLoop(world, array.store(), balancer,
                            throwingOnce(world, rows, mistake, thrown));
                    sumOf(loop, rows);
                    if (world.rank() == 1) {
                        FailureSimulation.of(world).fail(1);
                    }
                    double sum = stubbornly(() -> sumOf(loop, rows));
                    Checks.equal(loop.blocks(), rows.index().rows(), "rows");
                    return sum;
                }
            });
            double expected = BLOCKS * (BLOCKS - 1) / 2.0;
            assertEquals(1, thrown.get());
            assertEquals(List.of(expected, expected, expected), PeOutcome.values(outcomes));
        }
    }

    @Test
    void aReceiverThatThrowsOnceInAnAdoptionGetsTheSameRowsAgain() {
        AtomicInteger thrown = new AtomicInteger();
        List<PeOutcome<Double>> outcomes = run(4, world -> {
            WeightedLoadBalancer balancer = new WeightedLoadBalancer(BlockCosts.equal(BLOCKS), PeSpeeds.equal(4));
            try (ReplicatedArray<double[]> array = ReplicatedArray.ofDoubles(ReStore.builder(world).replication(2),
                    BLOCKS, 1)) {
                LocalRows<double[]> rows = numbers(array, balancer.assignment().blocksOf(world.rank()));
                rows.submit();
                RecoveryLoop loop = new RecoveryLoop(world, array.store(), balancer,
                        throwingOnce(world, rows, () -> new OutOfMemoryError("accept"), thrown));
                try {
                    loop.adopt(() -> balancer.rebalance(FailedRanks.NONE, BlockCosts.equal(BLOCKS),
                            PeSpeeds.of(1, 1, 2, 1)));
                } catch (OutOfMemoryError once) {
                    Checks.equal(2, world.rank(), "who has thrown");
                }
                double sum = sumOf(loop, rows);
                Checks.equal(loop.blocks(), rows.index().rows(), "rows");
                Checks.holds(world.rank() != 2 || rows.rowCount() > BLOCKS / 4, "PE 2 has gained rows");
                return sum;
            }
        });
        double expected = BLOCKS * (BLOCKS - 1) / 2.0;
        assertEquals(1, thrown.get());
        assertEquals(List.of(expected, expected, expected, expected), PeOutcome.values(outcomes));
    }

    /** What it has let go of before it has thrown comes back to it, when the next assignment says so. */
    @Test
    void aReceiverThatLetsGoOfRowsAndThrowsGetsThemWhenTheyAreItsAgain() {
        AtomicInteger thrown = new AtomicInteger();
        List<PeOutcome<Double>> outcomes = run(3, world -> {
            WeightedLoadBalancer balancer = new WeightedLoadBalancer(BlockCosts.equal(BLOCKS), PeSpeeds.equal(3));
            try (ReplicatedArray<double[]> array = ReplicatedArray.ofDoubles(ReStore.builder(world).replication(3),
                    BLOCKS, 1)) {
                LocalRows<double[]> rows = numbers(array, balancer.assignment().blocksOf(world.rank()));
                rows.submit();
                RecoveryLoop loop = new RecoveryLoop(world, array.store(), balancer, (gained, mine) -> {
                    rows.accept(gained, mine);
                    if (world.rank() == 2 && thrown.getAndIncrement() == 0) {
                        throw new OutOfMemoryError("after the rows are let go of");
                    }
                });
                try {
                    loop.adopt(() -> balancer.rebalance(FailedRanks.NONE, BlockCosts.equal(BLOCKS),
                            PeSpeeds.of(2, 2, 1)));
                } catch (OutOfMemoryError once) {
                    Checks.equal(2, world.rank(), "who has thrown");
                }
                Checks.holds(world.rank() != 2 || rows.rowCount() < BLOCKS / 3, "PE 2 has let go of rows");
                if (world.rank() < 2) {
                    // Before PE 2 takes part in the recovery: all of their rows become its own.
                    FailureSimulation.of(world).fail(world.rank());
                }
                double sum = sumOf(loop, rows);
                Checks.equal(loop.blocks(), rows.index().rows(), "rows");
                return sum;
            }
        });
        assertEquals(List.of(BLOCKS * (BLOCKS - 1) / 2.0), PeOutcome.values(outcomes));
    }

    private static LocalRows<double[]> numbers(ReplicatedArray<double[]> array, BlockRanges own) {
        return array.local(own, LongStream.range(0, own.blockCount()).mapToDouble(own::blockAt).toArray());
    }

    /** A program whose first submission is a step, in which PE 1 dies: the sum of all rows at the end. */
    private static PeProgram<Double> firstSubmissionInAStep(UnaryOperator<ReStoreBuilder> settings) {
        return world -> {
            EqualLoadBalancer balancer = new EqualLoadBalancer(world.size(), BLOCKS);
            try (ReplicatedArray<double[]> array = ReplicatedArray
                    .ofDoubles(settings.apply(ReStore.builder(world).replication(3)), BLOCKS, 1)) {
                BlockRanges own = balancer.assignment().blocksOf(world.rank());
                LocalRows<double[]> mine = array.local(own,
                        LongStream.range(0, own.blockCount()).mapToDouble(own::blockAt).toArray());
                RecoveryLoop loop = new RecoveryLoop(world, array.store(), balancer, mine);
                Checks.equal(1L, loop.step(comm -> {
                    if (comm.size() == world.size()) {
                        FailureSimulation.of(comm).fail(1);
                    }
                    return mine.submit();
                }), "generation");
                return loop.step(comm -> {
                    double[] sum = {Arrays.stream(mine.values()).sum()};
                    comm.allReduce(sum, Reduction.SUM);
                    return sum[0];
                });
            }
        };
    }

    private static void readNumbers(BlockRange blocks, MemorySegment destination) {
        for (long i = 0; i < blocks.count(); i++) {
            destination.setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, i, (double) (blocks.first() + i));
        }
    }

    @Test
    void aDeathInTheFirstSubmissionLeavesItsBlocksToTheFallback() {
        double sum = BLOCKS * (BLOCKS - 1) / 2.0;
        List<PeOutcome<Double>> outcomes = run(4, firstSubmissionInAStep(
                builder -> builder.fallback(RecoveryLoopTroubleTest::readNumbers)));
        assertTrue(outcomes.get(1) instanceof PeOutcome.Died, () -> "PE 1 has died: " + outcomes);
        assertEquals(List.of(sum, sum, sum), PeOutcome.values(outcomes));
    }

    @Test
    void aDeathInTheFirstSubmissionWithoutAFallbackIsALossOnEverySurvivor() {
        List<PeOutcome<Double>> outcomes = run(4, firstSubmissionInAStep(builder -> builder));
        assertTrue(outcomes.get(1) instanceof PeOutcome.Died, () -> "PE 1 has died: " + outcomes);
        for (int survivor : new int[]{0, 2, 3}) {
            Throwable thrown = ((PeOutcome.Threw<Double>) outcomes.get(survivor)).thrown();
            IrrecoverableDataLossException loss = assertInstanceOf(IrrecoverableDataLossException.class, thrown);
            assertEquals(
                    "no PE holds blocks {0..119}, as nothing had been submitted, and no fallback has read them: failed "
                            + "store ranks {1}",
                    loss.getMessage());
            assertEquals(BlockRanges.of(0, BLOCKS), loss.lostBlocks());
            assertEquals(FailedRanks.of(1), loss.failedRanks());
        }
    }

    /** Knows blocks of different sizes: block i has i % 5 bytes, all i. */
    private static final class SizedFallback implements BlockFallback {
        @Override
        public void read(BlockRange blocks, MemorySegment destination) {
            long offset = 0;
            for (long id = blocks.first(); id < blocks.end(); id++) {
                destination.asSlice(offset, id % 5).fill((byte) id);
                offset += id % 5;
            }
        }

        @Override
        public BlockSizes sizes(BlockRange blocks) {
            return id -> id % 5;
        }
    }

    @Test
    void readsBeforeTheFirstSubmissionAskTheFallbackAlone() {
        assertEquals(List.of(true, true, true), LocalCluster.run(3, world -> {
            BlockRanges wanted = BlockRanges.of(world.rank(), 30);
            try (ReStore sized = ReStore.builder(world).blocks(BLOCKS).variableBlockSizes(2)
                    .fallback(new SizedFallback())
                    .build(); ReStore none = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(8).build()) {
                sized.pull(wanted, (id, block) -> {
                    Checks.equal(id % 5, block.byteSize(), "bytes of block " + id);
                    Checks.holds(block.byteSize() == 0 || block.get(ValueLayout.JAVA_BYTE, 0) == id, "block " + id);
                });
                Checks.equal(0L, sized.generation(), "generation");
                String message = ""
                        + Checks.throwing(IllegalStateException.class, () -> none.pull(wanted, Arena.global()),
                                "a pull before a submission").getMessage();
                return message.startsWith("pull needs a submission: nothing has been submitted");
            }
        }));
    }

    @Test
    void aFallbackThatKnowsNoSizesReadsNoBlocksOfDifferentSizes() {
        LocalCluster.run(2, world -> {
            try (ReStore store = ReStore.builder(world).blocks(BLOCKS).variableBlockSizes(2)
                    .fallback((blocks, destination) -> {}).build()) {
                return "" + Checks.throwing(IllegalStateException.class,
                        () -> store.pull(BlockRanges.of(0, 3), Arena.global()), "a pull of blocks of unknown sizes");
            }
        });
    }

    /** A block that nobody has would be lost without a word. */
    @Test
    void aBalancerOfOtherBlocksIsRefused() {
        LocalCluster.run(2, world -> {
            try (ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(8).build()) {
                Checks.equal(
                        "the balancer must hand out all blocks of the store to its PEs: it has 5 blocks and 2 PEs, "
                                + "the store " + BLOCKS + " and 2",
                        Checks.throwing(IllegalArgumentException.class, () -> new RecoveryLoop(world, store,
                                new EqualLoadBalancer(Assignment.ofCounts(2, 3)), (gained, mine) -> {}),
                                "a loop with another balancer").getMessage(),
                        "message");
                return 0;
            }
        });
    }
}
