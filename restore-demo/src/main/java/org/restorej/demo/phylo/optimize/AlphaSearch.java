package org.restorej.demo.phylo.optimize;

import org.hipparchus.analysis.UnivariateFunction;
import org.hipparchus.optim.MaxEval;
import org.hipparchus.optim.nonlinear.scalar.GoalType;
import org.hipparchus.optim.univariate.BrentOptimizer;
import org.hipparchus.optim.univariate.SearchInterval;
import org.hipparchus.optim.univariate.UnivariateObjectiveFunction;
import org.restorej.demo.phylo.model.GammaRates;

/**
 * The alpha of greatest likelihood, all else fixed: Brent's method on its logarithm, around the last one. An optimum
 * farther away is reached in the next iterations.
 */
final class AlphaSearch {
    private static final double WINDOW = 4;
    private static final double RELATIVE_TOLERANCE = 1e-8;
    /** Of the logarithm: a hundred thousandth of alpha. */
    private static final double ABSOLUTE_TOLERANCE = 1e-5;
    private static final int MAX_EVALUATIONS = 100;

    private AlphaSearch() {}

    /** Best alpha; the likelihood is left with some other. */
    static double optimum(DistributedLikelihood likelihood, double start) {
        double low = Math.max(start / WINDOW, GammaRates.MIN_ALPHA);
        double high = Math.min(start * WINDOW, GammaRates.MAX_ALPHA);
        UnivariateFunction logLikelihood = logAlpha -> {
            likelihood.setAlpha(Math.exp(logAlpha));
            return likelihood.logLikelihood();
        };
        double logAlpha = new BrentOptimizer(RELATIVE_TOLERANCE, ABSOLUTE_TOLERANCE).optimize(
                new MaxEval(MAX_EVALUATIONS), GoalType.MAXIMIZE, new UnivariateObjectiveFunction(logLikelihood),
                new SearchInterval(Math.log(low), Math.log(high), Math.log(start))).getPoint();
        return Math.exp(logAlpha);
    }
}
