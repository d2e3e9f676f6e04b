package org.restorej.demo.phylo.model;

import org.hipparchus.distribution.continuous.GammaDistribution;
import org.hipparchus.special.Gamma;

/**
 * The discrete Gamma distribution of rates: equally probable categories, each with the mean of its part (Z. Yang,
 * "Maximum likelihood phylogenetic estimation from DNA sequences with variable rates over sites", J. Mol. Evol. 39
 * (1994), 306-314, equation 10).
 */
public final class GammaRates {
    /**
     * Smallest and largest alpha that are of use: below, one category has all of the rate; above, all have it equally.
     */
    public static final double MIN_ALPHA = 0.02;
    /** See {@link #MIN_ALPHA}. */
    public static final double MAX_ALPHA = 100;

    private GammaRates() {}

    /**
     * Rates of the categories, ascending, with mean 1.
     *
     * @param categories at least 1
     * @param alpha shape, more than 0; variance of the rates is its inverse
     */
    public static double[] of(int categories, double alpha) {
        GammaDistribution distribution = new GammaDistribution(alpha, 1);
        double[] rates = new double[categories];
        double below = 0;
        for (int category = 0; category < categories; category++) {
            double upTo = 1;
            if (category + 1 < categories) {
                double quantile = distribution.inverseCumulativeProbability((category + 1.0) / categories);
                upTo = Gamma.regularizedGammaP(alpha + 1, quantile);
            }
            rates[category] = categories * (upTo - below);
            below = upTo;
        }
        return rates;
    }
}
