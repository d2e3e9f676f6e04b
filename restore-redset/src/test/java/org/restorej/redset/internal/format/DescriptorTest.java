package org.restorej.redset.internal.format;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.redset.Scheme;

class DescriptorTest {
    @Test
    void membersOfASetHaveTheSameNameForIt() {
        assertEquals("XOR set=1/2 ranks=4/8", new Descriptor(Scheme.xor(), 1, 2, 0, 4, 4, 8).setName());
        assertEquals("XOR set=1/2 ranks=4/8", new Descriptor(Scheme.xor(), 1, 2, 3, 4, 7, 8).setName());
    }

    @Test
    void namesTellHowMuchASetSurvives() {
        assertEquals("RS checksums=2 set=0/1 ranks=4/4", new Descriptor(Scheme.rs(2), 0, 1, 0, 4, 0, 4).setName());
        assertEquals("PARTNER replicas=1 set=0/1 ranks=4/4",
                new Descriptor(Scheme.partner(1), 0, 1, 0, 4, 0, 4).setName());
        assertEquals("SINGLE set=3/4 ranks=1/4", new Descriptor(Scheme.single(), 3, 4, 0, 1, 3, 4).setName());
    }

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
}
