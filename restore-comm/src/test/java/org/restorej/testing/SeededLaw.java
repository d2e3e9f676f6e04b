package org.restorej.testing;

import java.util.Random;
import java.util.function.Consumer;

/** Checks a law on random inputs: the same ones in every run, and a failure names the seed of its own. */
public final class SeededLaw {
    private SeededLaw() {}

    /** Checks a law for the seeds {@code 0 .. seeds - 1}. */
    public static void holds(int seeds, Consumer<Random> law) {
        for (long seed = 0; seed < seeds; seed++) {
            holdsFor(seed, law);
        }
    }

    /** Checks a law for one seed, such as one that has failed. */
    public static void holdsFor(long seed, Consumer<Random> law) {
        try {
            law.accept(new Random(seed));
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError("the law does not hold for seed " + seed + ": " + failure.getMessage(), failure);
        }
    }
}
