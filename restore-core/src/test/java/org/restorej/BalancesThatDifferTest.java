package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.balance.Assignment;
import org.restorej.balance.BlockCosts;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.StoreRank;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/** Balances that PEs have computed differently: blocks would belong to two of them, or to none. */
class BalancesThatDifferTest {
    private static final int PES = 4;
    private static final long ROWS = 1000;
    private static final String DIFFERENT = "all PEs must propose the same balance: they have proposed different ones";

    private static LocalRows<double[]> ones(CheckpointLoop loop, ReplicatedArray<double[]> array, boolean constant) {
        Function<BlockRanges, double[]> first = rows -> {
            double[] values = new double[(int) rows.blockCount()];
            Arrays.fill(values, 1);
            return values;
        };
        return loop.keep(constant ? array.constant(first) : array.local(first));
    }

    private static double sum(CheckpointLoop loop, LocalRows<double[]> mine) {
        return loop.evaluate(comm -> comm.allReduce(Arrays.stream(mine.values()).sum(), Reduction.SUM));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void areRefusedOnAllPesAndTheLoopGoesOn(boolean constant) {
        List<Double> sums = LocalCluster.run(PES, world -> {
            LoadBalancer.Weighted balancer = LoadBalancer.weighted(BlockCosts.equal(ROWS), 1, 1, 1, 1);
            try (ReplicatedArray<double[]> array = ReplicatedArray.ofDoubles(ReStore.builder(world), ROWS, 1);
                    CheckpointLoop loop = new CheckpointLoop(world, balancer, CheckpointInterval.iterations(2))) {
                LocalRows<double[]> mine = ones(loop, array, constant);
                loop.run(4, (comm, iteration) -> {});
                double[] ownSpeeds = {1, 1, 1, 1};
                ownSpeeds[world.rank()] = 3;
                Supplier<Assignment> proposal = () -> balancer.rebalance(FailedRanks.NONE, BlockCosts.equal(ROWS),
                        ownSpeeds);
                String told = String.valueOf(assertThrows(IllegalStateException.class, () -> loop.adopt(proposal))
                        .getMessage());
                assertTrue(told.startsWith(DIFFERENT), told);
                loop.run(8, (comm, iteration) -> {});
                assertEquals(balancer.assignment().blocksOf(StoreRank.of(world)).blockCount(), mine.count());
                return sum(loop, mine);
            }
        });
        assertEquals(List.of(1000.0, 1000.0, 1000.0, 1000.0), sums);
    }

    /** Of one's own, and by chance. */
    private static final class Dice extends LoadBalancer {
        Dice(int pes, long blocks) {
            super(LoadBalancer.equal(pes, blocks).assignment());
        }

        @Override
        protected Assignment propose(Assignment inForce, FailedRanks failedRanks) {
            Assignment.Builder builder = new Assignment.Builder(inForce.peCount());
            int next = failedRanks.contains(0) ? 1 : 0;
            builder.give(next, ThreadLocalRandom.current().nextLong(inForce.blockCount()));
            return builder.give(next + 1, inForce.blockCount() - builder.blockCount()).build();
        }
    }

    @Test
    void areRefusedOnAllSurvivorsOfAFailure() {
        List<String> told = LocalCluster.run(PES, world -> {
            try (ReplicatedArray<double[]> array = ReplicatedArray.ofDoubles(ReStore.builder(world), ROWS, 1);
                    CheckpointLoop loop = new CheckpointLoop(world, new Dice(PES, ROWS),
                            CheckpointInterval.iterations(2))) {
                ones(loop, array, true);
                return String.valueOf(assertThrows(IllegalStateException.class, () -> loop.run(4, (comm, iteration) -> {
                    if (iteration == 3) {
                        SmallLoops.dieOnce(comm, world, PES - 1);
                    }
                    comm.barrier();
                })).getMessage());
            }
        });
        assertEquals(PES - 1, told.size());
        told.forEach(message -> assertTrue(message.startsWith(DIFFERENT), message));
    }

    @Test
    void aProposalOfAnotherBalancerIsRefused() {
        LocalCluster.run(2, world -> {
            LoadBalancer balancer = LoadBalancer.equal(2, ROWS);
            LoadBalancer another = LoadBalancer.equal(2, ROWS);
            try (ReplicatedArray<double[]> array = ReplicatedArray.ofDoubles(ReStore.builder(world), ROWS, 1);
                    CheckpointLoop loop = new CheckpointLoop(world, balancer, CheckpointInterval.iterations(2))) {
                ones(loop, array, false);
                Supplier<Assignment> proposal = () -> another.rebalance(FailedRanks.NONE);
                assertEquals("proposal must return what the loop's balancer has proposed last", String.valueOf(
                        assertThrows(IllegalArgumentException.class, () -> loop.adopt(proposal)).getMessage()));
            }
            return true;
        });
    }
}
