package org.restorej.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Random;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.StoreRank;
import org.restorej.testing.Failures;

/** What every load balancer promises. */
final class AssignmentLaws {
    private AssignmentLaws() {}

    interface RoundLaw {
        void check(Assignment before, Assignment after, FailedRanks failed);
    }

    /** Five rounds of failures, now and then with a proposal that is never committed. */
    static void forEachRound(LoadBalancer balancer, Random random, RoundLaw law) {
        FailedRanks failed = FailedRanks.NONE;
        for (int round = 0; round < 5; round++) {
            Assignment before = balancer.assignment();
            failed = Failures.moreThan(failed, before.peCount(), random);
            law.check(before, balancer.rebalance(failed), failed);
            if (random.nextBoolean()) {
                balancer.commit();
            }
        }
    }

    static void everyBlockHasOneOwnerAlive(Assignment assignment, FailedRanks failed) {
        BlockRanges all = BlockRanges.EMPTY;
        long blocks = 0;
        for (int rank = 0; rank < assignment.peCount(); rank++) {
            BlockRanges own = assignment.blocksOf(StoreRank.of(rank));
            assertEquals(failed.contains(rank) ? BlockRanges.EMPTY : own, own, "failed rank " + rank);
            all = all.union(own);
            blocks += own.blockCount();
            for (BlockRange run : own.runs()) {
                assertEquals(StoreRank.of(rank), assignment.ownerOf(run.first()));
                assertEquals(StoreRank.of(rank), assignment.ownerOf(run.end() - 1));
            }
        }
        assertEquals(assignment.blockCount(), blocks);
        assertEquals(BlockRanges.of(0, assignment.blockCount()), all);
    }

    static void nothingOfTheLivingMoves(Assignment before, Assignment after, FailedRanks failed) {
        for (int rank : Failures.alive(failed, after.peCount())) {
            assertEquals(BlockRanges.EMPTY, before.blocksOf(rank).minus(after.blocksOf(rank)), "rank " + rank);
        }
    }

    /** Of two balancers alike, one makes a proposal more that is not committed: no difference afterwards. */
    static void aProposalLeavesNoTrace(LoadBalancer disturbed, LoadBalancer undisturbed, Random random) {
        int peCount = disturbed.assignment().peCount();
        FailedRanks first = Failures.someOf(peCount, random);
        commit(disturbed, first);
        commit(undisturbed, first);
        Assignment inForce = disturbed.assignment();

        FailedRanks second = Failures.moreThan(first, peCount, random);
        disturbed.rebalance(second);
        assertSame(inForce, disturbed.assignment());

        FailedRanks third = Failures.moreThan(second, peCount, random);
        assertSameAssignment(undisturbed.rebalance(third), disturbed.rebalance(third));
        disturbed.commit();
        undisturbed.commit();
        assertSameAssignment(undisturbed.assignment(), disturbed.assignment());
    }

    static void commit(LoadBalancer balancer, FailedRanks failed) {
        Assignment proposal = balancer.rebalance(failed);
        balancer.commit();
        assertSame(proposal, balancer.assignment());
    }

    static void assertSameAssignment(Assignment expected, Assignment actual) {
        for (int rank = 0; rank < expected.peCount(); rank++) {
            assertEquals(expected.blocksOf(rank), actual.blocksOf(rank), "rank " + rank);
        }
    }
}
