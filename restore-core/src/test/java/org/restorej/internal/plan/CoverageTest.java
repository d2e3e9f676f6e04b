package org.restorej.internal.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.internal.placement.RangePermutation;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;
import org.restorej.testing.SeededLaw;

class CoverageTest {
    @Test
    void nothingIsFaultyWhenEachBlockArrivesOnce() {
        SeededLaw.holds(300, random -> {
            Scenario scenario = Scenario.random(random);
            long blocks = scenario.replicaMap().placement().blockCount();
            for (Coverage coverage : submitted(scenario, runsOf(0, blocks, random))) {
                assertTrue(coverage.twice().isEmpty(), () -> "twice: " + coverage.twice());
                assertTrue(coverage.missing().isEmpty(), () -> "missing: " + coverage.missing());
            }
        });
    }

    @Test
    void everyFaultyBlockIsNamedByTheFirstHolderOfItsPartAndByNobodyElse() {
        SeededLaw.holds(1000, random -> {
            Scenario scenario = Scenario.random(random);
            long blocks = scenario.replicaMap().placement().blockCount();
            List<Long> missing = random.longs(random.nextInt(5), 0, Math.max(1, blocks)).boxed().toList();
            List<Long> twice = random.longs(random.nextInt(5), 0, Math.max(1, blocks)).boxed()
                    .filter(block -> block < blocks && !missing.contains(block)).distinct().toList();
            List<BlockRange> runs = new ArrayList<>();
            runsOf(0, blocks, random).forEach(run -> LongStream.range(run.first(), run.end())
                    .filter(block -> !missing.contains(block)).forEach(block -> runs.add(BlockRange.of(block, 1))));
            twice.forEach(block -> runs.add(BlockRange.of(block, 1)));
            List<Coverage> coverages = submitted(scenario, runs);
            for (int rank = 0; rank < coverages.size(); rank++) {
                LongPredicate watched = watchedBy(scenario, rank);
                assertEquals(named(missing, block -> block < blocks && watched.test(block)),
                        coverages.get(rank).missing().toString());
                assertEquals(named(twice, watched), coverages.get(rank).twice().toString());
            }
        });
    }

    private static String named(List<Long> blocks, LongPredicate watched) {
        return BlockRanges.of(blocks.stream().filter(watched::test).map(block -> BlockRange.of(block, 1)).toList())
                .toString();
    }

    private static LongPredicate watchedBy(Scenario scenario, int rank) {
        ReplicaMap replicaMap = scenario.replicaMap();
        int[] holders = new int[replicaMap.placement().replication()];
        return block -> {
            long position = scenario.permutation().positionOf(block);
            replicaMap.holders(position, holders);
            return holders[0] == rank;
        };
    }

    @Test
    void runsThatTouchWordsOfBitsInAnyWayAreSeenExactly() {
        for (int first : new int[]{0, 1, 62, 63, 64, 65, 127, 128, 129}) {
            for (int count : new int[]{1, 2, 62, 63, 64, 65, 66, 127, 128, 129, 192}) {
                Coverage coverage = onePe(400);
                coverage.mark(first, count);
                assertEquals(BlockRanges.of(0, 400).minus(BlockRanges.of(first, count)).toString(),
                        coverage.missing().toString());
                assertTrue(coverage.twice().isEmpty());
                coverage.mark(0, 400);
                assertEquals(BlockRanges.of(first, count).toString(), coverage.twice().toString());
                assertTrue(coverage.missing().isEmpty());
            }
        }
    }

    @Test
    void aRangeThatFillsItsWordsHasNothingMissingBehindItsEnd() {
        for (int blocks : new int[]{1, 63, 64, 65, 127, 128, 129}) {
            Coverage coverage = onePe(blocks);
            assertEquals(BlockRanges.of(0, blocks).toString(), coverage.missing().toString());
            coverage.mark(0, blocks);
            assertTrue(coverage.missing().isEmpty());
        }
    }

    @Test
    void bigRunsAreNamedAsOne() {
        Coverage coverage = onePe(1_000_000);
        coverage.mark(10, 3);
        assertEquals("{0..9, 13..999999}", coverage.missing().toString());
        coverage.mark(0, 1_000_000);
        coverage.mark(5, 700_000);
        assertEquals("{5..700004}", coverage.twice().toString());
    }

    @Test
    void aBlockThatArrivesThreeTimesIsNamedAlone() {
        Coverage coverage = onePe(100);
        for (int times = 0; times < 3; times++) {
            coverage.mark(42, 1);
        }
        assertEquals("{42}", coverage.twice().toString());
    }

    @Test
    void manyFaultyRunsAreCountedAndSomeNamed() {
        Coverage coverage = onePe(100);
        for (int block = 0; block < 100; block += 3) {
            coverage.mark(block, 1);
        }
        assertEquals("{1..2, 4..5, 7..8, 10..11, 13..14, 16..17, 19..20, 22..23} and others, 66 in all",
                coverage.missing().toString());
    }

    @Test
    void aRunOfPositionsIsNamedByItsBlocks() {
        RangePermutation permutation = RangePermutation.feistel(40, 10, 5);
        Placement placement = new Placement(1, 40, 1);
        Coverage coverage = new Coverage(intact(placement), permutation, 0);
        coverage.mark(permutation.positionOf(0), 10);
        coverage.mark(permutation.positionOf(23), 4);
        coverage.mark(permutation.positionOf(30), 10);
        assertEquals("{10..22, 27..29}", coverage.missing().toString());
        coverage.mark(permutation.positionOf(5), 2);
        assertEquals("{5..6}", coverage.twice().toString());
    }

    @Test
    void aRunThatEndsWithinARangeOfPositionsIsNamedNoFurther() {
        RangePermutation permutation = RangePermutation.feistel(40, 10, 5);
        Coverage coverage = new Coverage(intact(new Placement(1, 40, 1)), permutation, 0);
        coverage.mark(0, 40);
        coverage.mark(0, 15);
        assertEquals(BlockRanges.of(List.of(BlockRange.of(permutation.blockAt(0), 10),
                BlockRange.of(permutation.blockAt(10), 5))).toString(), coverage.twice().toString());
    }

    @Test
    void whoWatchesNothingComplainsAboutNothing() {
        Placement placement = new Placement(2, 1, 2);
        Coverage coverage = new Coverage(intact(placement), RangePermutation.identity(1), 1);
        coverage.mark(0, 1);
        coverage.mark(0, 1);
        assertTrue(coverage.twice().isEmpty());
        assertTrue(coverage.missing().isEmpty());
        assertFalse(new Coverage(intact(placement), RangePermutation.identity(1), 0).missing().isEmpty());
    }

    @Test
    void aComplaintNamesWhatCameTwiceAndWhatNeverCame() {
        Coverage coverage = onePe(100);
        coverage.mark(0, 100);
        assertEquals(Optional.empty(), coverage.complaint());
        assertEquals(Optional.empty(), coverage.complaintOfTwice());
        coverage.mark(7, 2);
        assertEquals(Optional.of("blocks submitted more than once: {7..8}"), coverage.complaint());
        Coverage withGap = onePe(100);
        withGap.mark(0, 90);
        assertEquals(Optional.of("blocks submitted by no PE: {90..99}"), withGap.complaint());
        assertEquals(Optional.empty(), withGap.complaintOfTwice());
        withGap.mark(3, 1);
        assertEquals(Optional.of("blocks submitted more than once: {3}; blocks submitted by no PE: {90..99}"),
                withGap.complaint());
        assertEquals(Optional.of("blocks submitted more than once: {3}"), withGap.complaintOfTwice());
    }

    private static Coverage onePe(long blockCount) {
        return new Coverage(intact(new Placement(1, blockCount, 1)), RangePermutation.identity(blockCount), 0);
    }

    private static ReplicaMap intact(Placement placement) {
        return ReplicaMap.placedWithout(placement, new ReplicaRing(placement, 3, 1), FailedRanks.NONE);
    }

    /** Cuts blocks into runs, in any order. */
    private static List<BlockRange> runsOf(long first, long end, Random random) {
        List<BlockRange> runs = new ArrayList<>();
        long next = first;
        while (next < end) {
            long count = Math.min(end - next, 1 + random.nextInt(100));
            runs.add(random.nextInt(runs.size() + 1), BlockRange.of(next, count));
            next += count;
        }
        return runs;
    }

    /** What each PE has seen after one PE has submitted these runs. */
    private static List<Coverage> submitted(Scenario scenario, List<BlockRange> runs) {
        ReplicaMap replicaMap = scenario.replicaMap();
        int peCount = replicaMap.placement().peCount();
        PieceTable.Builder builder = new PieceTable.Builder();
        int[] holders = new int[replicaMap.placement().replication()];
        PieceCursor piece = new PieceCursor(scenario.directory());
        long slot = 0;
        for (BlockRange run : runs) {
            piece.begin(run.first(), run.count(), slot);
            while (piece.next()) {
                int holderCount = piece.holders(holders);
                for (int i = 0; i < holderCount; i++) {
                    builder.add(holders[i], piece.position(), piece.count(), piece.slot());
                }
            }
            slot += run.count();
        }
        PieceTable table = builder.build(peCount);
        List<Coverage> coverages = new ArrayList<>();
        for (int rank = 0; rank < peCount; rank++) {
            coverages.add(new Coverage(replicaMap, scenario.permutation(), rank));
        }
        for (int group = 0; group < table.peerCount(); group++) {
            for (int index = table.start(group); index < table.start(group + 1); index++) {
                coverages.get(table.peer(group)).mark(table.position(index), table.count(index));
            }
        }
        return coverages;
    }
}
