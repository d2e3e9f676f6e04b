package org.restorej.testing;

import java.util.Random;

/** Random numbers with the {@link Seed} of a test. */
public final class SeededRandom extends Random {
    private static final long serialVersionUID = 1L;

    private SeededRandom(long seed) {
        super(seed);
    }

    /** Random numbers for the test of this name. */
    public static SeededRandom forTest(String test) {
        return new SeededRandom(Seed.of(test));
    }

    /** An array of random bytes. */
    public byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        nextBytes(bytes);
        return bytes;
    }
}
