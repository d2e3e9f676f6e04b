package org.restorej.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;
import org.restorej.placement.StoreRank;
import org.restorej.testing.Failures;
import org.restorej.testing.SeededLaw;

class EqualLoadBalancerTest {
    @Test
    void atFirstEveryPeWorksOnTheBlocksOfItsRange() {
        SeededLaw.holds(200, random -> {
            int peCount = 1 + random.nextInt(20);
            int blockCount = random.nextInt(100);
            Placement placement = new Placement(peCount, blockCount, 1);
            Assignment assignment = LoadBalancer.equal(peCount, blockCount).assignment();
            assertEquals(peCount, assignment.peCount());
            assertEquals(blockCount, assignment.blockCount());
            for (int rank = 0; rank < peCount; rank++) {
                assertEquals(BlockRanges.of(placement.firstPosition(rank), placement.blocksIn(rank)),
                        assignment.blocksOf(rank));
            }
        });
    }

    @Test
    void handsOutTheBlocksOfAFailedPeInAscendingOrder() {
        LoadBalancer balancer = LoadBalancer.equal(4, 12);
        Assignment after = balancer.rebalance(FailedRanks.of(1));
        assertEquals(BlockRanges.of(0, 4), after.blocksOf(0));
        assertEquals(BlockRanges.EMPTY, after.blocksOf(1));
        assertEquals(BlockRanges.of(BlockRange.of(4, 1), BlockRange.of(6, 3)), after.blocksOf(2));
        assertEquals(BlockRanges.of(BlockRange.of(5, 1), BlockRange.of(9, 3)), after.blocksOf(3));
    }

    @Test
    void everyBlockHasOneOwnerAfterAnyNumberOfRounds() {
        forAllRounds((before, after, failed) -> AssignmentLaws.everyBlockHasOneOwnerAlive(after, failed));
    }

    @Test
    void theFailedHaveNothingAndTheLivingEqualSharesGiveOrTakeOneBlock() {
        forAllRounds((before, after, failed) -> {
            long share = after.blockCount() / (after.peCount() - failed.size());
            for (int rank = 0; rank < after.peCount(); rank++) {
                long load = after.blocksOf(rank).blockCount();
                if (failed.contains(rank)) {
                    assertEquals(0, load, "failed rank " + rank);
                } else {
                    assertTrue(load == share || load == share + 1, "rank " + rank + " has " + load + ", not " + share);
                }
            }
        });
    }

    @Test
    void nothingOfTheLivingMoves() {
        forAllRounds(AssignmentLaws::nothingOfTheLivingMoves);
    }

    @Test
    void aProposalThatIsNotCommittedLeavesNoTrace() {
        SeededLaw.holds(200, random -> {
            int peCount = 2 + random.nextInt(20);
            int blockCount = random.nextInt(500);
            AssignmentLaws.aProposalLeavesNoTrace(LoadBalancer.equal(peCount, blockCount),
                    LoadBalancer.equal(peCount, blockCount), random);
        });
    }

    @Test
    void theSameFailuresAgainMoveNothing() {
        SeededLaw.holds(100, random -> {
            int peCount = 2 + random.nextInt(20);
            LoadBalancer balancer = LoadBalancer.equal(peCount, random.nextInt(500));
            FailedRanks failed = Failures.someOf(peCount, random);
            AssignmentLaws.commit(balancer, failed);
            AssignmentLaws.assertSameAssignment(balancer.assignment(), balancer.rebalance(failed));
        });
    }

    @Test
    void theLastPeAliveGetsEverything() {
        LoadBalancer balancer = LoadBalancer.equal(5, 17);
        Assignment after = balancer.rebalance(FailedRanks.of(0, 1, 2, 4));
        assertEquals(BlockRanges.of(0, 17), after.blocksOf(3));
        assertEquals(1, after.runCount());
    }

    @Test
    void memoryGrowsWithRunsAndNotWithBlocks() {
        LoadBalancer balancer = LoadBalancer.equal(1000, 1_000_000_000_000L);
        Assignment after = balancer.rebalance(FailedRanks.of(10, 20, 999));
        assertTrue(after.runCount() < 3000, () -> after.runCount() + " runs");
        assertEquals(StoreRank.of(998), after.ownerOf(1_000_000_000_000L - 1));
    }

    @Test
    void wrongFailedRanksAreNamedWithRuleAndValue() {
        LoadBalancer balancer = LoadBalancer.equal(3, 10);
        assertEquals("failedRanks must be below 3, the number of PEs: failedRanks={1, 3}",
                assertThrows(IllegalArgumentException.class, () -> balancer.rebalance(FailedRanks.of(1, 3)))
                        .getMessage());
        assertEquals("failedRanks must leave a PE alive: all 3 have failed",
                assertThrows(IllegalArgumentException.class, () -> balancer.rebalance(FailedRanks.of(0, 1, 2)))
                        .getMessage());
        assertEquals("peCount must be at least 1: peCount=0",
                assertThrows(IllegalArgumentException.class, () -> LoadBalancer.equal(0, 10)).getMessage());
        assertEquals("blockCount must be at least 0: blockCount=-1",
                assertThrows(IllegalArgumentException.class, () -> LoadBalancer.equal(3, -1)).getMessage());
    }

    @Test
    void aCommitWithoutAProposalIsRejected() {
        LoadBalancer balancer = LoadBalancer.equal(3, 10);
        assertThrows(IllegalStateException.class, balancer::commit);
        AssignmentLaws.commit(balancer, FailedRanks.of(1));
        assertThrows(IllegalStateException.class, balancer::commit);
    }

    @Test
    void unknownRanksAndBlocksAreNamed() {
        Assignment assignment = LoadBalancer.equal(3, 10).assignment();
        assertEquals("storeRank must be in [0, 3): storeRank=3",
                assertThrows(IndexOutOfBoundsException.class, () -> assignment.blocksOf(3)).getMessage());
        assertThrows(IndexOutOfBoundsException.class, () -> assignment.blocksOf(-1));
        assertEquals("blockId must be in [0, 10): blockId=10",
                assertThrows(IndexOutOfBoundsException.class, () -> assignment.ownerOf(10)).getMessage());
        assertThrows(IndexOutOfBoundsException.class, () -> assignment.ownerOf(-1));
    }

    /** Loads of the living under an assignment. */
    private static long[] loads(Assignment assignment, FailedRanks failed) {
        return java.util.Arrays.stream(Failures.alive(failed, assignment.peCount()))
                .mapToLong(rank -> assignment.blocksOf(rank).blockCount()).toArray();
    }

    @Test
    void anUnequalBeginningIsKeptAndTheBlocksOfTheFailedGoToThoseWithTheFewest() {
        LoadBalancer balancer = LoadBalancer.equal(assignment(10, 1, 7, 3, 0));
        assertEquals(BlockRanges.of(11, 7), balancer.assignment().blocksOf(2));
        Assignment after = balancer.rebalance(FailedRanks.of(2));
        // Seven blocks to loads 1, 3 and 0: eleven make 4, 4 and 3.
        assertEquals(BlockRanges.of(0, 10), after.blocksOf(0));
        assertEquals(BlockRanges.of(10, 4), after.blocksOf(1));
        assertEquals(BlockRanges.of(BlockRange.of(14, 1), BlockRange.of(18, 3)), after.blocksOf(3));
        assertEquals(BlockRanges.of(15, 3), after.blocksOf(4));
    }

    @Test
    void whoeverGetsBlocksComesToTheSameHighestNumber() {
        SeededLaw.holds(300, random -> {
            LoadBalancer balancer = LoadBalancer.equal(
                    assignment(random.longs(1 + random.nextInt(12), 0, 40).toArray()));
            AssignmentLaws.forEachRound(balancer, random, (before, after, failed) -> {
                AssignmentLaws.everyBlockHasOneOwnerAlive(after, failed);
                AssignmentLaws.nothingOfTheLivingMoves(before, after, failed);
                long[] had = loads(before, failed);
                long[] has = loads(after, failed);
                long most = 0;
                long least = Long.MAX_VALUE;
                for (int i = 0; i < has.length; i++) {
                    most = has[i] > had[i] ? Math.max(most, has[i]) : most;
                    least = Math.min(least, has[i]);
                }
                assertTrue(most <= least + 1, () -> java.util.Arrays.toString(had) + " became "
                        + java.util.Arrays.toString(has));
            });
        });
    }

    private static Assignment assignment(long... blocksPerPe) {
        Assignment.Builder builder = new Assignment.Builder(blocksPerPe.length);
        for (int rank = 0; rank < blocksPerPe.length; rank++) {
            builder.give(rank, blocksPerPe[rank]);
        }
        return builder.build();
    }

    private static void forAllRounds(AssignmentLaws.RoundLaw law) {
        SeededLaw.holds(300, random -> AssignmentLaws
                .forEachRound(LoadBalancer.equal(1 + random.nextInt(20), random.nextInt(500)), random, law));
    }
}
