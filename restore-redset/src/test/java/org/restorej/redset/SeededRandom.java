package org.restorej.redset;

import java.util.Random;

/**
 * Random numbers whose seed is printed, and can be set with {@code -Drestore.test.seed=N} to repeat a run.
 */
public final class SeededRandom extends Random {
    private static final long serialVersionUID = 1L;

    private SeededRandom(long seed) {
        super(seed);
    }

    /** Random numbers for the test of this name. */
    public static SeededRandom forTest(String test) {
        long seed = Long.getLong("restore.test.seed", System.nanoTime());
        System.out.println("seed of " + test + ": -Drestore.test.seed=" + seed);
        return new SeededRandom(seed);
    }

    /** An array of random bytes. */
    public byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        nextBytes(bytes);
        return bytes;
    }
}
