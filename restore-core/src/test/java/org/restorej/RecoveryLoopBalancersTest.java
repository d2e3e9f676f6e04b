package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.restorej.balance.BlockCosts;
import org.restorej.balance.ContiguousLoadBalancer;
import org.restorej.balance.EqualLoadBalancer;
import org.restorej.balance.LoadBalancer;
import org.restorej.balance.PeSpeeds;
import org.restorej.balance.WeightedLoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.testing.Checks;

/** The recovery loop with every balancer, also with those that take blocks from the living. */
class RecoveryLoopBalancersTest {
    private static final int PES = 6;
    private static final long BLOCKS = 100;
    private static final TestBlocks CONTENT = new TestBlocks(8, 1);

    static Stream<Named<IntFunction<LoadBalancer>>> balancers() {
        return Stream.of(Named.of("equal", pes -> new EqualLoadBalancer(pes, BLOCKS)),
                Named.of("weighted",
                        pes -> new WeightedLoadBalancer(BlockCosts.of(BLOCKS, block -> 1 + block % 7),
                                PeSpeeds.of(1, 2, 3, 1, 2, 3))),
                Named.of("contiguous", pes -> new ContiguousLoadBalancer(pes, BLOCKS)));
    }

    @ParameterizedTest
    @MethodSource("balancers")
    void everyBlockIsWorkedOnByOnePeAfterEachFailure(IntFunction<LoadBalancer> balancers) {
        try (LocalCluster cluster = LocalCluster.builder(PES).timeout(Duration.ofMinutes(1)).build()) {
            List<PeOutcome<BlockRanges>> outcomes = cluster.run(world -> application(world, balancers.apply(PES)));
            BlockRanges all = BlockRanges.EMPTY;
            long blocks = 0;
            for (BlockRanges own : PeOutcome.values(outcomes)) {
                all = all.union(own);
                blocks += own.blockCount();
            }
            assertEquals(BlockRanges.of(0, BLOCKS), all);
            assertEquals(BLOCKS, blocks);
        }
    }

    /** The blocks that this PE has worked on in its last step. */
    private static BlockRanges application(Communicator world, LoadBalancer balancer) {
        Set<Long> held = new HashSet<>();
        try (ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(8).replication(3).build()) {
            RecoveryLoop loop = new RecoveryLoop(world, store, balancer, (gained, mine) -> take(gained, held));
            loop.blocks().runs().forEach(run -> store.submit(run, CONTENT::write));
            add(loop.blocks(), held);
            FailureSimulation.of(world).fail(1);
            assertStep(loop, held);
            FailureSimulation.of(loop.communicator()).fail(0, 3);
            return assertStep(loop, held);
        }
    }

    private static BlockRanges assertStep(RecoveryLoop loop, Set<Long> held) {
        long[] workedOn = loop.step(comm -> {
            held.removeIf(block -> !loop.blocks().contains(block));
            long[] countAndSum = {held.size(), held.stream().mapToLong(block -> block).sum()};
            comm.allReduce(countAndSum, Reduction.SUM);
            return countAndSum;
        });
        Checks.equal(BLOCKS, workedOn[0], "blocks worked on");
        Checks.equal(BLOCKS * (BLOCKS - 1) / 2, workedOn[1], "sum of their ids");
        Checks.equal(loop.blocks().blockCount(), (long) held.size(), "blocks of this PE");
        return loop.blocks();
    }

    @Test
    void anAdoptedProposalMovesWorkWithoutAFailure() {
        try (LocalCluster cluster = LocalCluster.builder(4).timeout(Duration.ofMinutes(1)).build()) {
            List<PeOutcome<Long>> outcomes = cluster.run(world -> {
                Set<Long> held = new HashSet<>();
                WeightedLoadBalancer balancer = new WeightedLoadBalancer(BlockCosts.equal(BLOCKS), PeSpeeds.equal(4));
                try (ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(8).replication(2).build()) {
                    RecoveryLoop loop = new RecoveryLoop(world, store, balancer,
                            (gained, mine) -> take(gained, held));
                    loop.blocks().runs().forEach(run -> store.submit(run, CONTENT::write));
                    add(loop.blocks(), held);
                    loop.adopt(() -> balancer.rebalance(store.failedRanks(), BlockCosts.equal(BLOCKS),
                            PeSpeeds.of(7, 1, 1, 1)));
                    assertStep(loop, held);
                    long adopted = loop.blocks().blockCount();
                    FailureSimulation.of(world).fail(2);
                    assertStep(loop, held);
                    return adopted;
                }
            });
            assertEquals(List.of(70L, 10L, 10L), PeOutcome.values(outcomes));
        }
    }

    @Test
    void localRowsLetGoOfWhatAnotherPeWorksOn() {
        try (LocalCluster cluster = LocalCluster.builder(3).timeout(Duration.ofMinutes(1)).build()) {
            List<PeOutcome<Double>> outcomes = cluster.run(world -> {
                ContiguousLoadBalancer balancer = new ContiguousLoadBalancer(3, 12);
                ReStoreBuilder builder = ReStore.builder(world).replication(2);
                try (ReplicatedArray<double[]> array = ReplicatedArray.ofDoubles(builder, 12, 1)) {
                    BlockRanges mine = balancer.assignment().blocksOf(world.rank());
                    double[] own = new double[(int) mine.blockCount()];
                    for (int row = 0; row < own.length; row++) {
                        own[row] = mine.blockAt(row);
                    }
                    LocalRows<double[]> rows = array.local(mine, own);
                    rows.submit();
                    RecoveryLoop loop = new RecoveryLoop(world, array.store(), balancer, rows);
                    FailureSimulation.of(world).fail(0);
                    return loop.step(comm -> {
                        double[] sum = {java.util.Arrays.stream(rows.values()).sum()};
                        comm.allReduce(sum, Reduction.SUM);
                        Checks.equal(loop.blocks(), rows.index().rows(), "rows of this PE");
                        return sum[0];
                    });
                }
            });
            assertEquals(List.of(66.0, 66.0), PeOutcome.values(outcomes));
        }
    }

    @Test
    void blocksOfDifferentSizesAreTakenOverOneByOne() {
        SizedBlocks content = new SizedBlocks(50, 1);
        try (LocalCluster cluster = LocalCluster.builder(4).timeout(Duration.ofMinutes(1)).build()) {
            PeOutcome.values(cluster.run(world -> {
                Set<Long> held = new HashSet<>();
                long[] bytes = new long[1];
                try (ReStore store = ReStore.builder(world).blocks(BLOCKS).variableBlockSizes(25).replication(2)
                        .build()) {
                    RecoveryLoop loop = new RecoveryLoop(world, store, new EqualLoadBalancer(4, BLOCKS),
                            RecoveryLoop.GainedBlocks.each((id, block) -> {
                                content.check(id, block);
                                bytes[0] += block.byteSize();
                                held.add(id);
                            }));
                    loop.onRecovery(recovery -> Checks.equal(bytes[0], recovery.gainedBytes(), "gained bytes"));
                    loop.blocks().runs().forEach(run -> store
                            .submit(new Submission().add(run, content.sizes(), content::write)));
                    add(loop.blocks(), held);
                    FailureSimulation.of(world).fail(1);
                    return assertStep(loop, held);
                }
            }));
        }
    }

    private static void take(PulledBlocks gained, Set<Long> held) {
        CONTENT.checkAll(gained.ids(), gained.bytes());
        add(gained.ids(), held);
    }

    private static void add(BlockRanges blocks, Set<Long> held) {
        for (long i = 0; i < blocks.blockCount(); i++) {
            held.add(blocks.blockAt(i));
        }
    }
}
