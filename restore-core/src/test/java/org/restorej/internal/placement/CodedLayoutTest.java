package org.restorej.internal.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.ints.IntLinkedOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntList;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.longs.Long2LongSortedMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;
import org.restorej.testing.SeededLaw;

class CodedLayoutTest {
    private static CodedLayout anyOf(Random random, int maxPes) {
        int pes = 2 + random.nextInt(maxPes - 1);
        int parts = 2 + random.nextInt(pes - 1);
        int dataParts = 1 + random.nextInt(parts - 1);
        long blocks = random.nextLong(300);
        long cellBlocks = 1 + random.nextLong(7);
        return new CodedLayout(new Placement(pes, CodedLayout.rowsOf(blocks, dataParts, cellBlocks), parts), dataParts,
                blocks, cellBlocks);
    }

    @Test
    void everyBlockHasAPositionOfItsOwn() {
        SeededLaw.holds(300, random -> {
            CodedLayout layout = anyOf(random, 9);
            LongSet positions = new LongOpenHashSet();
            for (long index = 0; index < layout.blockCount(); index++) {
                long position = layout.positionOf(index);
                assertTrue(positions.add(position), "a position of its own");
                assertEquals(index, layout.indexOf(position));
                assertTrue(layout.partOf(position) < layout.dataParts(), "a part of data");
                assertTrue(position < layout.dataEnd(position) && layout.dataEnd(position) <= layout.cellEnd(position));
                long run = layout.runAt(index);
                assertEquals(position + run - 1, layout.positionOf(index + run - 1));
            }
        });
    }

    @Test
    void theCellsOfARowAreOnDifferentPes() {
        SeededLaw.holds(300, random -> {
            CodedLayout layout = anyOf(random, 9);
            Placement placement = layout.placement();
            for (long row = 0; row < layout.rowCount(); row++) {
                IntSet holders = new IntOpenHashSet();
                for (int part = 0; part < layout.parts(); part++) {
                    long cell = layout.cell(row, part);
                    assertEquals(row, layout.rowOf(cell));
                    assertEquals(part, layout.partOf(cell));
                    assertEquals(row, layout.rowOf(layout.cellEnd(cell) - 1));
                    assertTrue(holders.add(placement.holder(placement.rangeOf(cell), part)), "a PE of its own");
                }
            }
        });
    }

    @Test
    void everyPeHasItsPartsInOneRunEach() {
        SeededLaw.holds(300, random -> {
            CodedLayout layout = anyOf(random, 9);
            Placement placement = layout.placement();
            ReplicaRing ring = new ReplicaRing(layout, 1 + random.nextInt(5), random.nextLong());
            ReplicaMap map = ReplicaMap.placedWithout(placement, ring, FailedRanks.NONE);
            long positions = 0;
            for (int rank = 0; rank < placement.peCount(); rank++) {
                var runs = map.runsHeldBy(rank);
                assertTrue(runs.size() <= layout.parts(), "one run for each part");
                for (var run : runs.long2LongEntrySet()) {
                    positions += run.getLongValue() - run.getLongKey();
                    assertEquals(layout.partOf(run.getLongKey()), layout.partOf(run.getLongValue() - 1));
                }
            }
            assertEquals(placement.blockCount(), positions);
        });
    }

    @Test
    void afterRepairsEveryPieceIsHeldByWhoHasARunOfIt() {
        SeededLaw.holds(300, random -> {
            CodedLayout layout = anyOf(random, 9);
            Placement placement = layout.placement();
            ReplicaRing ring = new ReplicaRing(layout, 1 + random.nextInt(5), random.nextLong());
            int[] failed = random.ints(random.nextInt(placement.peCount()), 0, placement.peCount()).distinct()
                    .toArray();
            ReplicaMap map = ReplicaMap.placedWithout(placement, ring, FailedRanks.of(failed));
            int[] holders = new int[placement.replication()];
            for (long first = 0; first < placement.blockCount(); first = map.end(first)) {
                assertEquals(1, map.holders(first, holders), "holders");
                var runs = map.runsHeldBy(holders[0]).headMap(first + 1);
                assertTrue(!runs.isEmpty() && runs.get(runs.lastLongKey()) >= map.end(first), "a run of it");
            }
            assertTrue(map.lostRuns().isEmpty(), "nothing is lost");
        });
    }

    /** In time that is linear in how many there were: at 4 to the power of that, this test never ended. */
    @Test
    void whatWasLostBeforeManyReplenishmentsStaysLost() {
        int pes = 64;
        long blocks = 8L * pes;
        CodedLayout layout = new CodedLayout(new Placement(pes, CodedLayout.rowsOf(blocks, 4, 1), 6), 4, blocks, 1);
        ReplicaMap map = ReplicaMap.placedWithout(layout.placement(), new ReplicaRing(layout, 3, 1), FailedRanks.NONE);
        FailedRanks failed = FailedRanks.NONE;
        long lostBefore = 0;
        for (int event = 0; event < 15; event++) {
            FailedRanks victims = FailedRanks.of(threeHoldersOfAWholeRow(map, layout));
            map = map.lost(victims);
            failed = failed.union(victims);
            long lost = positions(map.lostRuns());
            assertTrue(lost > lostBefore, "three parts of a row that had all are lost");
            map = map.replenished(failed);
            assertEquals(lost, positions(map.lostRuns()), "what is lost stays lost");
            lostBefore = lost;
        }
    }

    private static int[] threeHoldersOfAWholeRow(ReplicaMap map, CodedLayout layout) {
        int[] holder = new int[layout.parts()];
        for (int range = 0; range < layout.placement().peCount(); range++) {
            IntSet holders = new IntLinkedOpenHashSet();
            for (int part = 0; part < layout.parts(); part++) {
                int found = map.holders(layout.cell(layout.firstRow(range), part), holder);
                holders.addAll(IntList.of(holder).subList(0, found));
            }
            if (holders.size() == layout.parts()) {
                return holders.intStream().limit(3).toArray();
            }
        }
        throw new AssertionError("no row has all of its parts on PEs of their own");
    }

    private static long positions(Long2LongSortedMap runs) {
        return runs.long2LongEntrySet().stream().mapToLong(run -> run.getLongValue() - run.getLongKey()).sum();
    }

    @Test
    void positionsAreThoseOfIds() {
        SeededLaw.holds(200, random -> {
            CodedLayout layout = anyOf(random, 6);
            CodedPositions positions = new CodedPositions(
                    RangePermutation.feistel(layout.blockCount(), 1 + random.nextInt(20), random.nextLong()), layout);
            LongSet ids = new LongOpenHashSet();
            for (BlockRange run : positions.blocksAt(0, layout.placement().blockCount())) {
                for (long id = run.first(); id < run.end(); id++) {
                    assertTrue(ids.add(id), "once");
                    assertEquals(id, positions.blockAt(positions.positionOf(id)));
                    long together = positions.runAt(id);
                    assertEquals(positions.positionOf(id) + together - 1, positions.positionOf(id + together - 1));
                }
            }
            assertEquals(layout.blockCount(), ids.size());
        });
    }

    @Test
    void saysWhatIsWrong() {
        assertSays(assertThrows(IllegalArgumentException.class,
                () -> new CodedLayout(new Placement(3, 4, 3), 3, 12, 1)), "dataParts must be in 1..2",
                "dataParts=3");
        assertSays(assertThrows(IllegalArgumentException.class,
                () -> new CodedLayout(new Placement(3, 4, 3), 2, 12, 0)), "cellBlocks=0");
        assertSays(assertThrows(IllegalArgumentException.class,
                () -> new CodedLayout(new Placement(3, 4, 3), 2, 12, 1)), "rows must be 6", "rows=4");
    }
}
