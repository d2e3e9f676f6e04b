package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.restorej.balance.BlockCosts;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.codec.Codecs;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.testing.Checks;
import org.restorej.comm.testing.LimitedRun;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.LoopValue;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/** The loop with every balancer, also with those that take blocks from the living. */
class LoopBalancersTest {
    private static final int PES = 6;
    private static final long BLOCKS = 100;
    private static final TestBlocks CONTENT = new TestBlocks(8, 1);

    static Stream<Named<IntFunction<LoadBalancer>>> balancers() {
        return Stream.of(Named.of("equal", pes -> LoadBalancer.equal(pes, BLOCKS)),
                Named.of("weighted",
                        pes -> LoadBalancer.weighted(BlockCosts.of(BLOCKS, block -> 1 + block % 7),
                                1, 2, 3, 1, 2, 3)),
                Named.of("contiguous", pes -> LoadBalancer.contiguous(pes, BLOCKS)));
    }

    @ParameterizedTest
    @MethodSource("balancers")
    void everyBlockIsWorkedOnByOnePeAfterEachFailure(IntFunction<LoadBalancer> balancers) {
        List<PeOutcome<BlockRanges>> outcomes = LimitedRun.outcomes(PES,
                world -> application(world, balancers.apply(PES)));
        BlockRanges all = BlockRanges.EMPTY;
        long blocks = 0;
        for (BlockRanges own : PeOutcome.values(outcomes)) {
            all = all.union(own);
            blocks += own.blockCount();
        }
        assertEquals(BlockRanges.of(0, BLOCKS), all);
        assertEquals(BLOCKS, blocks);
    }

    /** The blocks that this PE has worked on in its last step. */
    private static BlockRanges application(Communicator world, LoadBalancer balancer) {
        try (ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(8).replication(3).build();
                CheckpointLoop loop = loop(world, balancer)) {
            HeldBlocks mine = loop.keep(HeldBlocks.of(store, CONTENT));
            assertStep(loop, mine);
            FailureSimulation.of(world).fail(1);
            assertStep(loop, mine);
            FailureSimulation.of(loop.communicator()).fail(0, 3);
            return assertStep(loop, mine);
        }
    }

    private static CheckpointLoop loop(Communicator world, LoadBalancer balancer) {
        return new CheckpointLoop(world, balancer, CheckpointInterval.iterations(2));
    }

    private static BlockRanges assertStep(CheckpointLoop loop, HeldBlocks mine) {
        long[] workedOn = loop.evaluate(comm -> {
            long[] countAndSum = {mine.held().size(), mine.held().keySet().stream().mapToLong(block -> block).sum()};
            comm.allReduce(countAndSum, Reduction.SUM);
            return countAndSum;
        });
        Checks.equal(BLOCKS, workedOn[0], "blocks worked on");
        Checks.equal(BLOCKS * (BLOCKS - 1) / 2, workedOn[1], "sum of their ids");
        Checks.equal(loop.blocks(), mine.heldIds(), "blocks of this PE");
        return loop.blocks();
    }

    @Test
    void anAdoptedProposalMovesWorkWithoutAFailure() {
        List<PeOutcome<Long>> outcomes = LimitedRun.outcomes(4, world -> {
            LoadBalancer.Weighted balancer = LoadBalancer.weighted(BlockCosts.equal(BLOCKS), 1, 1, 1, 1);
            try (ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(8).replication(2).build();
                    CheckpointLoop loop = loop(world, balancer)) {
                HeldBlocks mine = loop.keep(HeldBlocks.of(store, CONTENT));
                loop.adopt(() -> balancer.rebalance(store.failedRanks(), BlockCosts.equal(BLOCKS),
                        7, 1, 1, 1));
                assertStep(loop, mine);
                long adopted = loop.blocks().blockCount();
                FailureSimulation.of(world).fail(2);
                assertStep(loop, mine);
                return adopted;
            }
        });
        assertEquals(List.of(70L, 10L, 10L), PeOutcome.values(outcomes));
    }

    /** Rows that change and rows that don't stay side by side, and go on from the same iteration. */
    @Test
    void anAdoptedProposalMovesRowsThatChange() {
        LimitedRun.values(3, world -> {
            LoadBalancer.Weighted balancer = LoadBalancer.weighted(BlockCosts.equal(BLOCKS), 1, 1, 1);
            try (ReplicatedArray<long[]> array = ReplicatedArray.ofLongs(ReStore.builder(world), BLOCKS, 1);
                    ReplicatedArray<long[]> constant = ReplicatedArray.ofLongs(ReStore.builder(world), BLOCKS, 1);
                    CheckpointLoop loop = loop(world, balancer)) {
                LocalRows<long[]> rows = loop.keep(array.local(LoopBalancersTest::ids));
                LocalRows<long[]> ids = loop.keep(constant.constant(LoopBalancersTest::ids));
                LoopValue<Long> iterations = loop.value(Codecs.LONG, 0L);
                CheckpointLoop.Step step = (comm, iteration) -> {
                    iterations.set(iteration + 1);
                    Arrays.setAll(rows.values(), i -> rows.values()[i] + ids.values()[i]);
                    if (iteration == 8 && comm.size() == 3) {
                        FailureSimulation.of(comm).fail(1);
                    }
                };
                for (int until = 3; until <= 12; until += 3) {
                    int speed = until;
                    loop.run(until, step);
                    loop.adopt(() -> balancer.rebalance(array.store().failedRanks(), BlockCosts.equal(BLOCKS),
                            speed, 1, 1));
                    Checks.equal((long) until, iterations.get(), "iterations");
                    Checks.equal(rows.ids(), ids.ids(), "rows");
                    Checks.equal(loop.blocks(), ids.ids(), "rows of this PE");
                    for (int i = 0; i < rows.count(); i++) {
                        Checks.equal((until + 1) * rows.ids().blockAt(i), rows.values()[i], "a row");
                    }
                }
                return loop.blocks();
            }
        });
    }

    private static long[] ids(BlockRanges rows) {
        return LongStream.range(0, rows.blockCount()).map(rows::blockAt).toArray();
    }

    @Test
    void blocksOfDifferentSizesAreTakenOver() {
        SizedBlocks content = new SizedBlocks(50, 1);
        LimitedRun.values(4, world -> {
            try (ReStore store = ReStore.builder(world).blocks(BLOCKS).variableBlockSizes(25).replication(2)
                    .build(); CheckpointLoop loop = loop(world, LoadBalancer.equal(4, BLOCKS))) {
                HeldBlocks mine = loop.keep(new HeldBlocks(store,
                        id -> new TestBlocks(content.sizeOf(id), 1).bytes(BlockRange.of(id, 1))));
                loop.onRecovery(recovery -> Checks.equal(mine.gainedBytes(), recovery.gainedBytes(), "bytes"));
                assertStep(loop, mine);
                FailureSimulation.of(world).fail(1);
                return assertStep(loop, mine);
            }
        });
    }

    /** By a balance that is adopted, and by a failure; not when a PE keeps what it has. */
    @Test
    void tellsTheBlocksOfAPeWheneverTheyHaveChanged() {
        List<PeOutcome<List<BlockRanges>>> outcomes = LimitedRun.outcomes(3, world -> {
            LoadBalancer.Weighted balancer = LoadBalancer.weighted(BlockCosts.equal(12), 1, 1, 1);
            List<BlockRanges> told = new ArrayList<>();
            try (ReplicatedArray<long[]> array = ReplicatedArray.ofLongs(ReStore.builder(world), 12, 1);
                    CheckpointLoop loop = loop(world, balancer).onBlocksChanged(told::add)) {
                LocalRows<long[]> rows = loop.keep(array.local(LoopBalancersTest::ids));
                loop.run(2, (comm, iteration) -> Checks.equal(rows.ids(), told.getLast(), "blocks told first"));
                loop.run(4, (comm, iteration) -> Checks.equal(1, told.size(), "how often they were told"));
                loop.adopt(() -> balancer.rebalance(array.store().failedRanks(), BlockCosts.equal(12),
                        1, 1, 4));
                Checks.equal(2, loop.evaluate(comm -> told.size()), "how often after adopting");
                FailureSimulation.of(world).fail(1);
                loop.run(6,
                        (comm, iteration) -> Checks.equal(rows.ids(), told.getLast(), "blocks after a failure"));
                return told;
            }
        });
        assertEquals(List.of(
                List.of(BlockRanges.of(0, 4), BlockRanges.of(2, 2)),
                List.of(BlockRanges.of(8, 4),
                        BlockRanges.of(BlockRange.of(0, 2), BlockRange.of(4, 2), BlockRange.of(8, 4)),
                        BlockRanges.of(BlockRange.of(0, 2), BlockRange.of(4, 8)))),
                PeOutcome.values(outcomes));
    }

    @Test
    void whoAsksLaterIsToldTheBlocksOfThen() {
        List<List<BlockRanges>> told = LocalCluster.run(2, world -> {
            List<BlockRanges> later = new ArrayList<>();
            try (ReplicatedArray<long[]> array = ReplicatedArray.ofLongs(ReStore.builder(world), 4, 1);
                    CheckpointLoop loop = loop(world, LoadBalancer.equal(2, 4))) {
                loop.keep(array.local(LoopBalancersTest::ids));
                loop.run(1, (comm, iteration) -> {});
                loop.onBlocksChanged(later::add);
                loop.run(2, (comm, iteration) -> {});
            }
            return later;
        });
        assertEquals(List.of(List.of(BlockRanges.of(0, 2)), List.of(BlockRanges.of(2, 2))), told);
    }

    /** The PE that throws is told again; the others go on without it. */
    @Test
    void whatThrowsWhenItIsToldTheBlocksEndsTheCall() {
        LimitedRun.values(2, world -> {
            int[] told = {0};
            try (ReplicatedArray<long[]> array = ReplicatedArray.ofLongs(ReStore.builder(world), 4, 1);
                    CheckpointLoop loop = loop(world, LoadBalancer.equal(2, 4)).onBlocksChanged(blocks -> {
                        if (told[0]++ == 0 && world.rank() == 1) {
                            throw new IllegalStateException("not now");
                        }
                    })) {
                LocalRows<long[]> rows = loop.keep(array.local(LoopBalancersTest::ids));
                CheckpointLoop.Step step = (comm, iteration) -> Arrays.setAll(rows.values(),
                        i -> rows.values()[i] + 1);
                if (world.rank() == 1) {
                    Checks.throwing(IllegalStateException.class, () -> loop.run(2, step), "not now");
                }
                loop.run(2, step);
                Checks.equal(world.rank() == 1 ? 2 : 1, told[0], "how often it was told");
                Checks.equal(rows.ids().blockAt(0) + 2, rows.values()[0], "a row");
                return rows.ids();
            }
        });
    }
}
