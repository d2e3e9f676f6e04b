package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.testing.SeededLaw;

class RowIndexTest {
    private static RowIndex index() {
        return RowIndex.of(BlockRanges.of(10, 3)).append(BlockRanges.of(BlockRange.of(2, 2), BlockRange.of(20, 1)))
                .append(BlockRanges.of(21, 4)).append(BlockRanges.EMPTY);
    }

    @Test
    void keepsTheOrderInWhichRowsWereAppended() {
        assertEquals("[10..12, 2..3, 20..24]", index().toString());
        assertEquals(10, index().rowCount());
        assertEquals(12, index().rowAt(2));
        assertEquals(2, index().rowAt(3));
        assertEquals(24, index().rowAt(9));
        assertEquals(3, index().positionOf(2));
        assertEquals(9, index().positionOf(24));
        for (long absent : new long[]{0, 1, 4, 9, 13, 19, 25}) {
            assertEquals(-1, index().positionOf(absent), "row " + absent);
        }
        assertEquals(BlockRanges.of(BlockRange.of(2, 2), BlockRange.of(10, 3), BlockRange.of(20, 5)), index().rows());
    }

    @Test
    void findsEveryRowWhereItWasPut() {
        SeededLaw.holds(200, random -> {
            List<Long> model = new ArrayList<>();
            RowIndex index = RowIndex.EMPTY;
            for (int append = 0; append < 6; append++) {
                BlockRanges rows = someRows(random).minus(index.rows());
                index = index.append(rows);
                for (long i = 0; i < rows.blockCount(); i++) {
                    model.add(rows.blockAt(i));
                }
            }
            assertEquals(model.size(), index.rowCount());
            for (int position = 0; position < model.size(); position++) {
                assertEquals(model.get(position), index.rowAt(position));
            }
            for (long row = 0; row < 100; row++) {
                assertEquals(model.indexOf(row), index.positionOf(row));
            }
        });
    }

    private static BlockRanges someRows(Random random) {
        List<BlockRange> runs = new ArrayList<>();
        for (int run = random.nextInt(5); run > 0; run--) {
            runs.add(BlockRange.of(random.nextInt(90), random.nextInt(10)));
        }
        return BlockRanges.of(runs);
    }

    @Test
    void refusesRowsThatAreThereAlready() {
        assertEquals("rows must not be appended twice: {3, 20}",
                assertThrows(IllegalArgumentException.class,
                        () -> index().append(BlockRanges.of(BlockRange.of(3, 2), BlockRange.of(19, 2)))).getMessage());
        assertEquals("position must be in [0, 10): position=10",
                assertThrows(IndexOutOfBoundsException.class, () -> index().rowAt(10)).getMessage());
        assertThrows(IndexOutOfBoundsException.class, () -> index().rowAt(-1));
        assertThrows(IndexOutOfBoundsException.class, () -> RowIndex.EMPTY.rowAt(0));
    }

    @Test
    void isEqualWhenTheOrderIs() {
        assertEquals(index(), index());
        assertEquals(index().hashCode(), index().hashCode());
        assertEquals(RowIndex.EMPTY, RowIndex.of(BlockRanges.EMPTY));
    }
}
