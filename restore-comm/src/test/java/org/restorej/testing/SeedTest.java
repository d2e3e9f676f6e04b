package org.restorej.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SeedTest {
    @Test
    void eachNameHasItsOwnWhichIsTheSameInEveryJvm() {
        assertEquals(NameHash.of("a.Test", Long.getLong(Seed.PROPERTY, 1)), Seed.of("a.Test"));
        assertEquals(Seed.of(SeedTest.class.getName()), Seed.of(SeedTest.class));
        assertEquals(-3219083627956649893L, NameHash.of("a.Test", 1));
    }

    @Test
    void namesAndSeedsThatAreAlikeHaveOtherHashes() {
        Set<Long> hashes = new HashSet<>();
        for (int seed = 0; seed < 100; seed++) {
            for (int name = 0; name < 100; name++) {
                hashes.add(NameHash.of("Test" + name, seed));
            }
        }
        assertEquals(10_000, hashes.size());
        assertTrue(Seed.option().startsWith("-Drestorej.seed="), Seed::option);
    }
}
