package org.restorej.demo.phylo.likelihood;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.restorej.demo.phylo.model.Model;
import org.restorej.comm.collective.ReproducibleSums;

/**
 * Keeps one view of every inner node and pattern, all looking towards one selected branch, to get the derivatives by
 * its length; selecting a neighbour costs one new view.
 *
 * <p>
 * The length of the selected branch is in none of the views, so it may change without making them stale. This is the
 * way of RAxML (A. Stamatakis, "RAxML-VI-HPC", Bioinformatics 22 (2006), 2688-2690): half the memory of keeping views
 * in both directions.
 */
final class BranchViews {
    private final BranchMatrices matrices;
    private final Pruning pruning;
    private final ViewOrder order;
    private final int productSlot;
    private final List<Views> viewsOfGroup = new ArrayList<>();
    private final List<int[]> scalesOfGroup = new ArrayList<>();
    private final double[] value = new double[PatternGroup.CAPACITY];
    private final double[] firstDerivative = new double[PatternGroup.CAPACITY];
    private final double[] secondDerivative = new double[PatternGroup.CAPACITY];

    BranchViews(BranchMatrices matrices) {
        this.matrices = matrices;
        pruning = new Pruning(matrices);
        order = new ViewOrder(matrices.tree());
        productSlot = matrices.tree().innerCount();
    }

    /** Forgets all views, as more than the length of the selected branch has changed, or patterns came in. */
    void invalidate() {
        order.invalidate();
    }

    /** Makes all views look towards a branch. */
    void select(int branch, List<PatternGroup> groups) {
        while (viewsOfGroup.size() < groups.size()) {
            viewsOfGroup.add(new Views(productSlot + 1, matrices.model().categoryCount()));
            scalesOfGroup.add(new int[PatternGroup.CAPACITY]);
        }
        order.turnTowards(branch);
        for (int index = 0; index < groups.size(); index++) {
            PatternGroup group = groups.get(index);
            Views views = viewsOfGroup.get(index);
            order.update(pruning, group, views);
            pruning.joinViews(group, views, branch, matrices.eigenvectors(), matrices.eigenvectors(), productSlot,
                    scalesOfGroup.get(index));
        }
    }

    /**
     * Adds log-likelihood and its first and second derivative by the length of the selected branch, were it
     * {@code length}.
     *
     * <p>
     * The likelihood of a pattern is the sum over eigenvalues and categories of its planes' product times
     * {@code exp(eigenvalue * rate * length)}.
     *
     * @param sums three, which the patterns' terms are added to
     */
    void derivatives(double length, List<PatternGroup> groups, ReproducibleSums sums) {
        for (int index = 0; index < groups.size(); index++) {
            PatternGroup group = groups.get(index);
            patternDerivatives(length, viewsOfGroup.get(index).planes(productSlot), group.size());
            addUp(group, scalesOfGroup.get(index), sums);
        }
    }

    private void patternDerivatives(double length, double[][] planes, int count) {
        Arrays.fill(value, 0);
        Arrays.fill(firstDerivative, 0);
        Arrays.fill(secondDerivative, 0);
        Model model = matrices.model();
        for (int plane = 0; plane < planes.length; plane++) {
            double exponent = model.substitution().eigenvalue(plane % CategoryMatrices.STATES)
                    * model.rate(plane / CategoryMatrices.STATES);
            double factor = Math.exp(exponent * length) / model.categoryCount();
            ViewKernels.addMultiple(factor, planes[plane], value, count);
            ViewKernels.addMultiple(factor * exponent, planes[plane], firstDerivative, count);
            ViewKernels.addMultiple(factor * exponent * exponent, planes[plane], secondDerivative, count);
        }
    }

    private void addUp(PatternGroup group, int[] scales, ReproducibleSums sums) {
        double[] weights = group.weights();
        for (int i = 0; i < group.size(); i++) {
            // Terms of both signs cancel where data all but exclude a length: rounding must not make it impossible.
            double likelihood = Math.max(value[i], Double.MIN_NORMAL);
            double slope = firstDerivative[i] / likelihood;
            sums.add(0, weights[i] * (Math.log(likelihood) + scales[i] * TreeEvaluation.LOG_SCALE));
            sums.add(1, weights[i] * slope);
            sums.add(2, weights[i] * (secondDerivative[i] / likelihood - slope * slope));
        }
    }
}
