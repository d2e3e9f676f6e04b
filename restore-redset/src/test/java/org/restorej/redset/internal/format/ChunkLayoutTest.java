package org.restorej.redset.internal.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.restorej.redset.Scheme;

class ChunkLayoutTest {
    @Test
    void numbersChunksAndChecksumsAsTheSpecificationCountsThem() {
        for (int ranks = 2; ranks <= 20; ranks++) {
            for (int checksums = 1; checksums < ranks; checksums++) {
                ChunkLayout layout = new ChunkLayout(ranks, checksums);
                for (int rank = 0; rank < ranks; rank++) {
                    int chunks = 0;
                    for (int row = 0; row < ranks; row++) {
                        int checksum = Math.floorMod(row - rank, ranks);
                        boolean holds = checksum < checksums;
                        assertEquals(holds ? checksum : -1, layout.checksumAt(row, rank));
                        assertEquals(holds ? -1 : chunks, layout.chunkAt(row, rank));
                        chunks += holds ? 0 : 1;
                        if (holds) {
                            assertEquals(rank, layout.holderOfChecksum(row, checksum));
                        }
                    }
                    assertEquals(layout.dataChunks(), chunks);
                }
            }
        }
    }

    @Test
    void placesXorChunksAsTheSpecificationSays() {
        ChunkLayout layout = Scheme.xor() instanceof Scheme.Coded xor ? ChunkLayout.of(xor, 5) : null;
        for (int rank = 0; layout != null && rank < 5; rank++) {
            for (int row = 0; row < 5; row++) {
                int expected = row == rank ? -1 : row < rank ? row : row - 1;
                assertEquals(expected, layout.chunkAt(row, rank));
            }
        }
    }

    @Test
    void chunksHoldTheLongestFileAndAtLeastOneByte() {
        ChunkLayout layout = new ChunkLayout(4, 1);
        assertEquals(1, layout.chunkBytes(0));
        assertEquals(1, layout.chunkBytes(3));
        assertEquals(2, layout.chunkBytes(4));
        assertEquals(27_311, layout.chunkBytes(81_931));
        assertEquals((1L << 40) / 3 + 1, layout.chunkBytes(1L << 40));
    }

    @Test
    void knowsWhatEachSchemeCanBear() {
        assertTrue(Scheme.single().canRebuild(missing(), 1));
        assertEquals(false, Scheme.single().canRebuild(missing(0), 1));
        assertTrue(Scheme.xor().canRebuild(missing(2), 4));
        assertEquals(false, Scheme.xor().canRebuild(missing(1, 2), 4));
        assertTrue(Scheme.rs(2).canRebuild(missing(0, 3), 4));
        assertEquals(false, Scheme.rs(2).canRebuild(missing(0, 1, 3), 4));
        assertTrue(Scheme.partner(1).canRebuild(missing(0, 2), 4));
        assertEquals(false, Scheme.partner(1).canRebuild(missing(3, 0), 4));
        assertTrue(Scheme.partner(2).canRebuild(missing(3, 0), 4));
        assertEquals(false, Scheme.partner(2).canRebuild(missing(3, 0, 1), 4));
    }

    @Test
    void refusesNumbersThatNoSetCanHave() {
        assertSays(assertThrows(IllegalArgumentException.class, () -> Scheme.rs(0)), "checksums=0");
        assertSays(assertThrows(IllegalArgumentException.class, () -> Scheme.rs(128)), "[1, 127]");
        assertSays(assertThrows(IllegalArgumentException.class, () -> Scheme.partner(0)), "replicas=0");
        assertSays(assertThrows(IllegalArgumentException.class, () -> Scheme.rs(2).checkSetOf(2)), "at least 3",
                "ranks=2");
        assertSays(assertThrows(IllegalArgumentException.class, () -> Scheme.rs(2).checkSetOf(255)), "at most 254");
        assertSays(assertThrows(IllegalArgumentException.class, () -> Scheme.xor().checkSetOf(1)), "at least 2");
        Scheme.rs(127).checkSetOf(128);
        Scheme.rs(127).checkSetOf(129);
        Scheme.rs(2).checkSetOf(254);
    }

    private static BitSet missing(int... ranks) {
        BitSet set = new BitSet();
        for (int rank : ranks) {
            set.set(rank);
        }
        return set;
    }

    @Test
    void refusesSetsThatTheSchemeCanNotHave() {
        Scheme.Coded rs = (Scheme.Coded) Scheme.rs(2);
        for (int checksums : new int[]{-1, 0, 3, 4}) {
            assertThrows(IllegalArgumentException.class, () -> new ChunkLayout(3, checksums));
        }
        for (int ranks : new int[]{0, 1, 2, 257}) {
            assertThrows(IllegalArgumentException.class, () -> ChunkLayout.of(rs, ranks));
        }
        assertEquals(1, ChunkLayout.of(rs, 3).dataChunks());
    }
}
