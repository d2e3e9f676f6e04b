package org.restorej.demo.phylo.model;

import java.util.OptionalDouble;

/**
 * What a likelihood is computed under: a rate matrix, and equally probable categories of rates. Immutable.
 */
public final class Model {
    private final ReversibleRates substitution;
    private final OptionalDouble alpha;
    private final double[] rates;

    private Model(ReversibleRates substitution, OptionalDouble alpha, double[] rates) {
        this.substitution = substitution;
        this.alpha = alpha;
        this.rates = rates;
    }

    /** The same rate at all sites. */
    public static Model uniform(ReversibleRates substitution) {
        return new Model(substitution, OptionalDouble.empty(), new double[]{1});
    }

    /** Rates of a discrete Gamma distribution. */
    public static Model gamma(ReversibleRates substitution, int categories, double alpha) {
        return new Model(substitution, OptionalDouble.of(alpha), GammaRates.of(categories, alpha));
    }

    /** The same with another shape of its Gamma distribution, which it must have. */
    public Model withAlpha(double otherAlpha) {
        if (alpha.isEmpty()) {
            throw new IllegalStateException("a model without Gamma rates has no alpha: alpha=" + otherAlpha);
        }
        return gamma(substitution, rates.length, otherAlpha);
    }

    /** The rate matrix. */
    public ReversibleRates substitution() {
        return substitution;
    }

    /** Shape of the Gamma distribution, if there is one. */
    public OptionalDouble alpha() {
        return alpha;
    }

    /** Number of categories of rates. */
    public int categoryCount() {
        return rates.length;
    }

    /** Rate of a category. */
    public double rate(int category) {
        return rates[category];
    }
}
