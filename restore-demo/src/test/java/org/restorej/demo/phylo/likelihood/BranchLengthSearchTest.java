package org.restorej.demo.phylo.likelihood;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.DoubleFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.demo.phylo.likelihood.BranchLengthSearch.Derivatives;

/** On curves whose optimum is known, from starts on both sides of it. */
class BranchLengthSearchTest {
    private static void assertOptimum(double expected, double start, DoubleFunction<Derivatives> curve) {
        int[] evaluations = {0};
        double found = BranchLengthSearch.optimum(length -> {
            assertTrue(length >= BranchLengthSearch.MIN_LENGTH && length <= BranchLengthSearch.MAX_LENGTH,
                    "length " + length);
            evaluations[0]++;
            return curve.apply(length);
        }, start);
        assertEquals(expected, found, 1e-4 * expected);
        assertTrue(evaluations[0] <= 30, "evaluations " + evaluations[0]);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1e-6, 0.01, 0.29, 0.5, 2, 10, 1000})
    void findsTheTopOfAConcaveCurve(double start) {
        assertOptimum(0.3, start, t -> new Derivatives(3 * Math.log(t) - 10 * t, 3 / t - 10, -3 / (t * t)));
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-6, 0.01, 0.4, 0.6, 2, 10})
    void findsTheTopOfACurveThatBendsUpwardsAtItsEnds(double start) {
        assertOptimum(0.5, start, t -> {
            double x = Math.log(t / 0.5);
            return new Derivatives(-x * x, -2 * x / t, (2 * x - 2) / (t * t));
        });
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-6, 0.1, 0.9, 1.2, 3, 10})
    void findsATopThatNewtonStepsJumpOver(double start) {
        assertOptimum(1, start, t -> {
            double x = (t - 1) / 0.05;
            double root = Math.sqrt(1 + x * x);
            return new Derivatives(-root, -x / root / 0.05, -1 / (root * root * root) / 0.0025);
        });
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-6, 0.1, 10})
    void stopsAtTheShortestAndTheLongestLength(double start) {
        assertOptimum(BranchLengthSearch.MIN_LENGTH, start,
                t -> new Derivatives(-t - t * t, -1 - 2 * t, -2));
        assertOptimum(BranchLengthSearch.MAX_LENGTH, start, t -> new Derivatives(Math.log(t), 1 / t, -1 / t / t));
    }
}
