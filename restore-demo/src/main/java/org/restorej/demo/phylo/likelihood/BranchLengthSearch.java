package org.restorej.demo.phylo.likelihood;

import java.util.function.DoubleFunction;

/**
 * The length of greatest likelihood of one branch, all else fixed: Newton-Raphson on the first derivative, kept between
 * two lengths of which the shorter wants to be longer and the longer to be shorter. Where Newton's step leaves them, or
 * the curve bends the wrong way, the geometric mean is tried, since lengths spread over orders of magnitude.
 */
final class BranchLengthSearch {
    /** The log-likelihood of all patterns at a length, and its first and second derivative by that. */
    record Derivatives(double logLikelihood, double first, double second) {}

    static final double MIN_LENGTH = Likelihood.MIN_BRANCH_LENGTH;
    /** Beyond, sites are as good as random, and the likelihood is flat. */
    static final double MAX_LENGTH = 10;

    private static final double ABSOLUTE_TOLERANCE = 1e-7;
    private static final double RELATIVE_TOLERANCE = 1e-5;
    private static final int MAX_EVALUATIONS = 40;
    /**
     * From far below the optimum Newton's steps only double the length: many are needed to make up for one too short.
     */
    private static final double LARGEST_SHRINKAGE = 100;

    private final DoubleFunction<Derivatives> derivatives;
    private double shorter = MIN_LENGTH;
    private double longer = MAX_LENGTH;
    private boolean shorterTried;
    private boolean longerTried;

    private BranchLengthSearch(DoubleFunction<Derivatives> derivatives) {
        this.derivatives = derivatives;
    }

    /**
     * Returns the best length of a branch, never one with less likelihood than the start.
     *
     * @param derivatives of all patterns at a length; called by all PEs together
     */
    static double optimum(DoubleFunction<Derivatives> derivatives, double start) {
        return new BranchLengthSearch(derivatives).search(Math.clamp(start, MIN_LENGTH, MAX_LENGTH));
    }

    private double search(double start) {
        double length = start;
        Derivatives at = derivatives.apply(length);
        double startLogLikelihood = at.logLikelihood();
        for (int evaluations = 1; evaluations < MAX_EVALUATIONS; evaluations++) {
            narrow(length, at);
            double next = next(length, at);
            if (Math.abs(next - length) <= ABSOLUTE_TOLERANCE + RELATIVE_TOLERANCE * length) {
                break;
            }
            length = next;
            at = derivatives.apply(length);
        }
        return at.logLikelihood() < startLogLikelihood ? start : length;
    }

    private void narrow(double length, Derivatives at) {
        if (at.first() > 0) {
            shorter = length;
            shorterTried = true;
            longerTried |= length == MAX_LENGTH;
        } else {
            longer = length;
            longerTried = true;
            shorterTried |= length == MIN_LENGTH;
        }
    }

    private double next(double length, Derivatives at) {
        double newton = at.second() < 0 ? length - at.first() / at.second() : at.first() > 0 ? 2 * length : length / 2;
        double next = Math.max(newton, length / LARGEST_SHRINKAGE);
        if (next <= shorter) {
            return shorterTried ? Math.sqrt(shorter * longer) : shorter;
        }
        if (next >= longer) {
            return longerTried ? Math.sqrt(shorter * longer) : longer;
        }
        return next;
    }
}
