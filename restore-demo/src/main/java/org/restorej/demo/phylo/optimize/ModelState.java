package org.restorej.demo.phylo.optimize;

import java.util.Arrays;
import java.util.OptionalDouble;

/** Everything that optimisation changes, at the boundary of two iterations. Immutable, equal on all PEs. */
public final class ModelState {
    private final double[] branchLengths;
    private final OptionalDouble alpha;
    private final double logLikelihood;

    /**
     * Copies the lengths.
     *
     * @param branchLengths a length a branch
     * @param alpha shape of Gamma rates, if the model has them
     * @param logLikelihood of all patterns of all PEs with these
     */
    public ModelState(double[] branchLengths, OptionalDouble alpha, double logLikelihood) {
        this.branchLengths = branchLengths.clone();
        this.alpha = alpha;
        this.logLikelihood = logLikelihood;
    }

    /** A state to start from, for which nothing has been computed: its log-likelihood is negative infinity. */
    public static ModelState start(double[] branchLengths, OptionalDouble alpha) {
        return new ModelState(branchLengths, alpha, Double.NEGATIVE_INFINITY);
    }

    /** A length a branch: a copy. */
    public double[] branchLengths() {
        return branchLengths.clone();
    }

    /** Shape of Gamma rates, if the model has them. */
    public OptionalDouble alpha() {
        return alpha;
    }

    /** Log-likelihood of all patterns of all PEs. */
    public double logLikelihood() {
        return logLikelihood;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ModelState state && Arrays.equals(branchLengths, state.branchLengths)
                && alpha.equals(state.alpha) && Double.compare(logLikelihood, state.logLikelihood) == 0;
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(branchLengths) + 7 * alpha.hashCode() + Double.hashCode(logLikelihood);
    }

    @Override
    public String toString() {
        return "log-likelihood " + logLikelihood + (alpha.isPresent() ? ", alpha " + alpha.getAsDouble() : "");
    }
}
