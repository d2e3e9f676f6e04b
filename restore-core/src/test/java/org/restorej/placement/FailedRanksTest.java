package org.restorej.placement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.restorej.testing.SeededLaw;

class FailedRanksTest {
    @Test
    void keepsEachRankOnceInAscendingOrder() {
        FailedRanks failed = FailedRanks.of(7, 2, 7, 0, 2);
        assertArrayEquals(new int[]{0, 2, 7}, failed.values());
        assertEquals(3, failed.size());
        assertEquals("{0, 2, 7}", failed.toString());
        assertEquals(List.of(StoreRank.of(0), StoreRank.of(2), StoreRank.of(7)),
                List.copyOf(failed.ranks()));
    }

    @Test
    void containsItsRanksAndNoOthers() {
        FailedRanks failed = FailedRanks.of(3, 1);
        for (int rank = -1; rank < 6; rank++) {
            assertEquals(rank == 1 || rank == 3, failed.contains(rank));
        }
        assertTrue(failed.contains(StoreRank.of(3)));
        assertFalse(failed.contains(StoreRank.of(2)));
    }

    @Test
    void setOperationsAgreeWithThoseOfTheLibrary() {
        SeededLaw.holds(300, random -> {
            Set<Integer> a = someRanks(random);
            Set<Integer> b = someRanks(random);
            Set<Integer> union = new TreeSet<>(a);
            union.addAll(b);
            Set<Integer> difference = new TreeSet<>(a);
            difference.removeAll(b);
            assertEquals(failed(union), failed(a).union(failed(b)));
            assertArrayEquals(union.stream().mapToInt(each -> each).toArray(), failed(union).values());
            assertEquals(failed(difference), failed(a).minus(failed(b)));
            assertEquals(a.equals(b), failed(a).equals(failed(b)));
            assertEquals(union.isEmpty(), failed(union).isEmpty());
        });
    }

    @Test
    void operationsLeaveTheirOperandsAsTheyWere() {
        FailedRanks one = FailedRanks.of(1, 2);
        FailedRanks other = FailedRanks.of(2, 3);
        assertEquals(3, one.union(other).size());
        assertEquals(1, one.minus(other).size());
        assertEquals(FailedRanks.of(1, 2), one);
        assertEquals(FailedRanks.of(2, 3), other);
    }

    @Test
    void equalSetsHaveTheSameHashCode() {
        assertEquals(FailedRanks.of(5, 900, 3), FailedRanks.of(3, 5, 900));
        assertEquals(FailedRanks.of(5, 900, 3).hashCode(), FailedRanks.of(3, 5, 900).hashCode());
        assertNotEquals(FailedRanks.of(5), FailedRanks.of(6));
        assertNotEquals(FailedRanks.of(5).hashCode(), FailedRanks.of(6).hashCode());
    }

    @Test
    void nothingFailedIsOneValue() {
        assertSame(FailedRanks.NONE, FailedRanks.of());
        assertSame(FailedRanks.NONE, FailedRanks.of(4).minus(FailedRanks.of(4)));
        assertTrue(FailedRanks.NONE.isEmpty());
        assertEquals(0, FailedRanks.NONE.size());
    }

    @Test
    void theValuesCannotBeChanged() {
        FailedRanks failed = FailedRanks.of(1);
        failed.values()[0] = 2;
        assertEquals(FailedRanks.of(1), failed);
        assertTrue(failed.contains(1) && !failed.contains(2), failed::toString);
    }

    @Test
    void aNegativeRankIsRejected() {
        assertEquals("a store rank must be at least 0: -4",
                assertThrows(IllegalArgumentException.class, () -> FailedRanks.of(3, -4)).getMessage());
    }

    private static Set<Integer> someRanks(Random random) {
        Set<Integer> ranks = new TreeSet<>();
        random.ints(random.nextInt(6), 0, 8).forEach(ranks::add);
        return ranks;
    }

    private static FailedRanks failed(Set<Integer> ranks) {
        return FailedRanks.of(ranks.stream().mapToInt(Integer::intValue).toArray());
    }
}
