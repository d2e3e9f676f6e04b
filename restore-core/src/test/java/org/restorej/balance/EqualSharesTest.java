package org.restorej.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.restorej.placement.FailedRanks;
import org.restorej.testing.SeededLaw;

/** Equal shares that are computed, beside those that are made run by run. */
class EqualSharesTest {
    private static Assignment stored(int peCount, long blocks) {
        Assignment.Builder builder = new Assignment.Builder(peCount);
        for (int rank = 0; rank < peCount; rank++) {
            builder.give(rank, blocks / peCount + (rank < blocks % peCount ? 1 : 0));
        }
        return builder.build();
    }

    private static void assertSameShares(Assignment expected, Assignment actual, String where) {
        assertEquals(expected.peCount(), actual.peCount(), where);
        assertEquals(expected.blockCount(), actual.blockCount(), where);
        for (int rank = 0; rank < expected.peCount(); rank++) {
            assertEquals(expected.blocksOf(rank), actual.blocksOf(rank), where + ": rank " + rank);
        }
        for (long block = 0; block < expected.blockCount(); block++) {
            assertEquals(expected.ownerOf(block), actual.ownerOf(block), where + ": block " + block);
        }
        assertEquals(expected.runCount(), actual.runCount(), where);
        for (int run = 0; run < expected.runCount(); run++) {
            assertEquals(expected.runFirst(run), actual.runFirst(run), where);
            assertEquals(expected.runEnd(run), actual.runEnd(run), where);
            assertEquals(expected.runOwner(run), actual.runOwner(run), where);
        }
    }

    @Test
    void areThoseThatSharingRunByRunComesTo() {
        SeededLaw.holds(300, random -> {
            int peCount = 1 + random.nextInt(random.nextBoolean() ? 6 : 40);
            long blocks = random.nextInt(random.nextBoolean() ? 3 * peCount : 400);
            LoadBalancer computed = LoadBalancer.equal(peCount, blocks);
            LoadBalancer expected = LoadBalancer.equal(stored(peCount, blocks));
            assertSameShares(expected.assignment(), computed.assignment(), "everybody alive");
            IntAVLTreeSet failed = new IntAVLTreeSet();
            while (failed.size() < peCount - 1) {
                addSome(failed, peCount, random);
                FailedRanks ranks = FailedRanks.of(failed.toIntArray());
                expected.rebalance(ranks);
                computed.rebalance(ranks);
                expected.commit();
                computed.commit();
                assertInstanceOf(EqualShares.class, computed.assignment().shares());
                assertSameShares(expected.assignment(), computed.assignment(),
                        blocks + " blocks of " + peCount + " PEs without " + ranks);
            }
        });
    }

    private static void addSome(IntAVLTreeSet failed, int peCount, Random random) {
        int more = 1 + random.nextInt(1 + (peCount - failed.size() - 1) / 3);
        while (more > 0 && failed.size() < peCount - 1) {
            more -= failed.add(random.nextInt(peCount)) ? 1 : 0;
        }
    }

    @Test
    void aRankThatIsBackGetsItsPartAgain() {
        LoadBalancer computed = LoadBalancer.equal(5, 103);
        LoadBalancer expected = LoadBalancer.equal(stored(5, 103));
        for (FailedRanks failed : new FailedRanks[]{FailedRanks.of(1, 3), FailedRanks.of(1), FailedRanks.of(0, 1)}) {
            assertSameShares(expected.rebalance(failed), computed.rebalance(failed), failed.toString());
            expected.commit();
            computed.commit();
        }
    }

    @Test
    void withoutNewFailuresNothingChanges() {
        LoadBalancer balancer = LoadBalancer.equal(4, 10);
        assertSame(balancer.assignment(), balancer.rebalance(FailedRanks.NONE));
    }

    /** Sixty-four failures, one after the other: as runs they would be gigabytes. */
    @Test
    void areSmallWithAMillionPes() {
        int peCount = 1_000_000;
        LoadBalancer balancer = LoadBalancer.equal(peCount, 300_000_000_000_000L);
        IntAVLTreeSet failed = new IntAVLTreeSet();
        for (int failure = 0; failure < 64; failure++) {
            failed.add(failure * 15_625 + 7);
            balancer.rebalance(FailedRanks.of(failed.toIntArray()));
            balancer.commit();
        }
        Assignment shares = balancer.assignment();
        long mean = shares.blockCount() / (peCount - 64);
        for (int rank : new int[]{0, 6, 8, 500_000, peCount - 1}) {
            long blocks = shares.blocksOf(rank).blockCount();
            assertTrue(blocks == mean || blocks == mean + 1, () -> "rank " + rank + " has " + blocks);
            assertEquals(rank, shares.ownerOf(shares.blocksOf(rank).blockAt(blocks - 1)).value());
        }
    }
}
