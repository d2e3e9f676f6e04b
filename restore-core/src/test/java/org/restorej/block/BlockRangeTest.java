package org.restorej.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class BlockRangeTest {
    @Test
    void containsItsIdsAndNoOthers() {
        BlockRange range = BlockRange.of(5, 3);
        assertEquals(8, range.end());
        assertFalse(range.contains(4));
        assertTrue(range.contains(5));
        assertTrue(range.contains(7));
        assertFalse(range.contains(8));
        assertEquals(range, BlockRange.between(5, 8));
    }

    @Test
    void mayReachToTheGreatestId() {
        BlockRange range = BlockRange.of(Long.MAX_VALUE - 2, 2);
        assertEquals(Long.MAX_VALUE, range.end());
        assertTrue(range.contains(Long.MAX_VALUE - 1));
        assertFalse(range.contains(0));
    }

    @Test
    void rejectsNegativeValuesAndOverflow() {
        assertThrows(IllegalArgumentException.class, () -> BlockRange.of(-1, 1));
        assertThrows(IllegalArgumentException.class, () -> BlockRange.of(0, -1));
        assertThrows(IllegalArgumentException.class, () -> BlockRange.between(3, 2));
        assertThrows(IllegalArgumentException.class, () -> BlockRange.of(2, Long.MAX_VALUE - 1));
    }

    @Test
    void isOrderedByFirstIdThenCount() {
        List<BlockRange> sorted = List.of(BlockRange.of(1, 1), BlockRange.of(1, 2), BlockRange.of(2, 0));
        assertEquals(sorted, sorted.reversed().stream().sorted().toList());
    }

    @Test
    void readsAsItsEndsBothIncluded() {
        assertEquals("none", BlockRange.of(3, 0).toString());
        assertEquals("3", BlockRange.of(3, 1).toString());
        assertEquals("3..5", BlockRange.of(3, 3).toString());
        assertTrue(BlockRange.of(3, 0).isEmpty());
        assertFalse(BlockRange.of(3, 1).isEmpty());
    }
}
