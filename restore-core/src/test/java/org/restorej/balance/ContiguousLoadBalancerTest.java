package org.restorej.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRanges;
import org.restorej.placement.FailedRanks;
import org.restorej.testing.Failures;
import org.restorej.testing.SeededLaw;

class ContiguousLoadBalancerTest {
    @Test
    void everyBlockHasOneOwnerAlive() {
        SeededLaw.holds(300, random -> AssignmentLaws.forEachRound(balancer(RandomWork.of(random)), random,
                (before, after, failed) -> AssignmentLaws.everyBlockHasOneOwnerAlive(after, failed)));
    }

    @Test
    void everyPeHasOneRunInOrderOfRanksWithinABlockOfItsShare() {
        SeededLaw.holds(300, random -> {
            RandomWork work = RandomWork.of(random);
            AssignmentLaws.forEachRound(balancer(work), random, (before, after, failed) -> {
                long next = 0;
                for (int rank : Failures.alive(failed, after.peCount())) {
                    BlockRanges own = after.blocksOf(rank);
                    assertEquals(BlockRanges.of(next, own.blockCount()), own, "rank " + rank);
                    next += own.blockCount();
                    assertEquals(work.share(rank, failed), work.load(after, rank), work.block(), "rank " + rank);
                }
            });
        });
    }

    @Test
    void withoutWeightsSharesAreEqualGiveOrTakeOneBlock() {
        SeededLaw.holds(300, random -> {
            LoadBalancer balancer = LoadBalancer.contiguous(1 + random.nextInt(30), random.nextInt(1000));
            AssignmentLaws.forEachRound(balancer, random, (before, after, failed) -> {
                long share = after.blockCount() / (after.peCount() - failed.size());
                for (int rank : Failures.alive(failed, after.peCount())) {
                    long load = after.blocksOf(rank).blockCount();
                    assertTrue(load == share || load == share + 1, "rank " + rank + " has " + load + ", not " + share);
                }
            });
        });
    }

    @Test
    void theOutcomeDoesNotDependOnTheWayToIt() {
        SeededLaw.holds(100, random -> {
            RandomWork work = RandomWork.of(2 + random.nextInt(20), random.nextInt(300), random);
            LoadBalancer stepwise = balancer(work);
            FailedRanks some = Failures.someOf(work.speeds().peCount(), random);
            FailedRanks more = Failures.moreThan(some, work.speeds().peCount(), random);
            AssignmentLaws.commit(stepwise, some);
            AssignmentLaws.assertSameAssignment(balancer(work).rebalance(more), stepwise.rebalance(more));
            AssignmentLaws.aProposalLeavesNoTrace(stepwise, balancer(work), random);
        });
    }

    @Test
    void manyBlocksKeepTheirCount() {
        Assignment after = LoadBalancer.contiguous(1000, Long.MAX_VALUE).rebalance(FailedRanks.of(0, 999));
        assertEquals(Long.MAX_VALUE, after.blockCount());
        assertEquals(998, after.runCount());
        assertEquals(Long.MAX_VALUE / 998.0, (double) after.blocksOf(998).blockCount(), 1e-12 * Long.MAX_VALUE);
    }

    private static LoadBalancer balancer(RandomWork work) {
        return LoadBalancer.contiguous(work.costs(), work.speeds());
    }
}
