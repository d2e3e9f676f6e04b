package org.restorej.balance.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.restorej.balance.Assignment;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.placement.FailedRanks;

/** Balancers of a user: from another package, so with nothing but what is public. */
class OwnLoadBalancerTest {
    @Test
    void aBalancerOfOnesOwnIsOneFunction() {
        LoadBalancer balancer = new NextRankInherits(4, 8);
        Assignment first = balancer.assignment();
        Assignment proposal = balancer.rebalance(FailedRanks.of(1, 3));
        assertSame(first, balancer.assignment());
        balancer.commit();
        assertSame(proposal, balancer.assignment());
        assertEquals(BlockRanges.of(BlockRange.of(0, 2), BlockRange.of(6, 2)), proposal.blocksOf(0));
        assertEquals(BlockRanges.EMPTY, proposal.blocksOf(1));
        assertEquals(BlockRanges.of(2, 4), proposal.blocksOf(2));
        assertThrows(IllegalStateException.class, balancer::commit);
    }

    @Test
    void anAssignmentToTheFailedIsFoundAtOnce() {
        LoadBalancer faulty = new HandsOut(new Assignment.Builder(2).give(0, 3).give(1, 1).build());
        assertEquals("propose must give no blocks to failed PEs: store rank 1 has block 3",
                assertThrows(IllegalStateException.class, () -> faulty.rebalance(FailedRanks.of(1))).getMessage());
        assertThrows(IllegalStateException.class, faulty::commit);
    }

    @Test
    void anAssignmentThatForgetsBlocksIsFoundAtOnce() {
        LoadBalancer faulty = new HandsOut(new Assignment.Builder(2).give(0, 3).build());
        assertEquals("propose must return an assignment of 4 blocks to 2 PEs: it has 3 blocks and 2 PEs",
                assertThrows(IllegalStateException.class, () -> faulty.rebalance(FailedRanks.of(1))).getMessage());
    }

    @Test
    void whatIsWrongInABuilderIsNamedWithRuleAndValue() {
        Assignment.Builder builder = new Assignment.Builder(2).give(1, Long.MAX_VALUE);
        assertEquals("storeRank must be in [0, 2): storeRank=2",
                assertThrows(IndexOutOfBoundsException.class, () -> builder.give(2, 1)).getMessage());
        assertThrows(IndexOutOfBoundsException.class, () -> builder.give(-1, 1));
        assertEquals("blocks must be at least 0: blocks=-1",
                assertThrows(IllegalArgumentException.class, () -> builder.give(0, -1)).getMessage());
        assertThrows(ArithmeticException.class, () -> builder.give(0, 1));
        assertEquals("peCount must be at least 1: peCount=0",
                assertThrows(IllegalArgumentException.class, () -> new Assignment.Builder(0)).getMessage());
        assertEquals(Long.MAX_VALUE, builder.blockCount());
        assertEquals(1, builder.build().runCount());
    }

    /** The blocks of a failed PE go to the next rank alive. */
    private static final class NextRankInherits extends LoadBalancer {
        NextRankInherits(int peCount, long blockCount) {
            super(inRuns(peCount, blockCount / peCount));
        }

        private static Assignment inRuns(int peCount, long blocksEach) {
            Assignment.Builder builder = new Assignment.Builder(peCount);
            for (int rank = 0; rank < peCount; rank++) {
                builder.give(rank, blocksEach);
            }
            return builder.build();
        }

        @Override
        protected Assignment propose(Assignment inForce, FailedRanks failedRanks) {
            Assignment.Builder builder = new Assignment.Builder(inForce.peCount());
            for (int run = 0; run < inForce.runCount(); run++) {
                int owner = inForce.runOwner(run);
                while (failedRanks.contains(owner)) {
                    owner = (owner + 1) % inForce.peCount();
                }
                builder.give(owner, inForce.runBlocks(run));
            }
            return builder.build();
        }
    }

    /** Always hands out the same. */
    private static final class HandsOut extends LoadBalancer {
        private final Assignment always;

        HandsOut(Assignment always) {
            super(new Assignment.Builder(2).give(0, 2).give(1, 2).build());
            this.always = always;
        }

        @Override
        protected Assignment propose(Assignment inForce, FailedRanks failedRanks) {
            return always;
        }
    }
}
