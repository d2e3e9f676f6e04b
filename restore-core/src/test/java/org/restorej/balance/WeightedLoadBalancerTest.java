package org.restorej.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.placement.FailedRanks;
import org.restorej.testing.Failures;
import org.restorej.testing.SeededLaw;

class WeightedLoadBalancerTest {
    @Test
    void atFirstEveryPeHasARunOfItsShareWithinABlock() {
        SeededLaw.holds(300, random -> {
            RandomWork work = RandomWork.of(random);
            Assignment first = balancer(work).assignment();
            AssignmentLaws.everyBlockHasOneOwnerAlive(first, FailedRanks.NONE);
            for (int rank = 0; rank < first.peCount(); rank++) {
                assertTrue(first.blocksOf(rank).runCount() <= 1);
                assertEquals(work.share(rank, FailedRanks.NONE), work.load(first, rank), work.block(), "rank " + rank);
            }
        });
    }

    @Test
    void aPeOfTwiceTheSpeedGetsTwiceTheWork() {
        LoadBalancer.Weighted balancer = LoadBalancer.weighted(BlockCosts.equal(12), PeSpeeds.of(1, 2, 2, 1));
        assertEquals(BlockRanges.of(2, 4), balancer.assignment().blocksOf(1));
        Assignment after = balancer.rebalance(FailedRanks.of(1));
        // Four blocks of the failed to speeds 1, 2 and 1.
        assertEquals(BlockRanges.of(0, 3), after.blocksOf(0));
        assertEquals(BlockRanges.of(3, 2).union(BlockRanges.of(6, 4)), after.blocksOf(2));
        assertEquals(BlockRanges.of(BlockRange.of(5, 1), BlockRange.of(10, 2)), after.blocksOf(3));
    }

    @Test
    void blocksOfTwiceTheCostCountTwice() {
        BlockCosts costs = BlockCosts.ofRuns(new long[]{4, 8}, new double[]{2, 1});
        Assignment first = LoadBalancer.weighted(costs, PeSpeeds.equal(4)).assignment();
        assertEquals(BlockRanges.of(0, 2), first.blocksOf(0));
        assertEquals(BlockRanges.of(2, 2), first.blocksOf(1));
        assertEquals(BlockRanges.of(4, 4), first.blocksOf(2));
        assertEquals(BlockRanges.of(8, 4), first.blocksOf(3));
    }

    @Test
    void everyBlockHasOneOwnerAliveAndOnlyBlocksOfTheFailedMove() {
        SeededLaw.holds(300, random -> AssignmentLaws.forEachRound(balancer(RandomWork.of(random)), random,
                (before, after, failed) -> {
                    AssignmentLaws.everyBlockHasOneOwnerAlive(after, failed);
                    AssignmentLaws.nothingOfTheLivingMoves(before, after, failed);
                }));
    }

    @Test
    void noLoadIsMoreThanABlockAboveItsShareOrBelowTheLevel() {
        SeededLaw.holds(300, random -> {
            RandomWork work = RandomWork.of(random);
            AssignmentLaws.forEachRound(balancer(work), random,
                    (before, after, failed) -> assertBounds(work, before, after, failed));
        });
    }

    @Test
    void newMeasuresMoveOnlyWhatIsAboveTheNewShares() {
        SeededLaw.holds(300, random -> {
            RandomWork old = RandomWork.of(random);
            int peCount = old.speeds().peCount();
            LoadBalancer.Weighted balancer = balancer(old);
            FailedRanks failed = FailedRanks.NONE;
            for (int round = 0; round < 3; round++) {
                RandomWork work = RandomWork.of(peCount, (int) old.costs().blockCount(), random);
                failed = Failures.moreThan(failed, peCount, random);
                Assignment before = balancer.assignment();
                Assignment after = balancer.rebalance(failed, work.costs(), work.speeds());
                balancer.commit();
                AssignmentLaws.everyBlockHasOneOwnerAlive(after, failed);
                assertMovesOnlyExcess(work, before, after, failed);
                assertBounds(work, after, after, failed);
                // From now on by the new measures, and without moving what the living have.
                FailedRanks more = Failures.moreThan(failed, peCount, random);
                Assignment next = balancer.rebalance(more);
                AssignmentLaws.nothingOfTheLivingMoves(after, next, more);
                assertBounds(work, after, next, more);
            }
        });
    }

    private static void assertMovesOnlyExcess(RandomWork work, Assignment before, Assignment after,
            FailedRanks failed) {
        for (int rank : Failures.alive(failed, after.peCount())) {
            BlockRanges given = before.blocksOf(rank).minus(after.blocksOf(rank));
            BlockRanges gained = after.blocksOf(rank).minus(before.blocksOf(rank));
            if (!given.isEmpty()) {
                assertEquals(BlockRanges.EMPTY, gained, "rank " + rank + " gives and takes");
                double least = work.share(rank, failed) - 1e-12 * work.total();
                assertTrue(work.load(after, rank) >= least, "rank " + rank + " gives too much");
            }
        }
    }

    private static void assertBounds(RandomWork work, Assignment before, Assignment after, FailedRanks failed) {
        double level = level(work, before, after, failed);
        for (int rank : Failures.alive(failed, after.peCount())) {
            double load = work.load(after, rank);
            double share = work.share(rank, failed);
            assertTrue(load <= share + work.block(), "rank " + rank + " has " + load + ", share " + share);
            double filled = level * work.speeds().of(rank);
            assertTrue(load >= filled - work.block(), "rank " + rank + " has " + load + ", level gives " + filled);
            if (work.equalCosts() && load > work.load(before, rank)) {
                assertTrue(Math.abs(load - filled) < 1 + 1e-9, "rank " + rank + " has " + load + ", not " + filled);
            }
        }
    }

    /** The level to which the blocks that have moved can fill up those below it, found by bisection. */
    private static double level(RandomWork work, Assignment before, Assignment after, FailedRanks failed) {
        int[] alive = Failures.alive(failed, after.peCount());
        double low = 0;
        double high = work.total();
        for (int step = 0; step < 100; step++) {
            double middle = (low + high) / 2;
            double filled = 0;
            for (int rank : alive) {
                filled += Math.max(kept(work, before, after, rank), middle * work.speeds().of(rank));
            }
            low = filled <= work.total() ? middle : low;
            high = filled <= work.total() ? high : middle;
        }
        return low;
    }

    private static double kept(RandomWork work, Assignment before, Assignment after, int rank) {
        double kept = 0;
        for (BlockRange run : before.blocksOf(rank).intersect(after.blocksOf(rank)).runs()) {
            for (long block = run.first(); block < run.end(); block++) {
                kept += work.costs().of(block);
            }
        }
        return kept;
    }

    @Test
    void theSameMeasuresAgainMoveNothing() {
        SeededLaw.holds(200, random -> {
            int peCount = 2 + random.nextInt(20);
            double[] speeds = random.ints(peCount, 1, 5).asDoubleStream().toArray();
            BlockCosts costs = BlockCosts.equal(random.nextInt(500));
            LoadBalancer.Weighted balancer = LoadBalancer.weighted(costs, PeSpeeds.of(speeds));
            FailedRanks failed = Failures.someOf(peCount, random);
            AssignmentLaws.commit(balancer, failed);
            assertSame(balancer.assignment(), balancer.rebalance(failed));
            AssignmentLaws.assertSameAssignment(balancer.assignment(),
                    balancer.rebalance(failed, BlockCosts.equal(costs.blockCount()), PeSpeeds.of(speeds)));
        });
    }

    @Test
    void aProposalThatIsNotCommittedLeavesNoTrace() {
        SeededLaw.holds(200, random -> {
            RandomWork work = RandomWork.of(2 + random.nextInt(20), random.nextInt(300), random);
            AssignmentLaws.aProposalLeavesNoTrace(balancer(work), balancer(work), random);
        });
    }

    @Test
    void newMeasuresThatAreNotCommittedLeaveNoTrace() {
        PeSpeeds slowed = PeSpeeds.of(1, 4, 4, 4);
        LoadBalancer.Weighted balancer = LoadBalancer.weighted(BlockCosts.equal(100), PeSpeeds.equal(4));
        Assignment measured = balancer.rebalance(FailedRanks.NONE, BlockCosts.equal(100), slowed);
        assertEquals(8, measured.blocksOf(0).blockCount());
        Assignment after = balancer.rebalance(FailedRanks.of(3));
        assertEquals(33, (double) after.blocksOf(0).blockCount(), 1);
        balancer.commit();
        assertSame(after, balancer.rebalance(FailedRanks.of(3)));
    }

    @Test
    void costsOfVeryDifferentSizeLeaveNoBlockWithoutAnOwner() {
        BlockCosts costs = BlockCosts.ofRuns(new long[]{1, 1, 1}, new double[]{1e100, 1e-100, 1e100});
        LoadBalancer.Weighted balancer = LoadBalancer.weighted(costs, PeSpeeds.of(1, 1e-100, 1));
        FailedRanks failed = FailedRanks.of(1);
        LoadBalancer.Weighted handedOn = LoadBalancer.weighted(BlockCosts.equal(3), PeSpeeds.equal(3));
        AssignmentLaws.everyBlockHasOneOwnerAlive(balancer.assignment(), FailedRanks.NONE);
        AssignmentLaws.everyBlockHasOneOwnerAlive(handedOn.rebalance(failed, costs, PeSpeeds.equal(3)), failed);
    }

    @Test
    void manyPesAndBlocksNeedMemoryForRunsOnly() {
        int peCount = 1 << 17;
        BlockCosts costs = BlockCosts.ofRuns(new long[]{1L << 40, 1L << 42}, new double[]{3, 0.5});
        LoadBalancer.Weighted balancer = LoadBalancer.weighted(costs, PeSpeeds.equal(peCount));
        Assignment after = balancer.rebalance(FailedRanks.of(7, 70_000));
        assertTrue(after.runCount() <= 2 * peCount + 4, () -> after.runCount() + " runs");
        assertEquals(5L << 40, after.blockCount());
    }

    @Test
    void wrongArgumentsAreNamedWithRuleAndValue() {
        assertRejected("a speed must be in 1e-100 .. 1e100: speed of store rank 1 is 0.0", () -> PeSpeeds.of(1, 0));
        assertRejected("a speed must be in 1e-100 .. 1e100: speed of store rank 0 is NaN",
                () -> PeSpeeds.of(Double.NaN));
        assertRejected("speeds must be those of at least 1 PE: there are none", PeSpeeds::of);
        assertRejected("peCount must be at least 1: peCount=0", () -> PeSpeeds.equal(0));
        assertRejected("blockCount must be at least 0: blockCount=-1", () -> BlockCosts.equal(-1));
        assertRejected("blockCount must be at least 0: blockCount=-1", () -> BlockCosts.of(-1, block -> 1));
        assertRejected("the cost of a block must be in 1e-100 .. 1e100: cost of block 2 is -1.0",
                () -> BlockCosts.of(3, block -> block == 2 ? -1 : 1));
        assertRejected("runBlocks must be at least 0: runBlocks[1]=-2",
                () -> BlockCosts.ofRuns(new long[]{1, -2}, new double[]{1, 1}));
        assertRejected("costPerBlock must be as long as runBlocks: costPerBlock.length=1, runBlocks.length=2",
                () -> BlockCosts.ofRuns(new long[]{1, 2}, new double[]{1}));
        LoadBalancer.Weighted balancer = LoadBalancer.weighted(BlockCosts.equal(5), PeSpeeds.equal(2));
        assertRejected("newCosts must be those of 5 blocks: there are 4",
                () -> balancer.rebalance(FailedRanks.NONE, BlockCosts.equal(4), PeSpeeds.equal(2)));
        assertRejected("newSpeeds must be those of 2 PEs: there are 3",
                () -> balancer.rebalance(FailedRanks.NONE, BlockCosts.equal(5), PeSpeeds.equal(3)));
        assertRejected("failedRanks must leave a PE alive: all 2 have failed",
                () -> balancer.rebalance(FailedRanks.of(0, 1)));
        assertThrows(IllegalStateException.class, balancer::commit);
    }

    private static void assertRejected(String message, Runnable call) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
    }

    private static LoadBalancer.Weighted balancer(RandomWork work) {
        return LoadBalancer.weighted(work.costs(), work.speeds());
    }
}
