package org.restorej.internal.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompletelyTest {
    @Test
    void eachHasItsTurnAlthoughSomeThrow() {
        List<Throwable> had = new ArrayList<>();
        Error first = new AssertionError("first");
        RuntimeException second = new IllegalStateException("second");
        List<Throwable> all = List.of(first, second, first);
        Error thrown = assertThrows(AssertionError.class, () -> Completely.forEach(all, each -> {
            had.add(each);
            if (each instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) each;
        }));
        assertEquals(all, had);
        assertSame(first, thrown);
        assertEquals(List.of(second), List.of(thrown.getSuppressed()));
    }

    @Test
    void nothingIsThrownWhereNothingFails() {
        List<Integer> had = new ArrayList<>();
        Completely.forEach(List.of(1, 2, 3), had::add);
        assertEquals(List.of(1, 2, 3), had);
    }
}
