package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowShapeTest {
    @ParameterizedTest
    @CsvSource({"1, 0, 0, 0", "1, 0, 2147483647, 2147483647", "1, 2147483646, 1, 2147483647", "32, 64, 3, 160",
            "32, 0, 67108863, 2147483616", "2147483647, 0, 1, 2147483647"})
    void addsUpWhatAnArrayCanHave(int rowLength, long ownElements, long furtherRows, int elements) {
        assertEquals(elements, new RowShape(rowLength).elements(ownElements, furtherRows));
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 2147483648", "1, 2147483647, 1", "32, 0, 67108864", "32, 2147483616, 1",
            "2147483647, 2147483647, 1", "7, 0, 9223372036854775807", "7, 7, 9223372036854775807"})
    void refusesMoreElementsThanAnArrayCanHave(int rowLength, long ownElements, long furtherRows) {
        assertEquals("rows of " + rowLength + " elements must be at most " + 2147483647 / rowLength
                + ", since a Java array has at most 2147483647 elements: " + ownElements / rowLength + " + "
                + furtherRows + " rows",
                assertThrows(IllegalArgumentException.class,
                        () -> new RowShape(rowLength).elements(ownElements, furtherRows)).getMessage());
    }

    @Test
    void refusesToAppendToPartsOfRows() {
        assertEquals("an array must have whole rows of 4 elements to append to: length=6",
                assertThrows(IllegalArgumentException.class, () -> new RowShape(4).elements(6, 1)).getMessage());
    }
}
