package org.restorej.internal.placement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.restorej.testing.SeededLaw;

class SingleBlockPermutationTest {
    private static final long[] SEEDS = {0, 1, -1, 0x5EED, Long.MIN_VALUE};

    @Test
    void invertsItselfAtBigSizes() {
        SeededLaw.holds(2000, random -> {
            long size = (random.nextLong() >>> 1 >>> random.nextInt(53)) + 1;
            checkSamples(size, random.nextLong(), random.nextLong());
        });
    }

    @Test
    void invertsItselfAtTheGreatestSizesAndNextToPowersOfTwo() {
        for (int bits = 10; bits < Long.SIZE; bits++) {
            long power = bits == 63 ? Long.MAX_VALUE : 1L << bits;
            checkSamples(power - 1, bits, 1);
            checkSamples(power, bits, 2);
            checkSamples(bits == 63 ? power : power + 1, bits, 3);
        }
    }

    private static void checkSamples(long size, long permutationSeed, long seed) {
        RangePermutation permutation = RangePermutation.feistel(size, 1, permutationSeed);
        SeededLaw.holdsFor(seed, random -> {
            for (int sample = 0; sample < 20; sample++) {
                long value = sample == 0 ? size - 1 : random.nextLong(size);
                long image = permutation.positionOf(value);
                assertTrue(image >= 0 && image < size, () -> "size=" + size + " image=" + image);
                assertEquals(value, permutation.blockAt(image), () -> "size=" + size);
                assertEquals(value, permutation.positionOf(permutation.blockAt(value)), () -> "size=" + size);
            }
        });
    }

    @Test
    void anotherSeedGivesAnotherPermutation() {
        int size = 1000;
        for (long seed = 0; seed < 50; seed++) {
            RangePermutation one = RangePermutation.feistel(size, 1, seed);
            RangePermutation other = RangePermutation.feistel(size, 1, seed + 1);
            int same = 0;
            for (int value = 0; value < size; value++) {
                same += one.positionOf(value) == other.positionOf(value) ? 1 : 0;
            }
            // Of random permutations one value on average stays the same; 15 come once in 10^12.
            assertTrue(same < 15, "seed=" + seed + " same=" + same);
        }
    }

    @Test
    void neighboursDoNotStayNeighbours() {
        int size = 10_000;
        for (long seed : SEEDS) {
            RangePermutation permutation = RangePermutation.feistel(size, 1, seed);
            int neighbours = 0;
            for (int value = 0; value + 1 < size; value++) {
                neighbours += permutation.positionOf(value + 1) == permutation.positionOf(value) + 1 ? 1 : 0;
            }
            assertTrue(neighbours < 15, "seed=" + seed + " neighbours=" + neighbours);
        }
    }

    @Test
    void spreadsConsecutiveValuesEvenly() {
        int size = 1 << 16;
        int buckets = 64;
        int values = 6400;
        for (long seed : SEEDS) {
            RangePermutation permutation = RangePermutation.feistel(size, 1, seed);
            int[] load = new int[buckets];
            for (int value = 0; value < values; value++) {
                load[(int) (permutation.positionOf(value) * buckets / size)]++;
            }
            for (int bucket : load) {
                // 100 expected with a standard deviation of 10.
                assertTrue(bucket > 50 && bucket < 150, "seed=" + seed + " load=" + bucket);
            }
        }
    }

    /** From a program in Python that was written after the papers. */
    @Test
    void isThePermutationThatThePapersDefine() {
        assertImages(4, 7, 0, 3, 1, 2);
        assertImages(5, 7, 2, 1, 4, 0);
        assertImages(16, 7, 2, 7, 12, 0);
        assertImages(17, 7, 2, 9, 11, 15);
        assertImages(1000, 42, 980, 502, 727, 617);
        assertImages(1_000_000_000_000L, 42, 285050979132L, 401718170923L, 940693463410L, 390963499413L);
    }

    private static void assertImages(long size, long seed, long... images) {
        RangePermutation permutation = RangePermutation.feistel(size, 1, seed);
        assertArrayEquals(images, LongStream.range(0, images.length).map(permutation::positionOf).toArray());
    }
}
