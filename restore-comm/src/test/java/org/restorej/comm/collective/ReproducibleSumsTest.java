package org.restorej.comm.collective;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.testing.LocalClusterPrograms;

class ReproducibleSumsTest {
    private static double sum(double... terms) {
        ReproducibleSums sums = new ReproducibleSums(2);
        // The other sum lies right beside this one, and must not be touched.
        for (double term : terms) {
            sums.add(1, term);
        }
        assertEquals(0.0, sums.value(0));
        return sums.value(1);
    }

    private static double exact(double... terms) {
        return Arrays.stream(terms).mapToObj(BigDecimal::new).reduce(BigDecimal.ZERO, BigDecimal::add).doubleValue();
    }

    /** Any finite double, all exponents alike. */
    private static double anyDouble(SplittableRandom random) {
        double drawn;
        do {
            drawn = Double.longBitsToDouble(random.nextLong());
        } while (!Double.isFinite(drawn));
        return drawn;
    }

    @Test
    void roundsTheExactSumOfDoublesOfAnySize() {
        for (long seed = 0; seed < 2000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double[] terms = random.doubles(1 + seed % 40).map(ignored -> anyDouble(random)).toArray();
            assertEquals(exact(terms), sum(terms), "seed=" + seed);
        }
    }

    @Test
    void roundsTheExactSumWhereTermsCancel() {
        for (long seed = 0; seed < 2000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int half = 1 + random.nextInt(20);
            double[] terms = new double[2 * half + 1];
            for (int i = 0; i < half; i++) {
                terms[i] = anyDouble(random);
                terms[2 * half - i] = -terms[i];
            }
            terms[half] = Math.scalb(random.nextDouble() - 0.5, random.nextInt(-1074, 1000));
            assertEquals(terms[half], sum(terms), "seed=" + seed);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, Double.MIN_VALUE, 3 * Double.MIN_VALUE, Double.MIN_NORMAL,
            Double.MIN_NORMAL - Double.MIN_VALUE, Double.MAX_VALUE, 0x1p52, 0x1p53, 0x1.fffffffffffffp-1, 0x1p-1042,
            0x1p31,
            0x1p32, 0x1p-1010, 0x1.0000000000001p-1021})
    void keepsASingleTerm(double term) {
        assertEquals(term, sum(term));
        assertEquals(-term + 0.0, sum(-term));
    }

    @Test
    void roundsTiesToEvenAndSeesTheLastBit() {
        assertEquals(0x1p53, sum(0x1p53, 1));
        assertEquals(0x1p53 + 4, sum(0x1p53, 3));
        assertEquals(0x1p53 + 2, sum(0x1p53, 1, Double.MIN_VALUE));
        assertEquals(0x1p53, sum(0x1p53, 1, -Double.MIN_VALUE));
        assertEquals(-0x1p53, sum(-0x1p53, -1));
        assertEquals(-0x1p53 - 2, sum(-0x1p53, -1, -Double.MIN_VALUE));
    }

    @Test
    void overflowsOnlyAtTheEnd() {
        assertEquals(Double.MAX_VALUE, sum(Double.MAX_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE));
        assertEquals(Double.POSITIVE_INFINITY, sum(Double.MAX_VALUE, Double.MAX_VALUE));
        assertEquals(Double.NEGATIVE_INFINITY, sum(-Double.MAX_VALUE, -Double.MAX_VALUE));
    }

    @Test
    void addsWhatIsNoFiniteNumberAsDoublesDo() {
        assertEquals(Double.POSITIVE_INFINITY, sum(1, Double.POSITIVE_INFINITY, -3));
        assertEquals(Double.NEGATIVE_INFINITY, sum(Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY));
        assertEquals(Double.NaN, sum(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY));
        assertEquals(Double.NaN, sum(1, Double.NaN));
    }

    @Test
    void goesOnAfterItsValueWasAskedForAndStartsAnewWhenCleared() {
        ReproducibleSums sums = new ReproducibleSums(1);
        sums.add(0, -0.1);
        assertEquals(-0.1, sums.value(0));
        sums.add(0, 0.3);
        assertEquals(exact(-0.1, 0.3), sums.value(0));
        sums.add(0, Double.NaN);
        sums.clear();
        assertEquals(0.0, sums.value(0));
    }

    @Test
    void takesCarriesOfWordsThatAreAlmostFull() {
        long[] words = new long[LongAccumulator.WORDS];
        words[40] = Long.MAX_VALUE - 0xFFFF_FFFFL;
        words[41] = -(Long.MAX_VALUE >>> 1);
        BigDecimal weight = new BigDecimal(2).pow(40 * 32 - 1074);
        BigDecimal expected = weight.multiply(BigDecimal.valueOf(words[40])
                .add(BigDecimal.valueOf(words[41]).multiply(new BigDecimal(2).pow(32))));
        LongAccumulator.carry(words, 0);
        assertEquals(expected.doubleValue(), LongAccumulator.value(words, 0));
        long[] before = words.clone();
        LongAccumulator.carry(words, 0);
        assertArrayEquals(before, words);
    }

    @Test
    void saysWhatIsWrong() {
        assertEquals("count must be at least 1: count=0",
                assertThrows(IllegalArgumentException.class, () -> new ReproducibleSums(0)).getMessage());
        assertThrows(IndexOutOfBoundsException.class, () -> new ReproducibleSums(1).add(1, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> new ReproducibleSums(1).value(-1));
    }

    @TestFactory
    Stream<DynamicTest> isTheSameOnAnyNumberOfPes() {
        return LocalClusterPrograms.tests(new ReproducibleSumPrograms().programs(), List.of(1, 2, 3, 8));
    }
}
