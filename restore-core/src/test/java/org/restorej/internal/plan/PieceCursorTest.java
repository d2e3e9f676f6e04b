package org.restorej.internal.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.internal.placement.RangePermutation;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.SegmentPool;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;
import org.restorej.testing.SeededLaw;

class PieceCursorTest {
    private record Piece(long position, long count, long slot) {}

    @Test
    void cutsARunWhereBlockRangesMeet() {
        ReplicaMap replicaMap = replicaMap(new Placement(8, 66, 3), 4, FailedRanks.NONE);
        assertEquals(List.of(new Piece(5, 4, 100), new Piece(9, 9, 104), new Piece(18, 2, 113)),
                pieces(RangePermutation.identity(66), replicaMap, 5, 15, 100));
    }

    @Test
    void piecesCoverARunExactlyAndLieInOnePieceEach() {
        SeededLaw.holds(1000, random -> {
            Scenario scenario = Scenario.random(random);
            RangePermutation permutation = scenario.permutation();
            ReplicaMap replicaMap = scenario.replicaMap();
            long blockCount = replicaMap.placement().blockCount();
            long first = random.nextLong(blockCount + 1);
            long count = random.nextLong(blockCount - first + 1);
            long block = first;
            for (Piece piece : pieces(permutation, replicaMap, first, count, 1000)) {
                assertTrue(piece.count() > 0);
                assertEquals(1000 + block - first, piece.slot());
                int range = replicaMap.placement().rangeOf(piece.position());
                for (long i = 0; i < piece.count(); i++) {
                    long position = piece.position() + i;
                    assertEquals(position, permutation.positionOf(block++));
                    assertEquals(range, replicaMap.placement().rangeOf(position));
                    assertEquals(replicaMap.end(piece.position()), replicaMap.end(position));
                }
            }
            assertEquals(first + count, block);
        });
    }

    @Test
    void whatIsSentToAHolderLiesInOneRunOfItsMemory() {
        SeededLaw.holds(500, random -> {
            Scenario scenario = Scenario.random(random);
            ReplicaMap replicaMap = scenario.replicaMap();
            Placement placement = replicaMap.placement();
            PieceTable.Builder builder = new PieceTable.Builder();
            int[] holders = new int[placement.replication()];
            PieceCursor piece = new PieceCursor(scenario.directory());
            piece.begin(0, placement.blockCount(), 0);
            while (piece.next()) {
                int holderCount = piece.holders(holders);
                for (int i = 0; i < holderCount; i++) {
                    builder.add(holders[i], piece.position(), piece.count(), piece.slot());
                }
            }
            PieceTable table = builder.build(placement.peCount());
            for (int group = 0; group < table.peerCount(); group++) {
                try (ReplicaMemory memory = ReplicaMemory.allocate(replicaMap, table.peer(group), 1,
                        scenario.directory().grid(),
                        new SegmentPool())) {
                    long blocks = 0;
                    for (int index = table.start(group); index < table.start(group + 1); index++) {
                        assertTrue(memory.contains(table.position(index), table.count(index)));
                        blocks += table.count(index);
                    }
                    assertEquals(memory.bytes(), blocks);
                }
            }
        });
    }

    private static List<Piece> pieces(RangePermutation permutation, ReplicaMap replicaMap, long first, long count,
            long slot) {
        List<Piece> pieces = new ArrayList<>();
        PieceCursor piece = new PieceCursor(new Scenario(permutation, replicaMap).directory());
        piece.begin(first, count, slot);
        while (piece.next()) {
            pieces.add(new Piece(piece.position(), piece.count(), piece.slot()));
        }
        return pieces;
    }

    private static ReplicaMap replicaMap(Placement placement, int pieces, FailedRanks failed) {
        return ReplicaMap.placedWithout(placement, new ReplicaRing(placement, pieces, 1), failed);
    }
}
