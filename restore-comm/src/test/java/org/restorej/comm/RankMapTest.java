package org.restorej.comm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RankMapTest {
    @Test
    void closesTheGapsOfTheFailedInOrder() {
        RankMap map = RankMap.identity(8).without(0, 3).without(5);
        assertEquals(List.of(1, 2, 4, 5, 6), IntStream.range(0, 5).mapToObj(map::originalRankOf).toList());
        assertEquals(-1, map.currentRankOf(7));
        assertEquals(-1, map.currentRankOf(8));
        assertEquals(-1, map.currentRankOf(-1));
        assertEquals(-1, map.currentRankOf(3));
        assertEquals("5 of 8 PEs, absent original ranks [0, 3, 7]", map.toString());
    }

    @Test
    void agreesWithAListThatIsReallyShortened() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            int size = 1 + random.nextInt(200);
            List<Integer> expected = new ArrayList<>(IntStream.range(0, size).boxed().toList());
            RankMap map = RankMap.identity(size);
            while (expected.size() > 1 && random.nextInt(5) > 0) {
                IntList gone = new IntArrayList();
                for (int rank = 0; rank < expected.size() && gone.size() < expected.size() - 1; rank++) {
                    if (random.nextInt(4) == 0) {
                        gone.add(rank);
                    }
                }
                map = map.without(gone.toIntArray());
                gone.intStream().boxed().sorted((a, b) -> b - a).forEach(rank -> expected.remove(rank.intValue()));
            }
            check(expected, size, map, "seed=" + seed + ", round=" + round);
        }
    }

    private static void check(List<Integer> expected, int size, RankMap map, String where) {
        assertEquals(size, map.originalSize(), where);
        assertEquals(expected.size(), map.size(), where);
        for (int rank = 0; rank < expected.size(); rank++) {
            assertEquals(expected.get(rank), map.originalRankOf(rank), where);
        }
        TreeSet<OriginalRank> absent = new TreeSet<>();
        for (int rank = 0; rank < size; rank++) {
            assertEquals(expected.indexOf(rank), map.currentRankOf(rank), where);
            if (!expected.contains(rank)) {
                absent.add(OriginalRank.of(rank));
            }
        }
        assertEquals(absent, map.absentRanks(), where);
    }

    @Test
    void rejectsRanksThatAreNotThere() {
        RankMap map = RankMap.identity(4).without(1);
        String message = assertThrows(IndexOutOfBoundsException.class, () -> map.originalRankOf(3)).getMessage();
        assertEquals("currentRank must be in [0, 3): currentRank=3", message);
        assertThrows(IndexOutOfBoundsException.class, () -> map.without(3));
        assertThrows(IllegalArgumentException.class, () -> RankMap.identity(0));
        assertThrows(IllegalArgumentException.class, () -> OriginalRank.of(-1));
    }

    @Test
    void isEqualWhateverTheOrderOfTheFailures() {
        RankMap oneByOne = RankMap.identity(6).without(4).without(1);
        RankMap atOnce = RankMap.identity(6).without(1, 4);
        assertEquals(atOnce, oneByOne);
        assertEquals(atOnce.hashCode(), oneByOne.hashCode());
        assertFalse(atOnce.equals(RankMap.identity(6)));
    }
}
