package org.restorej.demo.phylo.likelihood;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.collective.ReproducibleSums;

/**
 * The log-likelihood of all patterns, group by group, in a work space of a view of each inner node whatever the
 * number of patterns. Allocates nothing once made.
 */
final class TreeEvaluation {
    /** Natural logarithm of what one scale stands for. */
    static final double LOG_SCALE = ViewKernels.LOG2_SCALE_THRESHOLD * Math.log(2);

    /** The branch that all views look towards. A reversible model has the same likelihood at any. */
    private static final int BRANCH = 0;

    private final BranchMatrices matrices;
    private final Pruning pruning;
    private final ViewOrder order;
    private final Views views;
    private final int productSlot;
    private final int[] scales = new int[PatternGroup.CAPACITY];
    private final double[] sums = new double[PatternGroup.CAPACITY];

    TreeEvaluation(BranchMatrices matrices) {
        this.matrices = matrices;
        pruning = new Pruning(matrices);
        order = new ViewOrder(matrices.tree());
        order.turnTowards(BRANCH);
        productSlot = matrices.tree().innerCount();
        views = new Views(productSlot + 1, matrices.model().categoryCount());
    }

    /**
     * Adds weight times log-likelihood of each pattern.
     *
     * @param sum is added to, as its only or first sum
     * @param perPattern takes the log-likelihood of each pattern, if not null
     */
    void logLikelihood(List<PatternGroup> groups, ReproducibleSums sum, double @Nullable [] perPattern) {
        int done = 0;
        for (PatternGroup group : groups) {
            likelihoods(group);
            double[] weights = group.weights();
            for (int i = 0; i < group.size(); i++) {
                double logarithm = Math.log(sums[i]) + scales[i] * LOG_SCALE;
                sum.add(0, weights[i] * logarithm);
                if (perPattern != null) {
                    perPattern[done + i] = logarithm;
                }
            }
            done += group.size();
        }
    }

    private void likelihoods(PatternGroup group) {
        order.update(pruning, group, views);
        pruning.joinViews(group, views, BRANCH, matrices.frequencies(), matrices.probabilities(BRANCH), productSlot,
                scales);
        Arrays.fill(sums, 0);
        double probability = 1.0 / matrices.model().categoryCount();
        for (double[] plane : views.planes(productSlot)) {
            ViewKernels.addMultiple(probability, plane, sums, group.size());
        }
    }
}
