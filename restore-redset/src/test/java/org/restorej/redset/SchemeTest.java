package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class SchemeTest {
    @Test
    void schemesAreEqualWhenTheyAndTheirNumbersAre() {
        List<Scheme> all = List.of(Scheme.single(), Scheme.partner(1), Scheme.partner(2), Scheme.xor(), Scheme.rs(1),
                Scheme.rs(2));
        List<Scheme> again = List.of(Scheme.single(), Scheme.partner(1), Scheme.partner(2), Scheme.xor(), Scheme.rs(1),
                Scheme.rs(2));
        for (int one = 0; one < all.size(); one++) {
            for (int other = 0; other < again.size(); other++) {
                if (one == other) {
                    assertEquals(all.get(one), again.get(other));
                    assertEquals(all.get(one).hashCode(), again.get(other).hashCode());
                } else {
                    assertNotEquals(all.get(one), again.get(other));
                }
            }
        }
    }
}
