package org.restorej.demo.phylo.likelihood;

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

    /** The state that {@link #numbers} returned. */
    public static ModelState of(double[] numbers) {
        return new ModelState(Arrays.copyOfRange(numbers, 2, numbers.length),
                Double.isNaN(numbers[1]) ? OptionalDouble.empty() : OptionalDouble.of(numbers[1]), numbers[0]);
    }

    /** All of it, to be kept by a loop: log-likelihood, alpha or not a number, lengths. */
    public double[] numbers() {
        double[] numbers = new double[2 + branchLengths.length];
        numbers[0] = logLikelihood;
        numbers[1] = alpha.orElse(Double.NaN);
        System.arraycopy(branchLengths, 0, numbers, 2, branchLengths.length);
        return numbers;
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
    public String toString() {
        return "log-likelihood " + logLikelihood + (alpha.isPresent() ? ", alpha " + alpha.getAsDouble() : "");
    }
}
