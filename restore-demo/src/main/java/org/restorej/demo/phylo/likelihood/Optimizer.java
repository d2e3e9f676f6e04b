package org.restorej.demo.phylo.likelihood;

import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.hipparchus.optim.MaxEval;
import org.hipparchus.optim.nonlinear.scalar.GoalType;
import org.hipparchus.optim.univariate.BrentOptimizer;
import org.hipparchus.optim.univariate.SearchInterval;
import org.hipparchus.optim.univariate.UnivariateObjectiveFunction;
import org.restorej.comm.collective.ReproducibleSums;
import org.restorej.demo.phylo.model.GammaRates;
import org.restorej.demo.phylo.tree.Tree;

/**
 * Evaluates and improves branch lengths, and alpha where there is one, of a tree whose topology stays, for patterns
 * that are spread over PEs.
 *
 * <p>
 * One iteration is one pass over all branches and one search for alpha. It starts from nothing but its argument, so it
 * can be abandoned anywhere and done again, on other PEs too; with the same sums it has the same result to the last
 * bit.
 */
public final class Optimizer {
    /** An iteration that gains less ends the search. */
    public static final double LOG_LIKELIHOOD_TOLERANCE = 1e-4;

    /** One search for alpha looks so many times below and above the last one; what is farther is for the next ones. */
    private static final double ALPHA_WINDOW = 4;
    private static final double ALPHA_RELATIVE_TOLERANCE = 1e-8;
    /** Of the logarithm: a hundred thousandth of alpha. */
    private static final double ALPHA_ABSOLUTE_TOLERANCE = 1e-5;
    private static final int MAX_ALPHA_EVALUATIONS = 100;

    private final Likelihood likelihood;
    private final Consumer<ReproducibleSums> sumOverPes;
    private final int[] branchOrder;
    private final ReproducibleSums logLikelihood = new ReproducibleSums(1);
    private final ReproducibleSums derivatives = new ReproducibleSums(3);

    /**
     * An optimiser of this PE; all PEs have one for the same tree.
     *
     * @param likelihood of this PE's patterns; others may append some between iterations
     * @param sumOverPes adds up sums over all PEs, which call it together; all must get the same, to the last bit,
     *     since each decides by itself what comes next. What it throws leaves the iteration
     */
    public Optimizer(Tree tree, Likelihood likelihood, Consumer<ReproducibleSums> sumOverPes) {
        this.likelihood = likelihood;
        this.sumOverPes = sumOverPes;
        branchOrder = depthFirst(tree);
    }

    /** Takes over branch lengths and alpha. Local. */
    public void load(ModelState state) {
        state.alpha().ifPresent(this::setAlpha);
        likelihood.setBranchLengths(state.branchLengths());
    }

    /** The same state with its log-likelihood. Called by all PEs, with equal states. */
    public ModelState evaluate(ModelState state) {
        load(state);
        return new ModelState(state.branchLengths(), state.alpha(), logLikelihood());
    }

    /** The next state, with a log-likelihood that isn't less. Called by all PEs, with equal states. */
    public ModelState iterate(ModelState state) {
        load(state);
        double[] lengths = state.branchLengths();
        for (int branch : branchOrder) {
            likelihood.selectBranch(branch);
            lengths[branch] = BranchLengthSearch.optimum(this::derivatives, lengths[branch]);
            likelihood.setBranchLength(branch, lengths[branch]);
        }
        OptionalDouble alpha = state.alpha();
        if (alpha.isPresent()) {
            alpha = OptionalDouble.of(optimalAlpha(alpha.getAsDouble()));
            setAlpha(alpha.getAsDouble());
        }
        return new ModelState(lengths, alpha, logLikelihood());
    }

    private void setAlpha(double alpha) {
        likelihood.setModel(likelihood.model().withAlpha(alpha));
    }

    /** The alpha of greatest likelihood, all else fixed: Brent's method on its logarithm, around the last one. */
    private double optimalAlpha(double start) {
        double low = Math.max(start / ALPHA_WINDOW, GammaRates.MIN_ALPHA);
        double high = Math.min(start * ALPHA_WINDOW, GammaRates.MAX_ALPHA);
        UnivariateObjectiveFunction ofLogarithm = new UnivariateObjectiveFunction(logAlpha -> {
            setAlpha(Math.exp(logAlpha));
            return logLikelihood();
        });
        return Math.exp(new BrentOptimizer(ALPHA_RELATIVE_TOLERANCE, ALPHA_ABSOLUTE_TOLERANCE).optimize(
                new MaxEval(MAX_ALPHA_EVALUATIONS), GoalType.MAXIMIZE, ofLogarithm,
                new SearchInterval(Math.log(low), Math.log(high), Math.log(start))).getPoint());
    }

    private double logLikelihood() {
        logLikelihood.clear();
        likelihood.addLogLikelihood(logLikelihood);
        sumOverPes.accept(logLikelihood);
        return logLikelihood.value(0);
    }

    /** By the length of the selected branch, were it {@code length}. */
    private BranchLengthSearch.Derivatives derivatives(double length) {
        derivatives.clear();
        likelihood.addDerivatives(length, derivatives);
        sumOverPes.accept(derivatives);
        return new BranchLengthSearch.Derivatives(derivatives.value(0), derivatives.value(1), derivatives.value(2));
    }

    /** Whether one more iteration isn't worth it. */
    public static boolean hasConverged(ModelState before, ModelState after) {
        return after.logLikelihood() - before.logLikelihood() < LOG_LIKELIHOOD_TOLERANCE;
    }

    /** Branches in the order of a walk around the tree, so that each is near the one before. */
    private static int[] depthFirst(Tree tree) {
        int[] order = new int[tree.branchCount()];
        int count = 0;
        int[] nodes = new int[tree.nodeCount()];
        int[] cameBy = new int[tree.nodeCount()];
        cameBy[0] = -1;
        int depth = 1;
        while (depth > 0) {
            int node = nodes[--depth];
            if (cameBy[node] >= 0) {
                order[count++] = cameBy[node];
            }
            for (int index = 0; index < tree.degree(node); index++) {
                int branch = tree.branchAt(node, index);
                if (branch != cameBy[node]) {
                    int child = tree.otherEnd(branch, node);
                    cameBy[child] = branch;
                    nodes[depth++] = child;
                }
            }
        }
        return order;
    }
}
