package org.restorej.internal.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpareMemoryTest {
    private final SpareMemory spare = new SpareMemory();

    @AfterEach
    void free() {
        spare.release();
    }

    private List<Slab> take(long... lengths) {
        return spare.take(lengths);
    }

    @Test
    void whatWasKeptServesAgain() {
        List<Slab> first = take(300, 100, 200);
        assertEquals(600, spare.allocatedBytes());
        assertEquals(0, spare.bytes());
        first.forEach(spare::keep);
        assertEquals(600, spare.bytes());
        List<Slab> second = take(100, 200, 300);
        assertEquals(LongStream.of(100, 200, 300).boxed().toList(), second.stream().map(Slab::bytes).toList());
        assertEquals(600, spare.allocatedBytes());
        assertEquals(0, spare.bytes());
        second.forEach(Slab::close);
    }

    @Test
    void anEighthMayStayUnusedAndNoMore() {
        take(800).forEach(spare::keep);
        assertEquals(800, take(700).stream().peek(spare::keep).findFirst().orElseThrow().bytes());
        Slab fresh = take(699).getFirst();
        assertEquals(699, fresh.bytes());
        assertEquals(0, spare.bytes(), "what did not fit was freed before");
        fresh.close();
    }

    @Test
    void longerMemoryIsNotWastedOnWhatComesFirst() {
        take(96, 100).forEach(spare::keep);
        List<Slab> taken = take(95, 100);
        assertEquals(196, spare.allocatedBytes());
        taken.forEach(Slab::close);
    }

    @Test
    void whatFitsStaysWhenNothingHasToBeAllocated() {
        take(100, 200, 300).forEach(spare::keep);
        Slab middle = take(200).getFirst();
        assertEquals(400, spare.bytes());
        middle.close();
    }

    @Test
    void nothingIsKeptWhenMemoryRunsOut() {
        Slab kept = take(100).getFirst();
        spare.keep(kept);
        assertThrows(OutOfMemoryError.class, () -> take(100, Long.MAX_VALUE / 4));
        assertFalse(kept.memory().scope().isAlive());
        assertEquals(0, spare.bytes());
    }

    @Test
    void releasedMemoryIsFree() {
        Slab kept = take(100).getFirst();
        spare.keep(kept);
        spare.release();
        assertFalse(kept.memory().scope().isAlive());
        assertEquals(0, spare.bytes());
        Slab empty = take(0).getFirst();
        spare.keep(empty);
        assertTrue(spare.bytes() == 0 && !empty.memory().scope().isAlive(), "nothing is not worth keeping");
    }
}
