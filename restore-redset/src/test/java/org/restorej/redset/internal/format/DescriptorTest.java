package org.restorej.redset.internal.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.restorej.redset.Scheme;

class DescriptorTest {
    @Test
    void everyNumberCounts() {
        Descriptor descriptor = new Descriptor(Scheme.xor(), 1, 3, 1, 3, 4, 9);
        Descriptor same = new Descriptor(Scheme.xor(), 1, 3, 1, 3, 4, 9);
        assertEquals(descriptor, same);
        assertEquals(descriptor.hashCode(), same.hashCode());
        for (Descriptor other : List.of(new Descriptor(Scheme.partner(1), 1, 3, 1, 3, 4, 9),
                new Descriptor(Scheme.xor(), 2, 3, 1, 3, 4, 9), new Descriptor(Scheme.xor(), 1, 4, 1, 3, 4, 9),
                new Descriptor(Scheme.xor(), 1, 3, 2, 3, 4, 9), new Descriptor(Scheme.xor(), 1, 3, 1, 4, 4, 9),
                new Descriptor(Scheme.xor(), 1, 3, 1, 3, 5, 9), new Descriptor(Scheme.xor(), 1, 3, 1, 3, 4, 10))) {
            assertNotEquals(descriptor, other);
        }
    }

    @Test
    void refusesNumbersThatDoNotGoTogether() {
        new Descriptor(Scheme.rs(2), 3, 4, 2, 3, 7, 8);
        for (List<Integer> numbers : List.of(List.of(-1, 4, 2, 3, 7, 8), List.of(4, 4, 2, 3, 7, 8),
                List.of(3, 4, -1, 3, 7, 8), List.of(3, 4, 3, 3, 7, 8), List.of(3, 4, 2, 3, -1, 8),
                List.of(3, 4, 2, 3, 8, 8), List.of(3, 9, 2, 3, 7, 8), List.of(3, 4, 2, 9, 7, 8),
                List.of(3, 4, 1, 2, 7, 8))) {
            assertThrows(IllegalArgumentException.class,
                    () -> new Descriptor(Scheme.rs(2), numbers.get(0), numbers.get(1), numbers.get(2), numbers.get(3),
                            numbers.get(4), numbers.get(5)),
                    numbers.toString());
        }
        // As many sets, or as large a set, as there are ranks.
        new Descriptor(Scheme.single(), 0, 8, 0, 1, 0, 8);
        new Descriptor(Scheme.xor(), 0, 1, 0, 8, 0, 8);
    }

    @Test
    void hashCodesOfNearbyPlacesDiffer() {
        Set<Integer> codes = new HashSet<>();
        for (int group = 0; group < 5; group++) {
            for (int rank = 0; rank < 5; rank++) {
                for (int worldRank = 0; worldRank < 25; worldRank++) {
                    codes.add(new Descriptor(Scheme.xor(), group, 5, rank, 5, worldRank, 25).hashCode());
                }
            }
        }
        assertEquals(5 * 5 * 25, codes.size());
    }
}
