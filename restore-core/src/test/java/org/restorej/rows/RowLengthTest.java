package org.restorej.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowLengthTest {
    @ParameterizedTest
    @CsvSource({"1, 0, 0", "1, 2147483647, 2147483647", "32, 5, 160", "32, 67108863, 2147483616",
            "2147483647, 1, 2147483647"})
    void tellsWhatAnArrayCanHave(int rowLength, long rows, int elements) {
        assertEquals(elements, ReplicatedArray.elements(rows, rowLength));
    }

    @ParameterizedTest
    @CsvSource({"1, 2147483648", "32, 67108864", "2147483647, 2", "7, 9223372036854775807"})
    void refusesMoreElementsThanAnArrayCanHave(int rowLength, long rows) {
        assertEquals("rows of " + rowLength + " elements must be at most " + 2147483647 / rowLength
                + ", since a Java array has at most 2147483647 elements: " + rows + " rows",
                assertThrows(IllegalArgumentException.class, () -> ReplicatedArray.elements(rows, rowLength))
                        .getMessage());
    }
}
