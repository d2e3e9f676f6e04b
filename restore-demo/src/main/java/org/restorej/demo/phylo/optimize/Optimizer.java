package org.restorej.demo.phylo.optimize;

import java.util.OptionalDouble;
import org.restorej.demo.phylo.tree.Tree;

/**
 * Improves branch lengths, and alpha where there is one, of a tree whose topology stays.
 *
 * <p>
 * One iteration is one pass over all branches and one search for alpha. It starts from nothing but its argument, so it
 * can be abandoned anywhere and done again, on other PEs too; with the same sums it has the same result to the last
 * bit.
 */
public final class Optimizer {
    /** An iteration that gains less ends the search. */
    public static final double LOG_LIKELIHOOD_TOLERANCE = 1e-4;

    private final DistributedLikelihood likelihood;
    private final int[] branchOrder;

    /** An optimiser of this PE; all PEs have one for the same tree. */
    public Optimizer(Tree tree, DistributedLikelihood likelihood) {
        this.likelihood = likelihood;
        branchOrder = depthFirst(tree);
    }

    /** The next state, with a log-likelihood that isn't less. Called by all PEs, with equal states. */
    public ModelState iterate(ModelState state) {
        likelihood.load(state);
        double[] lengths = state.branchLengths();
        for (int branch : branchOrder) {
            likelihood.selectBranch(branch);
            lengths[branch] = BranchLengthSearch.optimum(likelihood, lengths[branch]);
            likelihood.setBranchLength(branch, lengths[branch]);
        }
        OptionalDouble alpha = state.alpha();
        if (alpha.isPresent()) {
            alpha = OptionalDouble.of(AlphaSearch.optimum(likelihood, alpha.getAsDouble()));
            likelihood.setAlpha(alpha.getAsDouble());
        }
        return new ModelState(lengths, alpha, likelihood.logLikelihood());
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
