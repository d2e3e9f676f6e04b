package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import it.unimi.dsi.fastutil.ints.IntSet;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.balance.EqualLoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.LocalCluster;
import org.restorej.comm.PeOutcome;
import org.restorej.comm.PeProgram;
import org.restorej.comm.Reduction;
import org.restorej.comm.testing.Checks;
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
                        (blocks, bytes) -> {});
                ((FailureSimulation) world).fail(IntSet.of(2));
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
                        (blocks, bytes) -> {
                            if (world.rank() == 0) {
                                throw new ArithmeticException("no room");
                            }
                        });
                ((FailureSimulation) world).fail(IntSet.of(3));
                return loop.step(RecoveryLoopTroubleTest::sum);
            }
        });
        assertTrue(outcomes.get(0) instanceof PeOutcome.Threw<Long> threw
                && threw.thrown() instanceof ArithmeticException, () -> "PE 0 ends with its own error: " + outcomes);
        // The others see it as one more dead process, and go on without it.
        assertEquals(2L, ((PeOutcome.Returned<Long>) outcomes.get(1)).value());
        assertEquals(2L, ((PeOutcome.Returned<Long>) outcomes.get(2)).value());
    }
}
