package org.restorej.demo.phylo.likelihood;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.comm.collective.ReproducibleSums;
import org.restorej.demo.phylo.Primates;
import org.restorej.demo.phylo.model.Model;
import org.restorej.demo.phylo.tree.Tree;

/** Against what IQ-TREE 2.0.7 reaches. */
class OptimizerTest {
    private static final Tree TREE = Primates.tree();
    private static final String GTR_GAMMA = "GTR{6.3118,39.3022,4.0605,2.1904,42.4382}"
            + "+F{0.3241,0.3040,0.1055,0.2664}+G4";

    private static Likelihood likelihood(String model) {
        Likelihood likelihood = new Likelihood(TREE, Primates.model(model));
        likelihood.append(Primates.blocks(1));
        return likelihood;
    }

    /** The only PE has all sums. */
    private static void alone(ReproducibleSums sums) {}

    private static ModelState optimum(Optimizer optimizer, ModelState start) {
        ModelState before = start;
        for (int iteration = 0; iteration < 100; iteration++) {
            ModelState after = optimizer.iterate(before);
            assertTrue(after.logLikelihood() >= before.logLikelihood() - 1e-6, "iteration " + iteration);
            if (Optimizer.hasConverged(before, after)) {
                return after;
            }
            before = after;
        }
        throw new AssertionError("no convergence: " + before);
    }

    @ParameterizedTest
    @CsvSource({"0.000001", "0.1", "10"})
    void reachesTheOptimumFromPoorStarts(double length) {
        double[] lengths = TREE.lengths();
        Arrays.fill(lengths, length);
        Optimizer optimizer = new Optimizer(TREE, likelihood(GTR_GAMMA), OptimizerTest::alone);
        ModelState found = optimum(optimizer, ModelState.start(lengths, OptionalDouble.of(20)));
        assertEquals(-5719.428, found.logLikelihood(), 1e-2);
    }

    @Test
    void redoesAnAbandonedIterationWithTheSameResult() {
        Likelihood likelihood = likelihood(GTR_GAMMA);
        ModelState start = ModelState.start(TREE.lengths(), OptionalDouble.of(1));
        ModelState expected = new Optimizer(TREE, likelihood, OptimizerTest::alone).iterate(start);
        for (int callThatFails : new int[]{1, 2, 30, 60, 70}) {
            AtomicInteger calls = new AtomicInteger();
            Optimizer optimizer = new Optimizer(TREE, likelihood, values -> {
                if (calls.incrementAndGet() == callThatFails) {
                    throw new IllegalStateException("failed");
                }
            });
            assertThrows(IllegalStateException.class, () -> optimizer.iterate(start));
            assertArrayEquals(expected.numbers(), optimizer.iterate(start).numbers(), "after call " + callThatFails);
        }
    }

    @Test
    void findsTheDistanceOfTwoSequencesInClosedForm() {
        Model model = Primates.model("JC");
        // Of 10 sites, 3 differ: the distance under JC is -3/4 ln(1 - 4/3 * 0.3).
        Likelihood likelihood = TwoTaxa.likelihood("AAAAAAAAAA", "AAAAAAACGT", 1, model);
        Optimizer optimizer = new Optimizer(TwoTaxa.tree(1), likelihood, OptimizerTest::alone);
        ModelState found = optimum(optimizer, ModelState.start(new double[]{1}, OptionalDouble.empty()));
        assertEquals(-0.75 * Math.log(1 - 4 / 3.0 * 0.3), found.branchLengths()[0], 1e-5);
    }

    @Test
    void derivesTheLogLikelihoodAtEveryBranch() {
        Likelihood likelihood = likelihood(Primates.GTR_GAMMA);
        double step = 1e-5;
        for (int branch = 0; branch < TREE.branchCount(); branch++) {
            double length = TREE.length(branch);
            likelihood.selectBranch(branch);
            double[] at = derivatives(likelihood, length);
            double[] above = derivatives(likelihood, length + step);
            double[] below = derivatives(likelihood, length - step);
            assertEquals(likelihood.logLikelihood(), at[0], 1e-8, "branch " + branch);
            assertEquals((above[0] - below[0]) / (2 * step), at[1], 1e-3 + 1e-5 * Math.abs(at[1]), "branch " + branch);
            assertEquals((above[1] - below[1]) / (2 * step), at[2], 1e-2 + 1e-4 * Math.abs(at[2]), "branch " + branch);
        }
    }

    private static double[] derivatives(Likelihood likelihood, double length) {
        ReproducibleSums sums = new ReproducibleSums(3);
        likelihood.addDerivatives(length, sums);
        return new double[]{sums.value(0), sums.value(1), sums.value(2)};
    }
}
