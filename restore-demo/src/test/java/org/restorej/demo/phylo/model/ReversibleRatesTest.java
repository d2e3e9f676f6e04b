package org.restorej.demo.phylo.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReversibleRatesTest {
    private static final double[] EQUAL_RATES = {1, 1, 1, 1, 1, 1};
    private static final double[] EQUAL_FREQUENCIES = {0.25, 0.25, 0.25, 0.25};

    private static double[] probabilities(ReversibleRates rates, double time) {
        double[] matrix = new double[18];
        rates.transitionProbabilities(time, matrix, 2);
        double[] result = new double[16];
        System.arraycopy(matrix, 2, result, 0, 16);
        return result;
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-6, 0.01, 0.3, 1, 10})
    void hasTheClosedFormOfJukesAndCantor(double time) {
        double[] matrix = probabilities(new ReversibleRates(EQUAL_RATES, EQUAL_FREQUENCIES), time);
        for (int s = 0; s < 4; s++) {
            for (int x = 0; x < 4; x++) {
                double expected = 0.25 + (s == x ? 0.75 : -0.25) * Math.exp(-4 * time / 3);
                assertEquals(expected, matrix[s * 4 + x], 1e-14);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void isNormalisedReversibleAndASemigroup(long seed) {
        Random random = new Random(seed);
        double[] exchangeRates = random.doubles(6, 0.01, 10).toArray();
        double[] frequencies = random.doubles(4, 0.05, 1).toArray();
        double sum = frequencies[0] + frequencies[1] + frequencies[2] + frequencies[3];
        for (int s = 0; s < 4; s++) {
            frequencies[s] /= sum;
        }
        ReversibleRates rates = new ReversibleRates(exchangeRates, frequencies);
        double[] short1 = probabilities(rates, 0.1);
        double[] short2 = probabilities(rates, 0.25);
        double[] both = probabilities(rates, 0.35);
        double[] tiny = probabilities(rates, 1e-7);
        double changes = 0;
        for (int s = 0; s < 4; s++) {
            double row = 0;
            for (int x = 0; x < 4; x++) {
                row += short1[s * 4 + x];
                assertEquals(frequencies[s] * short1[s * 4 + x], frequencies[x] * short1[x * 4 + s], 1e-14);
                double product = 0;
                for (int y = 0; y < 4; y++) {
                    product += short1[s * 4 + y] * short2[y * 4 + x];
                }
                assertEquals(both[s * 4 + x], product, 1e-14);
                changes += s == x ? 0 : frequencies[s] * tiny[s * 4 + x];
            }
            assertEquals(1, row, 1e-14);
        }
        assertEquals(1e-7, changes, 1e-12);
    }

    @Test
    void longBranchesLeaveTheFrequencies() {
        double[] frequencies = {0.1, 0.2, 0.3, 0.4};
        ReversibleRates rates = new ReversibleRates(new double[]{1, 2, 3, 4, 5, 1}, frequencies);
        for (double time : new double[]{1e3, 1e8, 1e18, Double.MAX_VALUE}) {
            double[] matrix = probabilities(rates, time);
            for (int entry = 0; entry < 16; entry++) {
                assertEquals(frequencies[entry % 4], matrix[entry], 1e-14, "time " + time);
            }
        }
    }

    @Test
    void hasTheGammaRatesOfIqTree() {
        double[] expected = {0.03339, 0.2519, 0.8203, 2.894};
        double[] rates = GammaRates.of(4, 0.5);
        for (int category = 0; category < 4; category++) {
            assertEquals(expected[category], rates[category], 5e-4 * expected[category]);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1", "4,0.02", "4,0.1", "4,1", "8,0.4325", "16,10", "4,100"})
    void gammaRatesAscendWithMeanOne(int categories, double alpha) {
        double[] rates = GammaRates.of(categories, alpha);
        double sum = 0;
        double before = -1e-300;
        for (double rate : rates) {
            assertEquals(1, Math.signum(rate - before), "rates must ascend");
            before = rate;
            sum += rate;
        }
        assertEquals(categories, sum, 1e-12);
    }
}
