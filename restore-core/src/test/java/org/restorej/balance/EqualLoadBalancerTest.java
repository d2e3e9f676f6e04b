package org.restorej.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.OriginalRank;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;
import org.restorej.testing.Failures;
import org.restorej.testing.SeededLaw;

class EqualLoadBalancerTest {
    @Test
    void atFirstEveryPeWorksOnTheBlocksOfItsRange() {
        SeededLaw.holds(200, random -> {
            int peCount = 1 + random.nextInt(20);
            int blockCount = random.nextInt(100);
            Placement placement = new Placement(peCount, blockCount, 1);
            Assignment assignment = new EqualLoadBalancer(peCount, blockCount).assignment();
            assertEquals(peCount, assignment.peCount());
            assertEquals(blockCount, assignment.blockCount());
            for (int rank = 0; rank < peCount; rank++) {
                assertEquals(BlockRanges.of(placement.firstPosition(rank), placement.blocksIn(rank)),
                        assignment.blocksOf(rank));
            }
        });
    }

    @Test
    void handsOutTheBlocksOfADeadPeInAscendingOrder() {
        EqualLoadBalancer balancer = new EqualLoadBalancer(4, 12);
        Assignment after = balancer.rebalance(FailedRanks.of(1));
        assertEquals(BlockRanges.of(0, 4), after.blocksOf(0));
        assertEquals(BlockRanges.EMPTY, after.blocksOf(1));
        assertEquals(BlockRanges.of(BlockRange.of(4, 1), BlockRange.of(6, 3)), after.blocksOf(2));
        assertEquals(BlockRanges.of(BlockRange.of(5, 1), BlockRange.of(9, 3)), after.blocksOf(3));
    }

    @Test
    void everyBlockHasOneOwnerAfterAnyNumberOfRounds() {
        forAllRounds((before, after, failed) -> {
            BlockRanges all = BlockRanges.EMPTY;
            long blocks = 0;
            for (int rank = 0; rank < after.peCount(); rank++) {
                BlockRanges own = after.blocksOf(OriginalRank.of(rank));
                all = all.union(own);
                blocks += own.blockCount();
                for (BlockRange run : own.runs()) {
                    assertEquals(OriginalRank.of(rank), after.ownerOf(run.first()));
                    assertEquals(OriginalRank.of(rank), after.ownerOf(run.end() - 1));
                }
            }
            assertEquals(BlockRanges.of(0, after.blockCount()), all);
            assertEquals(after.blockCount(), blocks);
        });
    }

    @Test
    void theDeadHaveNothingAndTheLivingEqualSharesGiveOrTakeOneBlock() {
        forAllRounds((before, after, failed) -> {
            long share = after.blockCount() / (after.peCount() - failed.size());
            for (int rank = 0; rank < after.peCount(); rank++) {
                long load = after.blocksOf(rank).blockCount();
                if (failed.contains(rank)) {
                    assertEquals(0, load, "dead rank " + rank);
                } else {
                    assertTrue(load == share || load == share + 1, "rank " + rank + " has " + load + ", not " + share);
                }
            }
        });
    }

    @Test
    void nothingOfTheLivingMoves() {
        forAllRounds((before, after, failed) -> {
            for (int rank : Failures.alive(failed, after.peCount())) {
                assertEquals(BlockRanges.EMPTY, before.blocksOf(rank).minus(after.blocksOf(rank)), "rank " + rank);
            }
        });
    }

    @Test
    void everyPeComputesTheSameAssignment() {
        SeededLaw.holds(100, random -> {
            int peCount = 2 + random.nextInt(20);
            int blockCount = random.nextInt(500);
            FailedRanks failed = Failures.someOf(peCount, random);
            Assignment one = new EqualLoadBalancer(peCount, blockCount).rebalance(failed);
            Assignment other = new EqualLoadBalancer(peCount, blockCount).rebalance(failed);
            assertSameAssignment(one, other);
        });
    }

    @Test
    void aProposalThatIsNotCommittedLeavesNoTrace() {
        SeededLaw.holds(200, random -> {
            int peCount = 2 + random.nextInt(20);
            int blockCount = random.nextInt(500);
            EqualLoadBalancer balancer = new EqualLoadBalancer(peCount, blockCount);
            EqualLoadBalancer undisturbed = new EqualLoadBalancer(peCount, blockCount);
            FailedRanks first = Failures.someOf(peCount, random);
            commit(balancer, first);
            commit(undisturbed, first);
            Assignment inForce = balancer.assignment();

            FailedRanks second = Failures.moreThan(first, peCount, random);
            balancer.rebalance(second);
            assertSame(inForce, balancer.assignment());

            FailedRanks third = Failures.moreThan(second, peCount, random);
            assertSameAssignment(undisturbed.rebalance(third), balancer.rebalance(third));
            balancer.commit();
            undisturbed.commit();
            assertSameAssignment(undisturbed.assignment(), balancer.assignment());
        });
    }

    private static void commit(EqualLoadBalancer balancer, FailedRanks failed) {
        Assignment proposal = balancer.rebalance(failed);
        balancer.commit();
        assertSame(proposal, balancer.assignment());
    }

    private static void assertSameAssignment(Assignment expected, Assignment actual) {
        for (int rank = 0; rank < expected.peCount(); rank++) {
            assertEquals(expected.blocksOf(rank), actual.blocksOf(rank), "rank " + rank);
        }
    }

    @Test
    void theSameFailuresAgainMoveNothing() {
        SeededLaw.holds(100, random -> {
            int peCount = 2 + random.nextInt(20);
            EqualLoadBalancer balancer = new EqualLoadBalancer(peCount, random.nextInt(500));
            FailedRanks failed = Failures.someOf(peCount, random);
            commit(balancer, failed);
            assertSameAssignment(balancer.assignment(), balancer.rebalance(failed));
        });
    }

    @Test
    void theLastPeAliveGetsEverything() {
        EqualLoadBalancer balancer = new EqualLoadBalancer(5, 17);
        Assignment after = balancer.rebalance(FailedRanks.of(0, 1, 2, 4));
        assertEquals(BlockRanges.of(0, 17), after.blocksOf(3));
        assertEquals(1, after.runCount());
    }

    @Test
    void memoryGrowsWithRunsAndNotWithBlocks() {
        EqualLoadBalancer balancer = new EqualLoadBalancer(1000, 1_000_000_000_000L);
        Assignment after = balancer.rebalance(FailedRanks.of(10, 20, 999));
        assertTrue(after.runCount() < 3000, () -> after.runCount() + " runs");
        assertEquals(OriginalRank.of(998), after.ownerOf(1_000_000_000_000L - 1));
    }

    @Test
    void wrongFailedRanksAreNamedWithRuleAndValue() {
        EqualLoadBalancer balancer = new EqualLoadBalancer(3, 10);
        assertEquals("failedRanks must be below 3, the number of PEs: failedRanks={1, 3}",
                assertThrows(IllegalArgumentException.class, () -> balancer.rebalance(FailedRanks.of(1, 3)))
                        .getMessage());
        assertEquals("failedRanks must leave a PE alive: all 3 have failed",
                assertThrows(IllegalArgumentException.class, () -> balancer.rebalance(FailedRanks.of(0, 1, 2)))
                        .getMessage());
        assertEquals("peCount must be at least 1: peCount=0",
                assertThrows(IllegalArgumentException.class, () -> new EqualLoadBalancer(0, 10)).getMessage());
        assertEquals("blockCount must be at least 0: blockCount=-1",
                assertThrows(IllegalArgumentException.class, () -> new EqualLoadBalancer(3, -1)).getMessage());
    }

    @Test
    void aCommitWithoutAProposalIsRejected() {
        EqualLoadBalancer balancer = new EqualLoadBalancer(3, 10);
        assertThrows(IllegalStateException.class, balancer::commit);
        commit(balancer, FailedRanks.of(1));
        assertThrows(IllegalStateException.class, balancer::commit);
    }

    @Test
    void unknownRanksAndBlocksAreNamed() {
        Assignment assignment = new EqualLoadBalancer(3, 10).assignment();
        assertEquals("originalRank must be in [0, 3): originalRank=3",
                assertThrows(IndexOutOfBoundsException.class, () -> assignment.blocksOf(3)).getMessage());
        assertThrows(IndexOutOfBoundsException.class, () -> assignment.blocksOf(-1));
        assertEquals("blockId must be in [0, 10): blockId=10",
                assertThrows(IndexOutOfBoundsException.class, () -> assignment.ownerOf(10)).getMessage());
        assertThrows(IndexOutOfBoundsException.class, () -> assignment.ownerOf(-1));
    }

    private interface RoundLaw {
        void check(Assignment before, Assignment after, FailedRanks failed);
    }

    /** Rounds of failures, now and then a proposal that is never committed in between. */
    private static void forAllRounds(RoundLaw law) {
        SeededLaw.holds(300, random -> {
            int peCount = 1 + random.nextInt(20);
            EqualLoadBalancer balancer = new EqualLoadBalancer(peCount, random.nextInt(500));
            FailedRanks failed = FailedRanks.NONE;
            for (int round = 0; round < 5; round++) {
                Assignment before = balancer.assignment();
                failed = Failures.moreThan(failed, peCount, random);
                law.check(before, balancer.rebalance(failed), failed);
                if (random.nextBoolean()) {
                    balancer.commit();
                }
            }
        });
    }
}
