package org.restorej.internal.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;
import org.restorej.testing.SeededLaw;

class ChunkGridTest {
    @Test
    void chunksCoverAllPositionsAndAreCutAtEveryPieceAndPermutationRange() {
        SeededLaw.holds(500, random -> {
            Placement placement = new Placement(1 + random.nextInt(8), 1 + random.nextInt(300), 1);
            ReplicaRing ring = new ReplicaRing(placement, 1 + random.nextInt(6), 1);
            ChunkGrid grid = new ChunkGrid(ring, 1 + random.nextInt(20));
            long blocks = placement.blockCount();
            List<Long> firsts = new ArrayList<>();
            for (long position = 0; position < blocks; position++) {
                if (isCut(grid, position)) {
                    firsts.add(position);
                }
                assertEquals(firsts.getLast(), grid.chunkFirst(position));
            }
            firsts.add(blocks);
            for (int chunk = 0; chunk + 1 < firsts.size(); chunk++) {
                for (long position = firsts.get(chunk); position < firsts.get(chunk + 1); position++) {
                    assertEquals(Math.min(blocks, firsts.get(chunk + 1)), Math.min(blocks, grid.chunkEnd(position)));
                }
            }
        });
    }

    @Test
    void theChunksBetweenPositionsOfAPieceAreCounted() {
        SeededLaw.holds(200, random -> {
            Placement placement = new Placement(1 + random.nextInt(4), 1 + random.nextInt(100), 1);
            ChunkGrid grid = new ChunkGrid(new ReplicaRing(placement, 1 + random.nextInt(4), 1),
                    1 + random.nextInt(12));
            for (long first = 0; first < placement.blockCount(); first++) {
                int chunks = 0;
                for (long position = first; position < grid.pieceEnd(first); position++) {
                    chunks += position > first && isCut(grid, position) ? 1 : 0;
                    assertEquals(chunks, grid.chunksBetween(first, position));
                }
            }
        });
    }

    private static boolean isCut(ChunkGrid grid, long position) {
        Placement placement = grid.ring().placement();
        int range = placement.rangeOf(position);
        boolean pieceBegins = false;
        for (int piece = 0; piece < grid.ring().pieces(); piece++) {
            pieceBegins |= grid.ring().firstPosition(range, piece) == position;
        }
        return pieceBegins || position % grid.chunkBlocks() == 0;
    }

    @Test
    void aChunkHasAtLeastOneBlock() {
        ReplicaRing ring = new ReplicaRing(new Placement(2, 10, 1), 2, 1);
        assertEquals("chunkBlocks must be at least 1: chunkBlocks=0",
                assertThrows(IllegalArgumentException.class, () -> new ChunkGrid(ring, 0)).getMessage());
    }

    @Test
    void damagedReplicasAreForgottenWithTheirHoldersAndWhenRepaired() {
        DamagedReplicas damaged = new DamagedReplicas.Builder(DamagedReplicas.NONE).add(8, 1).add(8, 3).add(20, 1)
                .build();
        assertEquals(3, damaged.count());
        assertTrue(damaged.toString().contains("20"), damaged::toString);
        assertTrue(damaged.contains(8, 3) && !damaged.contains(8, 2) && !damaged.contains(9, 3));
        DamagedReplicas left = damaged.without(FailedRanks.of(1));
        assertEquals(1, left.count());
        assertTrue(left.contains(8, 3));
        assertTrue(DamagedReplicas.everywhere(LongSet.of()).isEmpty());
        DamagedReplicas irreparable = DamagedReplicas.everywhere(LongSet.of(8));
        assertEquals(1, irreparable.count());
        assertTrue(irreparable.contains(8, 7), "a chunk that nobody has a sound replica of is damaged everywhere");
        assertEquals(4,
                damaged.and(new DamagedReplicas.Builder(DamagedReplicas.NONE).add(8, 1).add(30, 0).build()).count());
    }
}
